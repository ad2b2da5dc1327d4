internal import SystemSQLite

/// A compiled statement: the one owner of its handle.
final class PreparedStatement {
  let handle: OpaquePointer
  let sql: String
  let columnCount: Int
  let parameterCount: Int
  /// Whether running it leaves the database as it is.
  let isReadOnly: Bool

  fileprivate(set) var isLent = true
  fileprivate var isCached = false
  /// The cache's count of leases when this one was last lent.
  fileprivate var lastLease: UInt64 = 0

  init(handle: OpaquePointer, sql: String) {
    self.handle = handle
    self.sql = sql
    columnCount = Int(sqlite3_column_count(handle))
    parameterCount = Int(sqlite3_bind_parameter_count(handle))
    isReadOnly = sqlite3_stmt_readonly(handle) != 0
  }

  deinit {
    sqlite3_finalize(handle)
  }
}

/// The prepared statements of one connection, by their text.
///
/// The cache owns the handles; a ``Statement`` has one on loan. At most `countMax` are kept, the one lent
/// longest ago going first; one on loan never goes. When there is no room, or the text is on loan already,
/// the newcomer stays outside and ends with its lease.
final class StatementCache {
  private let countMax: Int
  private var statements: [String: PreparedStatement] = [:]
  private var leaseCount: UInt64 = 0

  init(countMax: Int) {
    precondition(countMax >= 0)
    self.countMax = countMax
  }

  var count: Int { statements.count }

  /// Lends the statement with this text; nil when it is not here or already lent.
  func take(_ sql: String) -> PreparedStatement? {
    guard let prepared = statements[sql], !prepared.isLent else { return nil }
    leaseCount &+= 1
    prepared.isLent = true
    prepared.lastLease = leaseCount
    return prepared
  }

  /// Keeps a statement that was just prepared and is on loan, if there is room.
  func insert(_ prepared: PreparedStatement) {
    guard countMax > 0, statements[prepared.sql] == nil else { return }
    if statements.count >= countMax {
      let idle = statements.values.lazy.filter { !$0.isLent }
      guard let oldest = idle.min(by: { $0.lastLease < $1.lastLease }) else { return }
      statements[oldest.sql] = nil
    }
    leaseCount &+= 1
    prepared.lastLease = leaseCount
    prepared.isCached = true
    statements[prepared.sql] = prepared
  }

  /// Ends a loan.
  func putBack(_ prepared: PreparedStatement) {
    // One outside the cache is finalized as its last reference goes, with the lease.
    guard prepared.isCached else { return }
    sqlite3_reset(prepared.handle)
    // Else the cache would keep the values, and whatever they take, for as long as the statement.
    if prepared.parameterCount > 0 { sqlite3_clear_bindings(prepared.handle) }
    prepared.isLent = false
  }

  func removeAll() {
    statements.removeAll()
  }
}
