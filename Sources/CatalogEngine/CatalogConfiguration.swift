public import HTTPTransport

/// What a catalogue may be told: how long answers live, and what calls to the upstream may cost.
public struct CatalogConfiguration: Hashable, Sendable {
  /// How long answers live, by kind and by the age of their day.
  public var lifetimes: LifetimePolicy

  /// What one call to the upstream may cost in time and memory.
  public var transportLimits: TransportLimits

  /// How many calls to the upstream may be under way at once, for all readers and syncs together; more wait in line.
  public var concurrentCallCountMax: Int

  /// How many calls a day the upstream allows; a recorded one is not rationed.
  public var quota: QuotaPolicy

  /// How a sync's calls are retried.
  public var syncRetry: RetryPolicy

  /// How a reader's calls are retried: not at all unless told otherwise, as a reader waits; and never where an answer
  /// is stored that can be served in its place.
  public var readRetry: RetryPolicy

  /// How long syncs leave a resource alone whose answer was of no use.
  public var setAside: SetAsidePolicy

  /// When the upstream is left alone because it cannot be reached.
  public var breaker: BreakerPolicy

  /// The longest a sync waits for another one to end.
  public var syncWaitMax: Duration

  /// Makes a configuration.
  ///
  /// - Precondition: `concurrentCallCountMax` is at least 1.
  public init(
    lifetimes: LifetimePolicy = LifetimePolicy(), transportLimits: TransportLimits = .default,
    concurrentCallCountMax: Int = 16, quota: QuotaPolicy = QuotaPolicy(),
    syncRetry: RetryPolicy = RetryPolicy(), readRetry: RetryPolicy = .none,
    setAside: SetAsidePolicy = SetAsidePolicy(), breaker: BreakerPolicy = BreakerPolicy(),
    syncWaitMax: Duration = .seconds(3600)
  ) {
    precondition(concurrentCallCountMax >= 1, "at least one call may be under way")
    self.lifetimes = lifetimes
    self.transportLimits = transportLimits
    self.concurrentCallCountMax = concurrentCallCountMax
    self.quota = quota
    self.syncRetry = syncRetry
    self.readRetry = readRetry
    self.setAside = setAside
    self.breaker = breaker
    self.syncWaitMax = syncWaitMax
  }
}
