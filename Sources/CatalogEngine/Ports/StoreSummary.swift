/// What a store holds, how fresh, and how the last attempts went.
public struct StoreSummary: Hashable, Sendable {
  /// What is stored of one kind of resource.
  public struct KindSummary: Hashable, Sendable {
    /// The kind.
    public var kind: ResourceID.Kind
    /// How many answers are stored.
    public var storedCount: Int
    /// How many of them are recorded samples.
    public var recordedCount: Int
    /// How many resources were tried and have no answer.
    public var missingCount: Int
    /// The lowest key stored, of charts the first day alone, as `20190708`; `nil` if nothing is.
    public var firstKey: String?
    /// The highest key stored, likewise; `nil` if nothing is.
    public var lastKey: String?
    /// When the oldest stored answer was fetched.
    public var oldestFetchedAt: Timestamp?
    /// When the newest stored answer was fetched.
    public var newestFetchedAt: Timestamp?

    /// Makes a summary of one kind.
    public init(
      kind: ResourceID.Kind, storedCount: Int, recordedCount: Int, missingCount: Int, firstKey: String?,
      lastKey: String?, oldestFetchedAt: Timestamp?, newestFetchedAt: Timestamp?
    ) {
      self.kind = kind
      self.storedCount = storedCount
      self.recordedCount = recordedCount
      self.missingCount = missingCount
      self.firstKey = firstKey
      self.lastKey = lastKey
      self.oldestFetchedAt = oldestFetchedAt
      self.newestFetchedAt = newestFetchedAt
    }
  }

  /// A resource whose last attempt failed.
  public struct FailedAttempt: Hashable, Sendable {
    /// The resource.
    public var resource: ResourceID
    /// The failure, with its time.
    public var failure: CatalogFailure
    /// Whether an answer is stored all the same.
    public var isStored: Bool

    /// Makes a failed attempt.
    public init(resource: ResourceID, failure: CatalogFailure, isStored: Bool) {
      self.resource = resource
      self.failure = failure
      self.isStored = isStored
    }
  }

  /// How many calls an upstream's day has left.
  public struct Quota: Hashable, Sendable {
    /// The upstream.
    public var upstream: UpstreamID
    /// The day of the ledger, see ``QuotaPolicy/day(at:)``.
    public var day: CalendarDay
    /// All the calls that the day has.
    public var dailyCallCountMax: Int
    /// How many of them were entered in the ledger, or are known to be used up.
    public var usedCount: Int
    /// How many of those left are kept for readers.
    public var reservedCount: Int
    /// How many are left, those kept for readers included.
    public var leftCount: Int
    /// When the next day of calls begins.
    public var resetsAt: Timestamp

    /// Makes the figures of a day from its ledger and its policy.
    public init(upstream: UpstreamID, day: CalendarDay, use: QuotaUse, policy: QuotaPolicy) {
      self.upstream = upstream
      self.day = day
      dailyCallCountMax = policy.dailyCallCountMax
      usedCount = use.exhaustedAt == nil ? use.usedCount : max(use.usedCount, policy.dailyCallCountMax)
      leftCount = max(0, policy.dailyCallCountMax - usedCount)
      reservedCount = min(policy.reservedCallCount, leftCount)
      resetsAt = policy.reset(after: day)
    }
  }

  /// Whether an upstream is taken to be down.
  public struct Breaker: Hashable, Sendable {
    /// The upstream.
    public var upstream: UpstreamID
    /// Its breaker's state.
    public var state: BreakerState

    /// Makes an upstream's breaker.
    public init(upstream: UpstreamID, state: BreakerState) {
      self.upstream = upstream
      self.state = state
    }
  }

  /// One sync run.
  public struct Run: Hashable, Sendable {
    /// Its number.
    public var id: SyncRunID
    /// When it began.
    public var startedAt: Timestamp
    /// When it ended; `nil` if it is running or was killed.
    public var endedAt: Timestamp?
    /// How many resources it set out to fetch.
    public var plannedCount: Int
    /// How many were stored for the first time.
    public var fetchedCount: Int
    /// How many said what was stored.
    public var unchangedCount: Int
    /// How many were corrections.
    public var revisedCount: Int
    /// How many failed.
    public var failedCount: Int
    /// Why it stopped before its end; `nil` if it did not.
    public var stoppedBecause: String?

    /// Makes a run.
    public init(
      id: SyncRunID, startedAt: Timestamp, endedAt: Timestamp? = nil, plannedCount: Int,
      fetchedCount: Int = 0,
      unchangedCount: Int = 0, revisedCount: Int = 0, failedCount: Int = 0, stoppedBecause: String? = nil
    ) {
      self.id = id
      self.startedAt = startedAt
      self.endedAt = endedAt
      self.plannedCount = plannedCount
      self.fetchedCount = fetchedCount
      self.unchangedCount = unchangedCount
      self.revisedCount = revisedCount
      self.failedCount = failedCount
      self.stoppedBecause = stoppedBecause
    }
  }

  /// What is stored, one element for every kind there is, in the kinds' order.
  public var kinds: [KindSummary]
  /// How many movies are known, from charts and details.
  public var movieCount: Int
  /// When an upstream was last asked.
  public var lastAttemptAt: Timestamp?
  /// The resources whose last attempt failed, newest first, up to the limit asked for.
  public var failures: [FailedAttempt]
  /// How many resources' last attempt failed, listed or not.
  public var failureCount: Int
  /// The latest sync run; `nil` if there was none.
  public var lastRun: Run?
  /// The calls of the present day, by upstream; none for a recorded one, which is not rationed. The catalogue fills
  /// it in, which knows the rules.
  public var quotas: [Quota] = []
  /// The breakers, by upstream; none for a recorded one. The catalogue fills it in.
  public var breakers: [Breaker] = []
  /// The store's schema version.
  public var schemaVersion: Int
  /// The store's size in bytes, write-ahead log included.
  public var byteCount: Int64

  /// Makes a summary.
  public init(
    kinds: [KindSummary], movieCount: Int, lastAttemptAt: Timestamp?, failures: [FailedAttempt],
    failureCount: Int,
    lastRun: Run?, schemaVersion: Int, byteCount: Int64
  ) {
    self.kinds = kinds
    self.movieCount = movieCount
    self.lastAttemptAt = lastAttemptAt
    self.failures = failures
    self.failureCount = failureCount
    self.lastRun = lastRun
    self.schemaVersion = schemaVersion
    self.byteCount = byteCount
  }
}
