import HTTPTransport
import Matinee

/// A store that fails where it is told to, over one in memory.
final class FailingStore: MovieStore {
  /// What fails.
  enum Operation: Hashable, Sendable { case entry, record, commit, recordFailure, beginRun, admit, prune }

  let store: SQLiteMovieStore
  private let failing: LockedValue<[Operation: StoreError]>

  init(_ store: SQLiteMovieStore, failing: [Operation: StoreError]) {
    self.store = store
    self.failing = LockedValue(failing)
  }

  func mend() { failing.withLock { $0 = [:] } }

  func fail(_ operation: Operation, with error: StoreError) { failing.withLock { $0[operation] = error } }

  private func check(_ operation: Operation) throws(StoreError) {
    if let error = failing.withLock({ $0[operation] }) { throw error }
  }

  func entry(for resource: ResourceID) async throws(StoreError) -> StoredEntry? {
    try check(.entry)
    return try await store.entry(for: resource)
  }

  func record(for resource: ResourceID) async throws(StoreError) -> EntryRecord? {
    try check(.record)
    return try await store.record(for: resource)
  }

  func records(
    of kind: ResourceID.Kind, upstream: UpstreamID, keys: ClosedRange<String>
  ) async throws(StoreError) -> [ResourceID: EntryRecord] {
    try await store.records(of: kind, upstream: upstream, keys: keys)
  }

  func commit(
    _ answer: FetchedAnswer, in run: SyncRunID?, settling ticket: CallTicket?
  ) async throws(StoreError) -> CommitReceipt {
    try check(.commit)
    return try await store.commit(answer, in: run, settling: ticket)
  }

  func recordFailure(
    _ failure: CatalogFailure, for resource: ResourceID, at instant: Timestamp, in run: SyncRunID?,
    settling ticket: CallTicket?
  ) async throws(StoreError) -> BreakerState? {
    try check(.recordFailure)
    return try await store.recordFailure(failure, for: resource, at: instant, in: run, settling: ticket)
  }

  func admit(_ request: CallRequest) async throws(StoreError) -> CallAdmission {
    try check(.admit)
    return try await store.admit(request)
  }

  func grantLease(_ request: LeaseRequest) async throws(StoreError) -> LeaseGrant {
    try await store.grantLease(request)
  }

  func endLease(_ lease: Lease) async throws(StoreError) { try await store.endLease(lease) }

  func quotaUse(of upstream: UpstreamID, on day: CalendarDay) async throws(StoreError) -> QuotaUse {
    try await store.quotaUse(of: upstream, on: day)
  }

  func breaker(of upstream: UpstreamID) async throws(StoreError) -> BreakerState {
    try await store.breaker(of: upstream)
  }

  func latestFetch(
    of upstream: UpstreamID, from provenance: Provenance
  ) async throws(StoreError) -> Timestamp? { try await store.latestFetch(of: upstream, from: provenance) }

  func invalidate(_ resource: ResourceID, at instant: Timestamp) async throws(StoreError) -> Bool {
    try await store.invalidate(resource, at: instant)
  }

  func appearances(
    of movie: MovieCode, upstream: UpstreamID, limit: Int
  ) async throws(StoreError) -> [ChartAppearance] {
    try await store.appearances(of: movie, upstream: upstream, limit: limit)
  }

  func moviesWithoutDetails(
    in days: ClosedRange<CalendarDay>, upstream: UpstreamID, from provenance: Provenance?, at now: Timestamp
  ) async throws(StoreError) -> MissingDetails {
    try await store.moviesWithoutDetails(in: days, upstream: upstream, from: provenance, at: now)
  }

  func generation(
    of list: CatalogList, upstream: UpstreamID
  ) async throws(StoreError) -> ListGeneration? { try await store.generation(of: list, upstream: upstream) }

  func beginGeneration(
    of list: CatalogList, upstream: UpstreamID, at instant: Timestamp
  ) async throws(StoreError) -> ListGeneration {
    try await store.beginGeneration(of: list, upstream: upstream, at: instant)
  }

  func changes(
    _ query: ChangeQuery, upstream: UpstreamID
  ) async throws(StoreError) -> [CatalogChange] { try await store.changes(query, upstream: upstream) }

  func movies(
    _ query: ListingQuery, upstream: UpstreamID
  ) async throws(StoreError) -> Listing<KnownMovie> { try await store.movies(query, upstream: upstream) }

  func people(
    _ query: ListingQuery, upstream: UpstreamID
  ) async throws(StoreError) -> Listing<KnownPerson> { try await store.people(query, upstream: upstream) }

  func companies(
    _ query: ListingQuery, upstream: UpstreamID
  ) async throws(StoreError) -> Listing<KnownCompany> {
    try await store.companies(query, upstream: upstream)
  }

  func runs(limit: Int) async throws(StoreError) -> [StoreSummary.Run] {
    try await store.runs(limit: limit)
  }

  func beginRun(at instant: Timestamp, planned: Int) async throws(StoreError) -> SyncRunID {
    try check(.beginRun)
    return try await store.beginRun(at: instant, planned: planned)
  }

  func endRun(_ run: StoreSummary.Run) async throws(StoreError) { try await store.endRun(run) }

  func summary(upstream: UpstreamID, failureLimit: Int) async throws(StoreError) -> StoreSummary {
    try await store.summary(upstream: upstream, failureLimit: failureLimit)
  }

  func prune(_ request: PruneRequest, limit: Int) async throws(StoreError) -> PruneCount {
    try check(.prune)
    return try await store.prune(request, limit: limit)
  }

  func prunable(_ request: PruneRequest) async throws(StoreError) -> PruneCount {
    try await store.prunable(request)
  }

  func reclaimSpace(rewriting rewrites: Bool) async throws(StoreError) -> StoreSpace {
    try await store.reclaimSpace(rewriting: rewrites)
  }

  func close() async { await store.close() }
}
