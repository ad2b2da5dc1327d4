/// Where answers are kept: the engine's port to a store.
///
/// Every method is one transaction: what it returns from has happened whole and survives a crash, what it throws from
/// has not happened at all. The methods are `async` because a store may lie across a network; a local one reads
/// without leaving the caller's thread.
///
/// All methods throw ``StoreError``.
public protocol MovieStore: Sendable {
  /// What is stored for a resource: the answer, if there is one, and the record of the attempts to get it.
  func entry(for resource: ResourceID) async throws(StoreError) -> StoredEntry?

  /// The record of a resource without its answer; `nil` if it was never asked for.
  func record(for resource: ResourceID) async throws(StoreError) -> EntryRecord?

  /// The records of all resources of one kind whose keys lie in a range, without their answers.
  ///
  /// For charts the keys are first days as `20220105`, so that a range of them is a range of days.
  func records(
    of kind: ResourceID.Kind, upstream: UpstreamID, keys: ClosedRange<String>
  ) async throws(StoreError) -> [ResourceID: EntryRecord]

  /// When the latest answer of a source came; `nil` if none did.
  func latestFetch(
    of upstream: UpstreamID, from provenance: Provenance
  ) async throws(StoreError) -> Timestamp?

  /// Stores an answer with its freshness, and counts it in `run`, in one transaction.
  ///
  /// The stored answer is replaced only by one that says something else, which makes a new revision; a recorded
  /// sample never replaces a live answer; an empty answer never replaces one that is not (the engine refuses it
  /// before, the store once more inside the transaction).
  ///
  /// - Parameter ticket: What the call was made with, if there was one: its lease ends, and the breaker is told of the
  ///   success.
  /// - Returns: What became of it, and the record as it now is.
  /// - Throws: `leaseLost` if the ticket's lease was taken over; nothing is written then.
  func commit(
    _ answer: FetchedAnswer, in run: SyncRunID?, settling ticket: CallTicket?
  ) async throws(StoreError) -> CommitReceipt

  /// Records a failed attempt beside whatever is stored, which stays as it is, and counts it in `run`.
  ///
  /// Without a run, that the upstream knows no such thing is not recorded of a resource of which nothing else is
  /// known: a service's users can ask for codes without end.
  ///
  /// - Parameter ticket: What the call was made with, if there was one: its lease ends unless it
  ///   ``CallTicket/isToBeRepeated``, the breaker is told, and a failure of code `quota` uses the day up.
  /// - Returns: The breaker's state, if the ticket has one.
  /// - Throws: `leaseLost` if the ticket's lease was taken over; nothing is written then.
  @discardableResult
  func recordFailure(
    _ failure: CatalogFailure, for resource: ResourceID, at instant: Timestamp, in run: SyncRunID?,
    settling ticket: CallTicket?
  ) async throws(StoreError) -> BreakerState?

  /// Decides whether a call may be made, and if so leases the resource and enters the call in the ledger.
  ///
  /// Asked in this order: the sync's lease, another answer, the resource's lease, the breaker, the quota. Where it
  /// refuses, nothing is written.
  func admit(_ request: CallRequest) async throws(StoreError) -> CallAdmission

  /// Grants a lease, unless somebody else's holds.
  func grantLease(_ request: LeaseRequest) async throws(StoreError) -> LeaseGrant

  /// Ends a lease, if it was not taken over.
  func endLease(_ lease: Lease) async throws(StoreError)

  /// What the ledger has entered for a day; nothing if there is no entry.
  func quotaUse(of upstream: UpstreamID, on day: CalendarDay) async throws(StoreError) -> QuotaUse

  /// The state of an upstream's breaker.
  func breaker(of upstream: UpstreamID) async throws(StoreError) -> BreakerState

  /// Marks a resource's answer as no longer fresh, whatever its age; the answer stays.
  ///
  /// - Returns: Whether there was an answer to mark.
  @discardableResult
  func invalidate(_ resource: ResourceID, at instant: Timestamp) async throws(StoreError) -> Bool

  /// The stored chart rows of a movie by day, then kind: the latest ones, up to `limit`.
  func appearances(
    of movie: MovieCode, upstream: UpstreamID, limit: Int
  ) async throws(StoreError) -> [ChartAppearance]

  /// The movies that stand in stored charts whose last day lies in `days` and that have no stored details: those of
  /// the latest charts first, then by code.
  ///
  /// - Parameters:
  ///   - provenance: Where details have to come from in order to count; `nil` for anywhere.
  ///   - now: Movies whose details are set aside at this time (``CatalogFailure/setAsideUntil``) are told apart.
  func moviesWithoutDetails(
    in days: ClosedRange<CalendarDay>, upstream: UpstreamID, from provenance: Provenance?, at now: Timestamp
  ) async throws(StoreError) -> MissingDetails

  /// The latest go through a long list, complete or not; `nil` if none was begun.
  func generation(of list: CatalogList, upstream: UpstreamID) async throws(StoreError) -> ListGeneration?

  /// Begins a go through a long list; one that is not complete is given up.
  ///
  /// From now on every page of the list that is committed counts for the new generation, in the transaction of its
  /// commit: its count, its rows as met, and, with the last missing page, the generation's completion and the
  /// tombstones that ``TombstonePolicy`` allows.
  func beginGeneration(
    of list: CatalogList, upstream: UpstreamID, at instant: Timestamp
  ) async throws(StoreError) -> ListGeneration

  /// What changed, the oldest first; see ``CatalogChange``.
  func changes(_ query: ChangeQuery, upstream: UpstreamID) async throws(StoreError) -> [CatalogChange]

  /// The movies that lists, charts and details have named: those that opened last first, then those without an
  /// opening, each by code.
  func movies(_ query: ListingQuery, upstream: UpstreamID) async throws(StoreError) -> Listing<KnownMovie>

  /// The people that the upstream lists, by code.
  func people(_ query: ListingQuery, upstream: UpstreamID) async throws(StoreError) -> Listing<KnownPerson>

  /// The companies that the upstream lists, by code.
  func companies(_ query: ListingQuery, upstream: UpstreamID) async throws(StoreError) -> Listing<
    KnownCompany
  >

  /// The latest sync runs, the latest first, up to `limit`.
  func runs(limit: Int) async throws(StoreError) -> [StoreSummary.Run]

  /// Opens the record of a sync run.
  func beginRun(at instant: Timestamp, planned: Int) async throws(StoreError) -> SyncRunID

  /// Closes the record of a sync run; its counts become the greater of those given and those that its pages committed.
  func endRun(_ run: StoreSummary.Run) async throws(StoreError)

  /// What is stored, how fresh, and the last attempts and failures.
  ///
  /// - Parameter failureLimit: The most failures to list, newest first.
  func summary(upstream: UpstreamID, failureLimit: Int) async throws(StoreError) -> StoreSummary

  /// Removes some of what a request allows, in one transaction, and gives way to other writers.
  ///
  /// - Parameter limit: The most resources or records of syncs to remove.
  /// - Returns: How much was removed; nothing once there is nothing left to remove.
  func prune(_ request: PruneRequest, limit: Int) async throws(StoreError) -> PruneCount

  /// How much ``prune(_:limit:)`` would remove in all; nothing is written.
  func prunable(_ request: PruneRequest) async throws(StoreError) -> PruneCount

  /// Cuts the store's log to nothing, as far as readers allow.
  ///
  /// - Parameter rewrites: Whether the store is written anew, without the space that holds nothing. That takes as much
  ///   space again while it lasts, and other writers wait for it.
  /// - Returns: The space it takes then.
  func reclaimSpace(rewriting rewrites: Bool) async throws(StoreError) -> StoreSpace

  /// Closes the store; every later call throws ``StoreError`` of code `closed`.
  func close() async
}

extension MovieStore {
  /// Stores an answer that no call was made for.
  @discardableResult
  public func commit(_ answer: FetchedAnswer, in run: SyncRunID?) async throws(StoreError) -> CommitReceipt {
    try await commit(answer, in: run, settling: nil)
  }

  /// Records a failed attempt that no call was made for.
  public func recordFailure(
    _ failure: CatalogFailure, for resource: ResourceID, at instant: Timestamp, in run: SyncRunID?
  ) async throws(StoreError) {
    try await recordFailure(failure, for: resource, at: instant, in: run, settling: nil)
  }
}

/// A resource's stored state: the answer, if one was ever stored, and its record.
public struct StoredEntry: Hashable, Sendable {
  /// The answer; `nil` if every attempt so far has failed.
  public var value: CatalogValue?
  /// When and whence it came, and what was tried.
  public var record: EntryRecord

  /// Makes an entry.
  public init(value: CatalogValue?, record: EntryRecord) {
    self.value = value
    self.record = record
  }
}

/// When and whence a stored answer came, and what was tried since.
public struct EntryRecord: Hashable, Sendable {
  /// When the stored answer was last fetched and found the same or new; `nil` if there is no answer.
  public var fetchedAt: Timestamp?
  /// Where the stored answer came from; `nil` if there is no answer.
  public var provenance: Provenance?
  /// Whether the stored answer holds nothing.
  public var isEmpty: Bool
  /// How many different answers were stored, the present one included; 0 if there is none.
  public var revision: Int
  /// When the answer was marked as no longer fresh; `nil` if it was not, or was fetched since.
  public var invalidatedAt: Timestamp?
  /// When the upstream was last asked, with whatever outcome.
  public var lastAttemptAt: Timestamp?
  /// The last attempt's failure; `nil` if it succeeded.
  public var lastFailure: CatalogFailure?
  /// How many attempts in a row have failed, the last one included; 0 if it succeeded.
  public var consecutiveFailureCount: Int

  /// Makes a record.
  public init(
    fetchedAt: Timestamp? = nil, provenance: Provenance? = nil, isEmpty: Bool = false, revision: Int = 0,
    invalidatedAt: Timestamp? = nil, lastAttemptAt: Timestamp? = nil, lastFailure: CatalogFailure? = nil,
    consecutiveFailureCount: Int = 0
  ) {
    self.fetchedAt = fetchedAt
    self.provenance = provenance
    self.isEmpty = isEmpty
    self.revision = revision
    self.invalidatedAt = invalidatedAt
    self.lastAttemptAt = lastAttemptAt
    self.lastFailure = lastFailure
    self.consecutiveFailureCount = consecutiveFailureCount
  }
}

/// A validated answer on its way into the store.
public struct FetchedAnswer: Hashable, Sendable {
  /// What was asked for.
  public var resource: ResourceID
  /// The answer.
  public var value: CatalogValue
  /// Where it came from.
  public var provenance: Provenance
  /// When it came.
  public var fetchedAt: Timestamp
  /// When it was asked for: an invalidation since then outlives it.
  public var askedAt: Timestamp

  /// Makes an answer; `askedAt` is `fetchedAt` if not given.
  public init(
    resource: ResourceID, value: CatalogValue, provenance: Provenance, fetchedAt: Timestamp,
    askedAt: Timestamp? = nil
  ) {
    self.resource = resource
    self.value = value
    self.provenance = provenance
    self.fetchedAt = fetchedAt
    self.askedAt = askedAt ?? fetchedAt
  }
}

/// What became of an answer in the store.
public struct CommitReceipt: Hashable, Sendable {
  /// The ways an answer can fare.
  public enum Outcome: String, Hashable, Sendable {
    /// There was no answer before.
    case fetched
    /// It says what the stored one says.
    case unchanged
    /// It corrected the stored one and is a new revision.
    case revised
    /// It was not stored: a recorded sample against a live answer, or nothing against something.
    case kept
  }

  /// How the answer fared.
  public var outcome: Outcome
  /// The resource's state after it; for ``Outcome/kept`` the answer that was kept.
  public var entry: StoredEntry

  /// Makes a receipt.
  public init(outcome: Outcome, entry: StoredEntry) {
    self.outcome = outcome
    self.entry = entry
  }
}

/// One row of a chart, as seen from its movie.
public struct ChartAppearance: Hashable, Sendable {
  /// The chart.
  public var period: BoxOfficePeriod
  /// What the chart is narrowed down to.
  public var filter: BoxOfficeFilter
  /// The movie's row.
  public var entry: BoxOfficeEntry

  /// Makes an appearance.
  public init(period: BoxOfficePeriod, filter: BoxOfficeFilter = .everything, entry: BoxOfficeEntry) {
    self.period = period
    self.filter = filter
    self.entry = entry
  }
}

/// The number of a sync run in its store.
public struct SyncRunID: RawRepresentable, Hashable, Sendable {
  /// The number, ascending with time.
  public let rawValue: Int64

  /// Makes a run's number.
  public init(rawValue: Int64) { self.rawValue = rawValue }
}
