import CatalogEngine
import SQLiteBinding

// The table `resource`: what was asked for, when its answer came, and what was tried.

/// A resource's row: its number, which the tables of answers refer to, and its state.
struct ResourceRow {
  var number: Int64
  var entry: StoredEntry
}

/// The columns of a record, in the order in which ``EntryRecord/init(_:from:)`` reads them.
let recordColumns = """
  resource.source, resource.fetched_at, resource.is_empty, resource.revision, resource.invalidated_at, \
  resource.last_attempt_at, resource.failure_code, resource.failure_message, resource.failure_detail, \
  resource.failed_at, resource.failure_count, resource.set_aside_until
  """
let recordColumnCount = 12

extension EntryRecord {
  /// Reads ``recordColumns``, the first of which is column `first`.
  init(_ row: borrowing Row, from first: Int) throws(StoreError) {
    do throws(SQLiteError) {
      self.init(
        fetchedAt: try row.optionalTimestamp(at: first + 1),
        provenance: try row.optionalString(at: first).map { Provenance($0) },
        isEmpty: try row.bool(at: first + 2), revision: try row.int(at: first + 3),
        invalidatedAt: try row.optionalTimestamp(at: first + 4),
        lastAttemptAt: try row.optionalTimestamp(at: first + 5), lastFailure: nil,
        consecutiveFailureCount: try row.int(at: first + 10))
      if let code = try row.optionalString(at: first + 6) {
        lastFailure = CatalogFailure(
          CatalogFailure.Code(rawValue: code), try row.optionalString(at: first + 7) ?? "",
          detail: try row.optionalString(at: first + 8), at: try row.optionalTimestamp(at: first + 9),
          setAsideUntil: try row.optionalTimestamp(at: first + 11))
      }
    } catch {
      throw StoreError(error)
    }
  }
}

extension Connection {
  func latestFetch(of upstream: UpstreamID, from provenance: Provenance) throws(StoreError) -> Timestamp? {
    try firstRow(
      "SELECT max(fetched_at) FROM resource WHERE upstream = ?1 AND source = ?2",
      [.text(upstream.name), .text(provenance.description)]
    ) { row throws(SQLiteError) in try row.optionalTimestamp(at: 0) } ?? nil
  }

  /// The row of a resource with its stored answer; `nil` if it was never asked for.
  func entry(for resource: ResourceID) throws(StoreError) -> ResourceRow? {
    if case .boxOffice(let period, let filter) = resource.subject {
      return try chartRow(of: resource, period: period, filter: filter)
    }
    guard let (number, record) = try recordRow(of: resource) else { return nil }
    let value = record.fetchedAt == nil ? nil : try self.value(of: resource, number: number)
    return ResourceRow(number: number, entry: StoredEntry(value: value, record: record))
  }

  /// The answer stored under a resource's number, of anything but a chart.
  private func value(of resource: ResourceID, number: Int64) throws(StoreError) -> CatalogValue? {
    let upstream = resource.upstream
    return switch resource.subject {
    case .boxOffice: nil
    case .movieDetails(let code):
      try movieDetails(code, resource: number).map(CatalogValue.movieDetails)
    case .personDetails(let code):
      try personDetails(code, resource: number).map(CatalogValue.personDetails)
    case .companyDetails(let code):
      try companyDetails(code, resource: number).map(CatalogValue.companyDetails)
    case .codes(let list): .codes(try codeTable(list, resource: number))
    case .page(.movies, let page):
      try self.page(page, of: upstream, resource: number).map(CatalogValue.moviePage)
    case .page(.companies, let page):
      try self.page(page, of: upstream, resource: number).map(CatalogValue.companyPage)
    case .page(.people, let page):
      try self.page(page, of: upstream, resource: number).map(CatalogValue.peoplePage)
    }
  }

  /// The row of a resource without its answer.
  func recordRow(of resource: ResourceID) throws(StoreError) -> (number: Int64, record: EntryRecord)? {
    try withStatement(
      """
      SELECT resource.resource_id, \(recordColumns) FROM resource
      WHERE upstream = ?1 AND kind = ?2 AND key = ?3
      """
    ) { statement throws(StoreError) in
      try statement.bind(resource)
      return try statement.firstRow { row throws(StoreError) in
        (try row.read { row throws(SQLiteError) in try row.int64(at: 0) }, try EntryRecord(row, from: 1))
      }
    }
  }

  func records(
    of kind: ResourceID.Kind, upstream: UpstreamID, keys: ClosedRange<String>
  ) throws(StoreError) -> [ResourceID: EntryRecord] {
    var records: [ResourceID: EntryRecord] = [:]
    try withStatement(
      """
      SELECT resource.key, \(recordColumns) FROM resource
      WHERE upstream = ?1 AND kind = ?2 AND key BETWEEN ?3 AND ?4
      """
    ) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(upstream.name, at: 1)
        try statement.bind(kind.rawValue, at: 2)
        try statement.bind(keys.lowerBound, at: 3)
        try statement.bind(keys.upperBound, at: 4)
      }
      try statement.forEachRow { row throws(StoreError) in
        let key = try row.read { row throws(SQLiteError) in try row.string(at: 0) }
        guard let subject = ResourceID.Subject(kind: kind, key: key) else { throw .unreadableKey(key, kind) }
        records[ResourceID(upstream: upstream, subject: subject)] = try EntryRecord(row, from: 1)
      }
    }
    return records
  }

  /// Enters an answer's record, and gives the resource's number.
  func saveRecord(
    of answer: FetchedAnswer, revision: Int, isRevision: Bool
  ) throws(StoreError) -> Int64 {
    let number = try withStatement(
      """
      INSERT INTO resource
        (upstream, kind, key, first_day, filter, source, fetched_at, is_empty, revision, revised_at, last_attempt_at)
      VALUES (?1, ?2, ?3, ?4, ?11, ?5, ?6, ?7, ?8, ?6, ?6)
      ON CONFLICT (upstream, kind, key) DO UPDATE SET
        source = excluded.source, fetched_at = excluded.fetched_at, is_empty = excluded.is_empty,
        revision = excluded.revision, revised_at = iif(?9, excluded.revised_at, revised_at),
        invalidated_at = iif(invalidated_at > ?10, invalidated_at, NULL), last_attempt_at = excluded.last_attempt_at,
        failure_code = NULL, failure_message = NULL, failure_detail = NULL, failed_at = NULL, failure_count = 0,
        set_aside_until = NULL
      RETURNING resource_id
      """
    ) { statement throws(StoreError) in
      try statement.bind(answer.resource)
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(answer.resource.subject.firstDay?.number, at: 4)
        try statement.bind(answer.provenance.description, at: 5)
        try statement.bind(answer.fetchedAt.millisecondsSinceEpoch, at: 6)
        try statement.bind(answer.value.isEmpty, at: 7)
        try statement.bind(revision, at: 8)
        try statement.bind(isRevision, at: 9)
        try statement.bind(answer.askedAt.millisecondsSinceEpoch, at: 10)
        try statement.bind(answer.resource.subject.filterName, at: 11)
      }
      return try statement.firstRow { row throws(StoreError) in
        try row.read { row throws(SQLiteError) in try row.int64(at: 0) }
      }
    }
    guard let number else { throw StoreError(.other, "the record of \(answer.resource) was not entered") }
    return number
  }

  func recordFailure(
    _ failure: CatalogFailure, for resource: ResourceID, at instant: Timestamp
  ) throws(StoreError) {
    try withStatement(
      """
      INSERT INTO resource
        (upstream, kind, key, first_day, filter, last_attempt_at, failure_code, failure_message, failure_detail,
        failed_at, failure_count, set_aside_until)
      VALUES (?1, ?2, ?3, ?4, ?9, ?5, ?6, ?7, ?8, ?5, 1, ?10)
      ON CONFLICT (upstream, kind, key) DO UPDATE SET
        last_attempt_at = excluded.last_attempt_at, failure_code = excluded.failure_code,
        failure_message = excluded.failure_message, failure_detail = excluded.failure_detail,
        failed_at = excluded.failed_at, failure_count = failure_count + 1, set_aside_until = excluded.set_aside_until
      """
    ) { statement throws(StoreError) in
      try statement.bind(resource)
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(resource.subject.firstDay?.number, at: 4)
        try statement.bind(instant.millisecondsSinceEpoch, at: 5)
        try statement.bind(failure.code.rawValue, at: 6)
        try statement.bind(failure.message, at: 7)
        try statement.bind(failure.detail, at: 8)
        try statement.bind(resource.subject.filterName, at: 9)
        try statement.bind(failure.setAsideUntil?.millisecondsSinceEpoch, at: 10)
        try statement.run()
      }
    }
  }

  /// Marks an answer as no longer fresh; false if there is none.
  func invalidate(_ resource: ResourceID, at instant: Timestamp) throws(StoreError) -> Bool {
    try withStatement(
      """
      UPDATE resource SET invalidated_at = ?4
      WHERE upstream = ?1 AND kind = ?2 AND key = ?3 AND fetched_at IS NOT NULL
      """
    ) { statement throws(StoreError) in
      try statement.bind(resource)
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(instant.millisecondsSinceEpoch, at: 4)
        try statement.run()
      }
    }
    return changedRowCount > 0
  }
}

extension ResourceID.Subject {
  /// The first day of a chart; `nil` for anything else.
  var firstDay: CalendarDay? {
    guard case .boxOffice(let period, _) = self else { return nil }
    return period.day
  }

  /// What a chart is narrowed down to; empty for everything, and for anything else.
  var filterName: String {
    guard case .boxOffice(_, let filter) = self, !filter.isEverything else { return "" }
    return filter.description
  }
}

extension StoreError {
  static func unreadableKey(_ key: String, _ kind: ResourceID.Kind) -> StoreError {
    StoreError(
      .corrupt, "the table resource holds the key '\(key.prefix(40))', which no \(kind.rawValue) has")
  }
}
