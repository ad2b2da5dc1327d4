internal import Glibc

/// How a database comes to be open: look, refuse or prepare, migrate.
extension Database {
  /// Opens a database and brings its schema up to date.
  ///
  /// A file that does not exist is created, readable by its owner alone; its directory must exist. One that
  /// cannot be written, or whose directory cannot, is opened for reading if its schema is the newest, and
  /// ``readOnlyReason`` says why. Refusals leave the file as it was.
  ///
  /// Blocking happens on a thread of the database, not on the caller's.
  ///
  /// - Parameter migrator: Whose database it should be; nil takes any, as it is.
  /// - Throws: `foreignDatabase`, `newerSchema`, `notADatabase`, `corrupt`, `cannotOpen` and its extensions,
  ///   `permission`, `readOnly` when it needs a migration and cannot be written, `busy` when other processes
  ///   held the write gate for ``DatabaseConfiguration/gateWaitMax``.
  package static func open(
    _ location: DatabaseLocation, migrator: Migrator? = nil,
    configuration: DatabaseConfiguration = DatabaseConfiguration()
  ) async throws(SQLiteError) -> Database {
    let deadline = ContinuousClock.now + configuration.gateWaitMax
    var name: String?
    if case .file(let path) = location { name = path }
    let writes = WriteQueue(pendingCountMax: configuration.pendingWriteCountMax, path: name)
    return try await writes.submit { isCancelled throws(SQLiteError) in
      switch location {
      case .memory:
        return try openInMemory(migrator: migrator, configuration: configuration, writes: writes)
      case .file(let path):
        let opening = FileOpening(
          file: try DatabaseFile(resolving: path), migrator: migrator, configuration: configuration,
          writes: writes)
        return try opening.open(until: deadline, isCancelled: isCancelled)
      }
    }
  }

  private static func openInMemory(
    migrator: Migrator?, configuration: DatabaseConfiguration, writes: WriteQueue
  ) throws(SQLiteError) -> Database {
    let connection = try Connection(location: .memory, configuration: configuration.connection)
    let migrationsRun = try migrator?.migrate(connection) ?? []
    connection.refusesWrites = true
    return Database(
      path: nil, readOnlyReason: nil, migrationsRun: migrationsRun, configuration: configuration,
      readers: ConnectionPool(only: connection, waitMax: configuration.readerWaitMax),
      writes: writes,
      writer: nil, watch: ChangeWatch())
  }
}

private struct FileOpening {
  let file: DatabaseFile
  let migrator: Migrator?
  let configuration: DatabaseConfiguration
  let writes: WriteQueue

  func open(until deadline: ContinuousClock.Instant, isCancelled: () -> Bool) throws(SQLiteError)
    -> Database
  {
    let presence = try file.presence()
    if presence != .absent, let refusal = DatabaseFile.refusal(of: R_OK, to: file.path) {
      throw SQLiteError(
        code: .permission, message: "the database file cannot be read: \(refusal)", path: file.path)
    }
    if let reason = reasonNotToWrite(presence) {
      return try openForReading(because: reason, presence)
    }
    if let migrator {
      try DatabaseProbe(file: file, configuration: configuration.connection).check(migrator)
    }
    return try openForWriting(until: deadline, isCancelled: isCancelled)
  }

  private func reasonNotToWrite(_ presence: DatabaseFile.Presence) -> String? {
    if presence != .absent, let refusal = DatabaseFile.refusal(of: W_OK, to: file.path) {
      return "the file cannot be written (\(refusal))"
    }
    // The log, its index and the gate are made in the directory.
    if let refusal = DatabaseFile.refusal(of: W_OK | X_OK, to: file.directory) {
      return "the directory \(file.directory) cannot be written (\(refusal))"
    }
    return nil
  }

  private func openForReading(because reason: String, _ presence: DatabaseFile.Presence)
    throws(SQLiteError) -> Database
  {
    guard presence != .absent else {
      throw SQLiteError(
        code: .cannotOpen, message: "the database does not exist and cannot be made: \(reason)",
        path: file.path)
    }
    let mode = file.modeWhereNothingCanBeMade
    let watcher = try connect(mode)
    if let migrator {
      let version = try migrator.check(watcher)
      guard version == migrator.latestVersion else {
        throw SQLiteError(
          code: .readOnly,
          message:
            "the database has schema version \(version), needs \(migrator.latestVersion), and "
            + "cannot be migrated: \(reason)",
          path: file.path)
      }
    }
    return Database(
      path: file.path, readOnlyReason: reason, migrationsRun: [], configuration: configuration,
      readers: pool(mode), writes: writes, writer: nil, watch: ChangeWatch(file: watcher))
  }

  private func openForWriting(until deadline: ContinuousClock.Instant, isCancelled: () -> Bool)
    throws(SQLiteError) -> Database
  {
    let gate = WriteGate(file: file)
    // Going over to write-ahead logging and migrating are writes.
    var migrationsRun: [Migration] = []
    var connection: Connection?
    try gate.withLock(until: deadline, isCancelled: isCancelled) { () throws(SQLiteError) in
      let opened = try Connection(
        location: .file(file.path), mode: .readWrite, configuration: configuration.connection
      ) { connection throws(SQLiteError) in
        try migrator?.check(connection)
      }
      migrationsRun = try migrator?.migrate(opened) ?? []
      connection = opened
    }
    guard let connection else { throw .closed(path: file.path) }
    let watcher = try connect(.readOnly)
    return Database(
      path: file.path, readOnlyReason: nil, migrationsRun: migrationsRun,
      configuration: configuration,
      readers: pool(.readOnly), writes: writes,
      writer: FileWriter(
        connection: connection, gate: gate, path: file.path,
        checkpointByteCount: configuration.checkpointByteCount,
        schemaVersionMax: migrator?.latestVersion),
      watch: ChangeWatch(file: watcher))
  }

  private func pool(_ mode: ConnectionMode) -> ConnectionPool {
    ConnectionPool(
      countMax: configuration.readerCountMax, waitMax: configuration.readerWaitMax, path: file.path
    ) { [file, configuration] () throws(SQLiteError) in
      try Connection(
        location: .file(file.path), mode: mode, configuration: configuration.connection)
    }
  }

  private func connect(_ mode: ConnectionMode) throws(SQLiteError) -> Connection {
    try Connection(location: .file(file.path), mode: mode, configuration: configuration.connection)
  }
}
