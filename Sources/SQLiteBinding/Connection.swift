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
  private let cache: StatementCache
  private var isClosed = false
  private let configuration: ConnectionConfiguration

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
    try check(self)
    if mode == .readWrite, path != nil { try enterWriteAheadLogging() }
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
    // v2: were a statement lent after all, the handle would end with it, not under it.
    sqlite3_close_v2(handle)
  }
}

// MARK: - Opening

extension Connection {
  private static var commonFlags: Int32 {
    SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
  }

  private static var createFlags: Int32 {
    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
  }

  private static func openHandle(file: DatabaseFile, mode: ConnectionMode) throws(SQLiteError)
    -> OpaquePointer
  {
    let flags = commonFlags | SQLITE_OPEN_URI | SQLITE_OPEN_NOFOLLOW
    switch mode {
    case .readWrite:
      // SQLite creates files 0644 less the umask. `modeof` has it copy the gate's 0600 instead, and the log
      // and its index take theirs from the database. Creating the file here and closing it again would drop
      // every lock this process holds on it (fcntl(2)).
      try WriteGate.createSideFile(at: file.gatePath, databasePath: file.path)
      let uri = file.uri(parameters: [("modeof", file.gatePath)])
      let handle = try openHandle(uri, flags: flags | createFlags, path: file.path)
      // Where writing is not allowed SQLite opens for reading and says nothing.
      if sqlite3_db_readonly(handle, "main") == 1 {
        sqlite3_close_v2(handle)
        throw SQLiteError(
          code: .readOnly, message: "the database file cannot be written", path: file.path)
      }
      return handle
    case .readOnly:
      return try openHandle(
        file.uri(parameters: []), flags: flags | SQLITE_OPEN_READONLY, path: file.path)
    case .immutable:
      return try openHandle(
        file.uri(parameters: [("immutable", "1")]), flags: flags | SQLITE_OPEN_READONLY,
        path: file.path)
    }
  }

  private static func openHandle(_ name: String, flags: Int32, path: String?) throws(SQLiteError)
    -> OpaquePointer
  {
    var handle: OpaquePointer?
    let resultCode = sqlite3_open_v2(name, &handle, flags, nil)
    guard resultCode == SQLITE_OK, let handle else {
      let error = SQLiteError(resultCode: resultCode, connection: handle, sql: nil, path: path)
      // SQLite makes a handle even when it cannot open the file, to carry the error.
      sqlite3_close_v2(handle)
      throw error
    }
    return handle
  }

  private func configure() throws(SQLiteError) {
    sqlite3_extended_result_codes(handle, 1)
    setBusyTimeout(configuration.busyTimeout)
    for (option, isOn) in Self.switches {
      let resultCode = system_sqlite3_db_config_switch(handle, option, isOn ? 1 : 0)
      guard resultCode == SQLITE_OK else { throw error(resultCode, sql: nil) }
    }
    // Checkpoints are explicit and under the gate; see WriteGate.
    sqlite3_wal_autocheckpoint(handle, 0)
  }

  /// https://sqlite.org/c3ref/c_dbconfig_defensive.html
  private static let switches: [(option: Int32, isOn: Bool)] = [
    // Closing the last connection would checkpoint outside the gate.
    (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
    (SQLITE_DBCONFIG_DEFENSIVE, true),
    // A schema is data of the file, and a file may come from anyone.
    (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
    (SQLITE_DBCONFIG_ENABLE_FKEY, true),
    // A misspelt "column" is an error, not a string.
    (SQLITE_DBCONFIG_DQS_DML, false),
    (SQLITE_DBCONFIG_DQS_DDL, false),
  ]

  private func setBusyTimeout(_ timeout: Duration) {
    sqlite3_busy_timeout(handle, Int32(clamping: timeout.wholeMilliseconds))
  }

  private func enterWriteAheadLogging() throws(SQLiteError) {
    // FULL: in WAL mode NORMAL may lose the latest commits at a power cut, and the quota ledger must not
    // roll back.
    try execute("PRAGMA synchronous = FULL")
    let journalMode = try firstValue("PRAGMA journal_mode = WAL") { row throws(SQLiteError) in
      try row.string(at: 0)
    }
    guard journalMode == "wal" else {
      throw SQLiteError(
        code: .cannotOpen,
        message: "the file system does not support write-ahead logging (journal mode stayed "
          + "\(journalMode ?? "unknown")); keep the database on a local disk",
        path: path)
    }
  }

  /// Runs `body` without waiting for locks.
  func withoutBusyTimeout<Result>(_ body: () -> Result) -> Result {
    setBusyTimeout(.zero)
    defer { setBusyTimeout(configuration.busyTimeout) }
    return body()
  }
}

// MARK: - Statements

extension Connection {
  /// Lends the prepared form of one SQL statement for the time of `body`.
  ///
  /// The cache keeps the handle, so a text used again costs a look-up. The lease ends with `body`: the
  /// statement is reset and its bindings cleared, whatever happened. The same text may be lent again
  /// inside `body`; the inner lease then has a handle of its own, finalized at its end.
  ///
  /// - Parameters:
  ///   - sql: Exactly one statement; values go in as parameters (`?1`), never into the text.
  ///   - body: States its error type: `{ statement throws(SQLiteError) in … }`.
  /// - Throws: `error` for SQL that SQLite does not understand, `misuse` for none or more than one
  ///   statement, `readOnly` for a write where only reads are allowed, or what `body` throws.
  package func withStatement<Result, Failure: SQLiteErrorConvertible>(
    _ sql: String, _ body: (inout Statement) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var statement: Statement
    do throws(SQLiteError) {
      statement = try lease(sql)
    } catch {
      throw Failure(error)
    }
    return try body(&statement)
  }

  private func lease(_ sql: String) throws(SQLiteError) -> Statement {
    let prepared: PreparedStatement
    if let cached = cache.take(sql) {
      prepared = cached
    } else {
      prepared = try prepare(sql)
      cache.insert(prepared)
    }
    let statement = Statement(prepared: prepared, connection: self)
    if refusesWrites, !prepared.isReadOnly {
      throw SQLiteError(
        code: .readOnly, message: "a statement that writes was used to read", sql: sql, path: path)
    }
    return statement
  }

  /// Ends a lease; called by ``Statement`` alone.
  func endLease(of prepared: PreparedStatement) {
    cache.putBack(prepared)
  }

  private func prepare(_ sql: String) throws(SQLiteError) -> PreparedStatement {
    var sql = sql
    var resultCode = SQLITE_OK
    var handle: OpaquePointer?
    let hasMore = sql.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) { text in
        var tail: UnsafePointer<CChar>?
        resultCode = sqlite3_prepare_v3(
          self.handle, text.baseAddress, Int32(clamping: text.count),
          UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &tail)
        guard resultCode == SQLITE_OK, handle != nil, let tail, let start = text.baseAddress else {
          return false
        }
        return isFollowed(UnsafeBufferPointer(start: tail, count: text.count - (tail - start)))
      }
    }
    guard resultCode == SQLITE_OK else { throw error(resultCode, sql: sql) }
    guard let handle, !hasMore else {
      sqlite3_finalize(handle)
      throw SQLiteError(
        code: .misuse, message: "exactly one SQL statement is expected", sql: sql, path: path)
    }
    return PreparedStatement(handle: handle, sql: sql)
  }

  /// Whether anything but blanks and comments follows a statement.
  private func isFollowed(_ tail: UnsafeBufferPointer<CChar>) -> Bool {
    guard !tail.isEmpty else { return false }
    var next: OpaquePointer?
    let resultCode = sqlite3_prepare_v3(
      handle, tail.baseAddress, Int32(clamping: tail.count), 0, &next, nil)
    sqlite3_finalize(next)
    return resultCode != SQLITE_OK || next != nil
  }

  /// Runs every statement of a script once, in order, ignoring the rows they give.
  ///
  /// - Throws: The first failure; what ran before it stays done, unless a transaction is around it.
  package func execute(_ script: String) throws(SQLiteError) {
    var script = script
    var offset = 0
    while let statement = try nextStatement(of: &script, offset: &offset) {
      defer { sqlite3_finalize(statement) }
      if refusesWrites, sqlite3_stmt_readonly(statement) == 0 {
        throw SQLiteError(
          code: .readOnly, message: "a statement that writes was used to read", sql: script,
          path: path)
      }
      var resultCode = sqlite3_step(statement)
      while resultCode == SQLITE_ROW { resultCode = sqlite3_step(statement) }
      guard resultCode == SQLITE_DONE else {
        throw error(resultCode, sql: String(cString: sqlite3_sql(statement)))
      }
    }
  }

  /// Compiles the statement at `offset` and moves `offset` past it; nil at the end of the script.
  private func nextStatement(of script: inout String, offset: inout Int) throws(SQLiteError)
    -> OpaquePointer?
  {
    var statement: OpaquePointer?
    var resultCode = SQLITE_OK
    script.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) { text in
        // Blanks and comments compile to no statement; what follows them may.
        while offset < text.count, statement == nil, resultCode == SQLITE_OK {
          let rest = UnsafeBufferPointer(rebasing: text[offset...])
          var tail: UnsafePointer<CChar>?
          resultCode = sqlite3_prepare_v3(
            handle, rest.baseAddress, Int32(clamping: rest.count), 0, &statement, &tail)
          guard let tail, let start = rest.baseAddress, tail > start else { break }
          offset += tail - start
        }
      }
    }
    guard resultCode == SQLITE_OK else { throw error(resultCode, sql: script) }
    return statement
  }

  /// Runs a statement without parameters and decodes its first row; nil when it gives none.
  package func firstValue<Value, Failure: SQLiteErrorConvertible>(
    _ sql: String, _ decode: (borrowing Row) throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    try withStatement(sql) { statement throws(Failure) in
      try statement.firstRow(decode)
    }
  }
}

// MARK: - State

extension Connection {
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

extension Duration {
  /// Milliseconds, rounded down.
  var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}
