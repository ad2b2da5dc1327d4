internal import SystemSQLite

extension Connection {
  static var commonFlags: Int32 {
    SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
  }

  static var createFlags: Int32 {
    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
  }

  static func openHandle(file: DatabaseFile, mode: ConnectionMode) throws(SQLiteError)
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
      let isNew = DatabaseFile.presence(ofSideFile: file.path) == .absent
      let handle = try openHandle(uri, flags: flags | createFlags, path: file.path)
      if isNew { RootOwnership.hand(newDatabase: file.path) }
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
    case .scratch:
      return try openHandle(
        file.uri(parameters: []), flags: flags | SQLITE_OPEN_READWRITE, path: file.path)
    }
  }

  static func openHandle(_ name: String, flags: Int32, path: String?) throws(SQLiteError)
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

  func configure() throws(SQLiteError) {
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

  func leaveDurabilityToOwner() throws(SQLiteError) {
    try execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE")
  }

  func enterWriteAheadLogging() throws(SQLiteError) {
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

extension Duration {
  /// Milliseconds, rounded down.
  var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}
