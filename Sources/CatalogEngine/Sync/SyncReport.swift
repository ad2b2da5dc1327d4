/// What a sync did: the figures, the failures, and why it stopped.
public struct SyncReport: Hashable, Sendable {
  /// Why a sync stopped before everything due was asked for.
  public struct StopReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The reason's stable name.
    public let rawValue: String

    /// Makes a reason from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The reason's stable name.
    public var description: String { rawValue }

    /// The call budget of the request is spent.
    public static let budget = StopReason(rawValue: "budget")
    /// The day's calls are used up, or as many of them as a sync may make: the rest is kept for readers.
    public static let quota = StopReason(rawValue: "quota")
    /// There is no API key.
    public static let keyMissing = StopReason(rawValue: "keyMissing")
    /// The upstream refused the API key.
    public static let keyRefused = StopReason(rawValue: "keyRefused")
    /// So many calls in a row failed to reach the upstream that it is taken to be down, and not asked for a while.
    public static let upstreamUnavailable = StopReason(rawValue: "upstreamUnavailable")
    /// Another sync is at work on the same store.
    public static let anotherSync = StopReason(rawValue: "anotherSync")
    /// The store failed.
    public static let storage = StopReason(rawValue: "storage")
    /// The sync was cancelled.
    public static let cancelled = StopReason(rawValue: "cancelled")

    /// Every reason there is.
    public static let all: [StopReason] = [
      .budget, .quota, .keyMissing, .keyRefused, .upstreamUnavailable, .anotherSync, .storage, .cancelled,
    ]
  }

  /// A resource that failed.
  public struct Failure: Hashable, Sendable {
    /// The resource.
    public var resource: ResourceID
    /// Why.
    public var failure: CatalogFailure

    /// Makes a failed resource.
    public init(resource: ResourceID, failure: CatalogFailure) {
      self.resource = resource
      self.failure = failure
    }
  }

  /// How many resources were stored for the first time.
  public var fetchedCount = 0
  /// How many said what was stored already.
  public var unchangedCount = 0
  /// How many corrected what was stored.
  public var revisedCount = 0
  /// How many failed; what was stored of them is untouched.
  public var failedCount = 0
  /// How many charts were fresh already, how many resources were set aside by an earlier sync, and how many were not come
  /// to before the sync stopped.
  public var skippedCount = 0
  /// How many calls were made to the upstream.
  public var callCount = 0
  /// How many of them were repetitions.
  public var retryCount = 0
  /// How many calls of the budget are left; `nil` without a budget.
  public var budgetLeft: Int?
  /// Why the sync stopped early; `nil` if it went through.
  public var stoppedBecause: StopReason?
  /// The failure that stopped it, if the upstream was not even asked: it tells when it will be.
  public var stopFailure: CatalogFailure?
  /// The store's error, if that is what stopped it.
  public var storeError: StoreError?
  /// When the sync began.
  public var startedAt: Timestamp
  /// When it ended.
  public var endedAt: Timestamp
  /// The failures, in the order they came, up to ``failureListCountMax``.
  public var failures: [Failure] = []

  /// The most failures that a report lists.
  public static let failureListCountMax = 100

  /// Makes an empty report.
  public init(startedAt: Timestamp, budget: Int? = nil) {
    self.startedAt = startedAt
    endedAt = startedAt
    budgetLeft = budget
  }
}

/// Something a sync has just done; told only when it is in the store for good.
public struct SyncEvent: Hashable, Sendable {
  /// What became of a resource.
  public enum Outcome: String, Hashable, Sendable {
    /// It was stored for the first time.
    case fetched
    /// It said what was stored already.
    case unchanged
    /// It corrected what was stored.
    case revised
    /// It failed; what was stored is untouched.
    case failed
  }

  /// The resource.
  public var resource: ResourceID
  /// What became of it.
  public var outcome: Outcome
  /// The stored answer's revision; `nil` if the resource failed.
  public var revision: Int?
  /// Why it failed.
  public var failure: CatalogFailure?
  /// How many resources are done, this one included.
  public var doneCount: Int
  /// How many are due as far as is known by now: new movies in new charts add to it.
  public var dueCount: Int
  /// How many calls the sync has made so far, retries included.
  public var callCount: Int
  /// How many of them were repetitions.
  public var retryCount: Int
  /// How many calls of the sync's budget are left; `nil` without a budget.
  public var budgetLeft: Int?

  /// Makes an event.
  public init(
    resource: ResourceID, outcome: Outcome, revision: Int? = nil, failure: CatalogFailure? = nil,
    doneCount: Int, dueCount: Int, callCount: Int = 0, retryCount: Int = 0, budgetLeft: Int? = nil
  ) {
    self.resource = resource
    self.outcome = outcome
    self.revision = revision
    self.failure = failure
    self.doneCount = doneCount
    self.dueCount = dueCount
    self.callCount = callCount
    self.retryCount = retryCount
    self.budgetLeft = budgetLeft
  }
}
