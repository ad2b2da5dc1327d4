internal import SystemSQLite

/// How a connection may use its database.
package enum ConnectionMode: Hashable, Sendable {
  /// Reads and writes; a file that does not exist is created, readable by its owner alone.
  case readWrite
  /// Reads a file that exists.
  case readOnly
  /// Reads a file that nothing changes while it is open, without locks and without its log.
  ///
  /// Only for a file whose directory cannot be written and that has no write-ahead log: what the log
  /// holds would be missing from every answer.
  case immutable
  /// Reads and writes an empty file that nobody else knows of, without a log.
  ///
  /// Whoever made the file brings it to the disk: this leaves nothing that a crash could be recovered from.
  case scratch
}

/// One open database handle and the prepared statements that belong to it.
///
/// The connection owns the handle and closes it when it is released; every ``Statement`` lent from it keeps
/// it alive. It is not `Sendable`: one thread at a time, which its owner (a ``Database``, or the scope that
/// opened it) sees to. SQLite's own mutexes are off for that reason (`SQLITE_OPEN_NOMUTEX`).
///
/// A connection in `readWrite` mode takes no part in the ``WriteGate`` by itself; a ``Database`` does.
package final class Connection {
  /// How the database was opened.
  package let mode: ConnectionMode
  /// The resolved path of the file, or nil in memory.
  package let path: String?
  /// While true, a statement that would write is refused as `readOnly`, whatever the mode.
  ///
  /// A database in memory has one connection for readers and the writer; this makes its readers readers.
  var refusesWrites = false

  let handle: OpaquePointer
  let cache: StatementCache
  /// By the raw value of their ``TransactionControl``.
  private var controls: [PreparedStatement] = []
  private var isClosed = false
  let configuration: ConnectionConfiguration

  /// Opens a database and applies every setting this layer relies on.
  ///
  /// - Throws: `cannotOpen` (or an extension of it) when the file cannot be opened, `notADatabase` or
  ///   `corrupt` when it is none, `readOnly` when `readWrite` was asked for and the file cannot be written.
  package convenience init(
    location: DatabaseLocation, mode: ConnectionMode = .readWrite,
    configuration: ConnectionConfiguration = ConnectionConfiguration()
  ) throws(SQLiteError) {
    try self.init(location: location, mode: mode, configuration: configuration) {
      _ throws(SQLiteError) in
    }
  }

  /// Opens a database as above, and lets `check` read it before anything is written to it.
  init(
    location: DatabaseLocation, mode: ConnectionMode, configuration: ConnectionConfiguration,
    check: (Connection) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    try LibraryRequirement.check()
    self.mode = mode
    self.configuration = configuration
    cache = StatementCache(countMax: configuration.cachedStatementCountMax)
    switch location {
    case .memory:
      path = nil
      handle = try Self.openHandle(
        ":memory:", flags: Self.commonFlags | Self.createFlags, path: nil)
    case .file(let name):
      let file = try DatabaseFile(resolving: name)
      // For the clear errors; SQLITE_OPEN_NOFOLLOW refuses a link that appears after this look.
      _ = try file.presence()
      path = file.path
      handle = try Self.openHandle(file: file, mode: mode)
    }
    try configure()
    try prepareControls()
    try check(self)
    if mode == .readWrite, path != nil { try enterWriteAheadLogging() }
    if mode == .scratch { try leaveDurabilityToOwner() }
  }

  deinit {
    close()
  }

  /// Closes the handle now, rather than with the last reference; the connection is of no use after it.
  ///
  /// Only for the owner, when no statement is lent.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    cache.removeAll()
    controls.removeAll()
    // v2: were a statement lent after all, the handle would end with it, not under it.
    sqlite3_close_v2(handle)
  }
}

extension Connection {
  /// The statement that begins or ends a transaction.
  func prepared(_ control: TransactionControl) -> PreparedStatement {
    controls[control.rawValue]
  }

  /// Prepares them all at once: out of memory, a ROLLBACK that is yet to be prepared could not be.
  private func prepareControls() throws(SQLiteError) {
    for control in TransactionControl.allCases { controls.append(try prepare(control.sql)) }
  }

  /// Rows the latest INSERT, UPDATE or DELETE changed.
  package var changedRowCount: Int {
    Int(sqlite3_changes64(handle))
  }

  /// The rowid of the latest INSERT that succeeded, or 0.
  package var lastInsertedRowID: Int64 {
    sqlite3_last_insert_rowid(handle)
  }

  /// Whether a transaction is open.
  package var isInTransaction: Bool {
    sqlite3_get_autocommit(handle) == 0
  }

  /// Prepared statements in the cache now.
  package var cachedStatementCount: Int {
    cache.count
  }

  /// Whether the file was renamed or deleted since it was opened.
  var fileHasMoved: Bool {
    system_sqlite3_has_moved(handle) != 0
  }

  func error(_ resultCode: Int32, sql: String?) -> SQLiteError {
    SQLiteError(resultCode: resultCode, connection: handle, sql: sql, path: path)
  }
}
