/// An answer with its provenance: what it says, where it came from, how old it is, and why it was served.
public struct Reading<Value: CatalogContent>: Hashable, Sendable {
  /// Where this reading was taken from.
  public enum Origin: String, Hashable, Sendable {
    /// The upstream, just now.
    case network
    /// The store.
    case cache
  }

  /// What was read.
  public var resource: ResourceID
  /// The answer.
  public var value: Value
  /// Whether it came from the upstream just now or from the store.
  public var origin: Origin
  /// The upstream's host, or that it is a recorded sample.
  public var source: Provenance
  /// When the upstream gave the answer.
  public var fetchedAt: Timestamp
  /// How long ago that was when it was read; negative if the clock was set back since.
  public var age: Duration
  /// How far the answer has aged.
  public var freshness: Freshness
  /// The failure in whose place it was served; `nil` if nothing failed.
  public var servedBecause: CatalogFailure?
  /// When the upstream was last asked for it, with whatever outcome.
  public var lastAttemptAt: Timestamp?
  /// When the upstream will be asked anew: when the answer stops being fresh, or, if it was served because the
  /// upstream is not asked for a while, when that ends; `nil` if it is at the next read.
  public var nextAttemptAt: Timestamp?
  /// How many different answers the store has seen, this one included.
  public var revision: Int

  /// Makes a reading.
  public init(
    resource: ResourceID, value: Value, origin: Origin, source: Provenance, fetchedAt: Timestamp,
    age: Duration,
    freshness: Freshness, servedBecause: CatalogFailure? = nil, lastAttemptAt: Timestamp? = nil,
    nextAttemptAt: Timestamp? = nil, revision: Int
  ) {
    self.resource = resource
    self.value = value
    self.origin = origin
    self.source = source
    self.fetchedAt = fetchedAt
    self.age = age
    self.freshness = freshness
    self.servedBecause = servedBecause
    self.lastAttemptAt = lastAttemptAt
    self.nextAttemptAt = nextAttemptAt
    self.revision = revision
  }
}
