import SQLiteBinding
import Testing

@Suite struct `When a database is shared` {
  @Test(arguments: [true, false])
  func `what is written is read`(inMemory: Bool) async throws {
    let directory = try TemporaryDirectory()
    let database = try await Database.open(inMemory ? .memory : .file(directory.file("a.db")))
    try await database.write { connection throws(SQLiteError) in
      try connection.execute("CREATE TABLE film (code TEXT PRIMARY KEY, title TEXT) STRICT")
      try connection.withStatement("INSERT INTO film VALUES (?1, ?2)") {
        statement throws(SQLiteError) in
        try statement.bind("20210028", at: 1)
        try statement.bind("스파이더맨", at: 2)
        try statement.run()
      }
    }
    let titles = try database.read { connection throws(SQLiteError) in
      try connection.withStatement("SELECT title FROM film") { statement throws(SQLiteError) in
        try statement.mapRows { row throws(SQLiteError) in try row.string(at: 0) }
      }
    }
    #expect(titles == ["스파이더맨"])
    await database.close()
  }
}
