public import CatalogEngine
import MovieMigrations
import SQLiteBinding

/// A ``MovieStore`` in a SQLite file, or in memory, with the same behaviour in both.
///
/// Reads run on the caller's thread, each over one consistent snapshot; writes run one at a time off the cooperative
/// pool, each in one transaction.
public final class SQLiteMovieStore: MovieStore {
  let database: Database
  private let ledgerNote: LedgerNote?

  /// Where a store lies.
  public enum Location: Hashable, Sendable {
    /// The SQLite file at a path, made with mode 0600 if it is not there; its folder must exist.
    case file(String)
    /// Memory: gone when the store is closed. The same store otherwise, for tests and trials.
    case inMemory
  }

  /// Opens the store, makes or migrates its schema, and checks that the file is this application's.
  ///
  /// Two processes may open one new file at once. A file of another application or of a newer version is refused and
  /// left untouched.
  ///
  /// - Throws: ``StoreError``.
  public init(_ location: Location) async throws(StoreError) {
    let place: DatabaseLocation =
      switch location {
      case .file(let path): .file(path)
      case .inMemory: .memory
      }
    do throws(SQLiteError) {
      database = try await Database.open(place, migrator: .movies)
    } catch {
      throw StoreError(error)
    }
    ledgerNote = database.gateNote.map { LedgerNote(note: $0) }
    try await bringLedgerUpToDate()
  }

  /// Enters the calls that are noted beside the database and not in its ledger, which is so with an older copy.
  private func bringLedgerUpToDate() async throws(StoreError) {
    guard let lines = ledgerNote?.lines, !lines.isEmpty else { return }
    let missing = try database.read { connection throws(StoreError) in
      var missing: [LedgerNote.Line] = []
      for line in lines
      where try connection.quotaUse(of: line.upstream, on: line.day).usedCount < line.usedCount {
        missing.append(line)
      }
      return missing
    }
    guard !missing.isEmpty else { return }
    try await database.write { connection throws(StoreError) in
      for line in missing { try connection.raiseUse(of: line.upstream, on: line.day, to: line.usedCount) }
    }
  }

  /// Notes beside the database what its ledger says of some days, which the transaction under way has charged.
  private func noteLedger(
    of upstream: UpstreamID, on days: [CalendarDay?], _ connection: Connection
  ) throws(StoreError) {
    guard let ledgerNote else { return }
    for case let day? in days {
      ledgerNote.raise(upstream, on: day, to: try connection.quotaUse(of: upstream, on: day).usedCount)
    }
  }

  public func entry(for resource: ResourceID) async throws(StoreError) -> StoredEntry? {
    switch resource.subject {
    case .boxOffice(let period, let filter):
      try database.readOne { connection throws(StoreError) in
        try connection.chartRow(of: resource, period: period, filter: filter)?.entry
      }
    case .movieDetails, .personDetails, .companyDetails, .codes, .page:
      try database.read { connection throws(StoreError) in try connection.entry(for: resource)?.entry }
    }
  }

  public func record(for resource: ResourceID) async throws(StoreError) -> EntryRecord? {
    try database.readOne { connection throws(StoreError) in
      try connection.recordRow(of: resource)?.record
    }
  }

  public func records(
    of kind: ResourceID.Kind, upstream: UpstreamID, keys: ClosedRange<String>
  ) async throws(StoreError) -> [ResourceID: EntryRecord] {
    try database.read { connection throws(StoreError) in
      try connection.records(of: kind, upstream: upstream, keys: keys)
    }
  }

  public func latestFetch(
    of upstream: UpstreamID, from provenance: Provenance
  ) async throws(StoreError) -> Timestamp? {
    try database.readOne { connection throws(StoreError) in
      try connection.latestFetch(of: upstream, from: provenance)
    }
  }

  public func commit(
    _ answer: FetchedAnswer, in run: SyncRunID?, settling ticket: CallTicket?
  ) async throws(StoreError) -> CommitReceipt {
    try await database.write { [self] connection throws(StoreError) in
      try connection.requireLease(of: ticket)
      if let ticket {
        try connection.settleSuccess(ticket, of: answer.resource.upstream)
        try noteLedger(of: answer.resource.upstream, on: [ticket.turnedTo], connection)
      }
      return try connection.commit(answer, in: run)
    }
  }

  @discardableResult
  public func recordFailure(
    _ failure: CatalogFailure, for resource: ResourceID, at instant: Timestamp, in run: SyncRunID?,
    settling ticket: CallTicket?
  ) async throws(StoreError) -> BreakerState? {
    try await database.write { [self] connection throws(StoreError) in
      try connection.requireLease(of: ticket)
      let mayBeLeftOut = run == nil && failure.isUnknownCode
      let isKnown = mayBeLeftOut ? try connection.recordRow(of: resource) != nil : true
      if isKnown { try connection.recordFailure(failure, for: resource, at: instant) }
      if let run { try connection.count(.failed, in: run) }
      guard let ticket else { return nil }
      let breaker = try connection.settle(failure, ticket, of: resource.upstream, at: instant)
      try noteLedger(of: resource.upstream, on: [ticket.charge?.day, ticket.turnedTo], connection)
      return breaker
    }
  }

  public func admit(_ request: CallRequest) async throws(StoreError) -> CallAdmission {
    try await database.write { [self] connection throws(StoreError) in
      let admission = try connection.admit(request)
      if case .admitted = admission {
        try noteLedger(of: request.resource.upstream, on: [request.charge?.day], connection)
      }
      return admission
    }
  }

  public func grantLease(_ request: LeaseRequest) async throws(StoreError) -> LeaseGrant {
    try await database.write { connection throws(StoreError) in try connection.grantLease(request) }
  }

  public func endLease(_ lease: Lease) async throws(StoreError) {
    try await database.write { connection throws(StoreError) in try connection.endLease(lease) }
  }

  public func quotaUse(of upstream: UpstreamID, on day: CalendarDay) async throws(StoreError) -> QuotaUse {
    try database.read { connection throws(StoreError) in try connection.quotaUse(of: upstream, on: day) }
  }

  public func breaker(of upstream: UpstreamID) async throws(StoreError) -> BreakerState {
    try database.read { connection throws(StoreError) in try connection.breaker(of: upstream) }
  }

  @discardableResult
  public func invalidate(_ resource: ResourceID, at instant: Timestamp) async throws(StoreError) -> Bool {
    try await database.write { connection throws(StoreError) in
      try connection.invalidate(resource, at: instant)
    }
  }

  public func appearances(
    of movie: MovieCode, upstream: UpstreamID, limit: Int
  ) async throws(StoreError) -> [ChartAppearance] {
    try database.read { connection throws(StoreError) in
      try connection.appearances(of: movie, upstream: upstream, limit: limit)
    }
  }

  public func moviesWithoutDetails(
    in days: ClosedRange<CalendarDay>, upstream: UpstreamID, from provenance: Provenance?, at now: Timestamp
  ) async throws(StoreError) -> MissingDetails {
    try database.read { connection throws(StoreError) in
      try connection.moviesWithoutDetails(in: days, upstream: upstream, from: provenance, at: now)
    }
  }

  public func beginRun(at instant: Timestamp, planned: Int) async throws(StoreError) -> SyncRunID {
    try await database.write { connection throws(StoreError) in
      try connection.beginRun(at: instant, planned: planned)
    }
  }

  public func endRun(_ run: StoreSummary.Run) async throws(StoreError) {
    try await database.write { connection throws(StoreError) in
      try connection.endRun(run)
    }
  }

  public func summary(upstream: UpstreamID, failureLimit: Int) async throws(StoreError) -> StoreSummary {
    var summary = try database.read { connection throws(StoreError) in
      try connection.summary(upstream: upstream, failureLimit: failureLimit)
    }
    summary.byteCount += Int64(database.writeAheadLogStatus.byteCount)
    return summary
  }

  public func prune(_ request: PruneRequest, limit: Int) async throws(StoreError) -> PruneCount {
    let count = try await database.write { connection throws(StoreError) in
      try connection.prune(request, limit: limit)
    }
    if count.total > 0 { await database.giveWay() }
    return count
  }

  public func prunable(_ request: PruneRequest) async throws(StoreError) -> PruneCount {
    try database.read { connection throws(StoreError) in try connection.prunable(request) }
  }

  public func reclaimSpace(rewriting rewrites: Bool) async throws(StoreError) -> StoreSpace {
    do throws(SQLiteError) {
      if rewrites { try await database.vacuum() }
      let report = try await database.checkpoint()
      let header = try database.readOne { connection throws(SQLiteError) in try connection.header() }
      return StoreSpace(
        byteCount: Int64(header.pageCount) * Int64(header.pageSize) + Int64(report.walByteCount),
        freeByteCount: Int64(header.freePageCount) * Int64(header.pageSize))
    } catch {
      throw StoreError(error)
    }
  }

  public func close() async {
    await database.close()
  }
}

extension Migrator {
  /// What brings a file to this build's schema, and refuses one that is not this application's.
  static var movies: Migrator {
    Migrator(
      applicationID: MovieMigrations.applicationID,
      migrations: MovieMigrations.steps.map { Migration(version: $0.version, name: $0.name, sql: $0.sql) })
  }
}
