/// One go through all pages of a long list, whose union is what the list held at that time.
///
/// An upstream has no word for "deleted": a row is gone if a whole go came without it. So a generation says when it
/// was begun, whether it is complete, and whether the list stood still meanwhile; only a complete and steady one may bury
/// what it did not meet (see ``TombstonePolicy``).
public struct ListGeneration: Hashable, Sendable {
  /// The list.
  public var list: CatalogList
  /// Its number, ascending with time.
  public var number: Int64
  /// When it was begun: a page fetched at this time or later belongs to it.
  public var startedAt: Timestamp
  /// The rows that the upstream counted with the last page that came; `nil` before the first.
  public var totalCount: Int?
  /// Whether every page so far came with the same count, and from the same place.
  public var isSteady: Bool
  /// When the last of its pages came; `nil` while some are missing.
  public var completedAt: Timestamp?
  /// Where the last page came from; `nil` before the first. All pages of a complete generation came from there.
  public var provenance: Provenance?

  /// A generation that took longer than this buries nothing: the list has moved on meanwhile. It is gone on with all the
  /// same, as a day's calls may allow for no more than a part of a list.
  public static let durationMax: Duration = .seconds(7 * 86_400)

  /// Makes a generation.
  public init(
    list: CatalogList, number: Int64, startedAt: Timestamp, totalCount: Int? = nil, isSteady: Bool = true,
    completedAt: Timestamp? = nil, provenance: Provenance? = nil
  ) {
    self.list = list
    self.number = number
    self.startedAt = startedAt
    self.totalCount = totalCount
    self.isSteady = isSteady
    self.completedAt = completedAt
    self.provenance = provenance
  }

  /// The pages that it has, by what the upstream has counted so far; 1 before the first page came.
  public var pageCount: Int { max(1, totalCount.map(CatalogList.pageCount(ofRows:)) ?? 1) }
}

/// How many rows a complete go through a list may bury: more than that is rather a fault of the upstream's.
public enum TombstonePolicy {
  /// So many may always go.
  public static let countMax = 20
  /// So many of a hundred may go.
  public static let percentMax = 2

  /// Whether a generation may bury the rows it did not meet. One of recorded samples never may.
  ///
  /// - Parameters:
  ///   - metCount: How many different rows it met.
  ///   - missingCount: How many rows that were in the list before it did not meet.
  public static func mayBury(_ generation: ListGeneration, metCount: Int, missingCount: Int) -> Bool {
    guard let completedAt = generation.completedAt,
      completedAt.duration(since: generation.startedAt) <= ListGeneration.durationMax, generation.isSteady,
      generation.provenance != .recorded,
      metCount > 0,
      generation.totalCount == metCount
    else { return false }
    return missingCount <= max(countMax, (metCount + missingCount) * percentMax / 100)
  }
}
