/// One step of a schema, forward only.
package struct Migration: Hashable, Sendable {
  /// The `user_version` the database has after it; from 1.
  package let version: Int
  /// What people call it, in errors.
  package let name: String
  /// A script without transaction control.
  package let sql: String

  package init(version: Int, name: String, sql: String) {
    precondition(version >= 1 && version <= Int32.max, "user_version holds 1 to \(Int32.max)")
    self.version = version
    self.name = name
    self.sql = sql
  }
}

/// Brings a database to the newest schema, and refuses one that is not ours or is newer than we are.
///
/// The file says whose it is by `application_id`, and which schema it has by `user_version`. Each migration
/// and its `user_version` commit in one transaction: a crash leaves the version before or the one after, and
/// the next start goes on from there. The version is read again inside each transaction, after the write lock
/// was had, so any number of processes may start at once.
package struct Migrator: Sendable {
  /// What `PRAGMA application_id` is in our files; never 0, which is everyone's.
  package let applicationID: Int32
  /// By ascending version.
  package let migrations: [Migration]

  package init(applicationID: Int32, migrations: [Migration]) {
    precondition(applicationID != 0, "0 is the application_id of every file that has none")
    precondition(
      zip(migrations, migrations.dropFirst()).allSatisfy { $0.version < $1.version },
      "migrations come by ascending version")
    self.applicationID = applicationID
    self.migrations = migrations
  }

  /// The `user_version` after all migrations.
  package var latestVersion: Int {
    migrations.last?.version ?? 0
  }

  /// Reads the schema's version and checks that the database is ours to use; writes nothing.
  ///
  /// - Returns: The version: 0 for a database that is still empty.
  /// - Throws: `foreignDatabase` or `newerSchema`; `notADatabase` or `corrupt` when SQLite says so.
  @discardableResult
  package func check(_ connection: Connection) throws(SQLiteError) -> Int {
    try connection.transaction(.deferred) { () throws(SQLiteError) in
      try state(of: connection).version
    }
  }

  /// Runs the migrations that are due.
  ///
  /// - Returns: Those that this call ran; another process may have run the rest.
  /// - Throws: As ``check(_:)``; or what a migration's SQL came to, with its name, after which the database
  ///   has the schema of the migration before.
  @discardableResult
  package func migrate(_ connection: Connection) throws(SQLiteError) -> [Migration] {
    if migrations.isEmpty { try adopt(connection) }
    var done: [Migration] = []
    for migration in migrations where try apply(migration, to: connection) {
      done.append(migration)
    }
    return done
  }

  /// - Returns: Whether it was due.
  private func apply(_ migration: Migration, to connection: Connection) throws(SQLiteError) -> Bool {
    // A start with nothing to do takes no write lock.
    guard try check(connection) < migration.version else { return false }
    return try connection.transaction(.immediate) { () throws(SQLiteError) in
      guard try state(of: connection).version < migration.version else { return false }
      do throws(SQLiteError) {
        try connection.execute(migration.sql)
      } catch {
        throw SQLiteError(
          code: error.code,
          message: "migration \(migration.version), \(migration.name): \(error.message)",
          sql: error.sql, path: error.path)
      }
      try connection.execute("PRAGMA application_id = \(applicationID)")
      try connection.execute("PRAGMA user_version = \(migration.version)")
      return true
    }
  }

  /// Marks an empty database as ours.
  private func adopt(_ connection: Connection) throws(SQLiteError) {
    try connection.transaction(.immediate) { () throws(SQLiteError) in
      guard try state(of: connection).isEmpty else { return }
      try connection.execute("PRAGMA application_id = \(applicationID)")
    }
  }

  private func state(of connection: Connection) throws(SQLiteError) -> (version: Int, isEmpty: Bool) {
    let id = try number("PRAGMA application_id", in: connection)
    let version = try number("PRAGMA user_version", in: connection)
    if id == 0, version == 0, try number("SELECT count(*) FROM sqlite_schema", in: connection) == 0 {
      return (0, true)
    }
    guard id == Int(applicationID) else {
      throw SQLiteError(
        code: .foreignDatabase,
        message:
          "the file is another program's database (application_id \(id), not \(applicationID)); "
          + "it was left as it is: name another file",
        path: connection.path)
    }
    guard version <= latestVersion else {
      throw SQLiteError(
        code: .newerSchema,
        message:
          "the file has schema version \(version), and this build knows none after \(latestVersion); "
          + "it was left as it is: use a newer build or another file",
        path: connection.path)
    }
    guard version >= 0 else {
      throw SQLiteError(
        code: .corrupt, message: "the schema version is \(version), which no build ever wrote",
        path: connection.path)
    }
    return (version, false)
  }

  private func number(_ sql: String, in connection: Connection) throws(SQLiteError) -> Int {
    try connection.firstValue(sql) { row throws(SQLiteError) in try row.int(at: 0) } ?? 0
  }
}
