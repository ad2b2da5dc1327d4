/// Something that a store learned: what appeared, moved, was corrected or vanished, in the order in which it was stored.
public struct CatalogChange: Hashable, Sendable {
  /// A change's place among all changes of a store: later ones have greater numbers, and none is given twice.
  public struct ID: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number, from 1.
    public let rawValue: Int64

    /// Makes a change's number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Orders changes as they were stored.
    public static func < (one: ID, other: ID) -> Bool { one.rawValue < other.rawValue }
  }

  /// What happened.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A resource was stored for the first time, or an item came into one that was stored.
    case appeared
    /// An item has another position or rank on a chart.
    case moved
    /// An item, or details, say something else than before.
    case corrected
    /// An item is no longer in a chart or a list of codes; or a complete go through a long list came without it.
    case vanished
  }

  /// Its place among all changes.
  public var id: ID
  /// When it was stored.
  public var at: Timestamp
  /// The resource in whose answer it was found.
  public var resource: ResourceID
  /// The resource's revision that brought it.
  public var revision: Int
  /// What happened, and to what.
  public var difference: Difference

  /// What differs between two answers, without the time and place.
  public struct Difference: Hashable, Sendable {
    /// What happened.
    public var kind: Kind
    /// The code of the item: a movie of a chart, a code of a list; `nil` if the change is the resource's own.
    public var itemCode: String?
    /// The item's title or name, as it is now; as it was, if it vanished.
    public var itemName: String?
    /// The item's position on the chart before; `nil` off charts, and if it appeared.
    public var positionBefore: Int?
    /// The item's position on the chart now; `nil` off charts, and if it vanished.
    public var positionAfter: Int?
    /// The names of what differs, as the command's JSON spells them: `audience`, `salesTotalKRW`, `title`.
    public var fields: [String]

    /// Makes a difference.
    public init(
      _ kind: Kind, itemCode: String? = nil, itemName: String? = nil, positionBefore: Int? = nil,
      positionAfter: Int? = nil, fields: [String] = []
    ) {
      self.kind = kind
      self.itemCode = itemCode
      self.itemName = itemName
      self.positionBefore = positionBefore
      self.positionAfter = positionAfter
      self.fields = fields
    }
  }

  /// Makes a change.
  public init(id: ID, at: Timestamp, resource: ResourceID, revision: Int, difference: Difference) {
    self.id = id
    self.at = at
    self.resource = resource
    self.revision = revision
    self.difference = difference
  }
}

/// Which changes are asked for.
public struct ChangeQuery: Hashable, Sendable {
  /// Changes stored at this instant or later; `nil` for all that are kept.
  public var since: Timestamp?
  /// Changes after this one, to go on where a page ended.
  public var after: CatalogChange.ID?
  /// The kinds that are asked for; all if empty.
  public var kinds: Set<CatalogChange.Kind>
  /// The most changes to give, the oldest ones first.
  public var limit: Int

  /// The most changes that one query may ask for.
  public static let limitMax = 10_000

  /// Makes a query.
  ///
  /// - Precondition: `limit` is 1 to ``limitMax``.
  public init(
    since: Timestamp? = nil, after: CatalogChange.ID? = nil, kinds: Set<CatalogChange.Kind> = [],
    limit: Int = 1000
  ) {
    precondition((1...Self.limitMax).contains(limit), "a query asks for 1 to \(Self.limitMax) changes")
    self.since = since
    self.after = after
    self.kinds = kinds
    self.limit = limit
  }
}
