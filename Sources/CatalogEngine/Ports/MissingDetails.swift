/// The movies that charts have named and whose details are not stored.
public struct MissingDetails: Hashable, Sendable {
  /// Those whose details may be asked for.
  public var due: [MovieCode]
  /// Those whose details are left alone for a while, as their answer was of no use of late
  /// (``CatalogFailure/setAsideUntil``).
  public var setAside: [MovieCode]

  /// Makes a list of movies.
  public init(due: [MovieCode] = [], setAside: [MovieCode] = []) {
    self.due = due
    self.setAside = setAside
  }
}
