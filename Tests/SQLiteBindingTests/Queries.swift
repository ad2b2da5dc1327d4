import SQLiteBinding

/// Shorthands of these tests.
extension Connection {
  /// The first column of every row.
  func integers(_ sql: String) throws(SQLiteError) -> [Int] {
    try withStatement(sql) { statement throws(SQLiteError) in
      try statement.mapRows { row throws(SQLiteError) in try row.int(at: 0) }
    }
  }

  /// The first column of the first row.
  func integer(_ sql: String) throws(SQLiteError) -> Int? {
    try firstValue(sql) { row throws(SQLiteError) in try row.int(at: 0) }
  }

  /// The first column of the first row.
  func text(_ sql: String) throws(SQLiteError) -> String? {
    try firstValue(sql) { row throws(SQLiteError) in try row.string(at: 0) }
  }
}

extension Database {
  func integer(_ sql: String) throws(SQLiteError) -> Int? {
    try read { connection throws(SQLiteError) in try connection.integer(sql) }
  }

  func execute(_ script: String) async throws(SQLiteError) {
    try await write { connection throws(SQLiteError) in try connection.execute(script) }
  }

  /// Adds a row to `film(code INTEGER)`.
  func addFilm(_ code: Int) async throws(SQLiteError) {
    try await write { connection throws(SQLiteError) in
      try connection.withStatement("INSERT INTO film VALUES (?1)") { statement throws(SQLiteError) in
        try statement.bind(code, at: 1)
        try statement.run()
      }
    }
  }
}

/// The migrator of these tests: `film(code)`, then `title(text)`.
let filmMigrator = Migrator(
  applicationID: 0x4D54_4E45,
  migrations: [
    Migration(version: 1, name: "films", sql: "CREATE TABLE film (code INTEGER PRIMARY KEY) STRICT"),
    Migration(version: 2, name: "titles", sql: "CREATE TABLE title (text TEXT) STRICT"),
  ])

/// The error a closure throws, or nil.
func failure(_ body: () throws(SQLiteError) -> Void) -> SQLiteError? {
  do throws(SQLiteError) {
    try body()
    return nil
  } catch {
    return error
  }
}

/// The error an asynchronous closure throws, or nil.
func asyncFailure(_ body: () async throws(SQLiteError) -> Void) async -> SQLiteError? {
  do throws(SQLiteError) {
    try await body()
    return nil
  } catch {
    return error
  }
}
