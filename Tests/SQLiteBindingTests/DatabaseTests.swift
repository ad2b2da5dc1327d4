import Glibc
import SQLiteBinding
import Testing

@Suite struct `When a database is shared` {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.db")
  }

  private func location(_ isInMemory: Bool) -> DatabaseLocation {
    isInMemory ? .memory : .file(path)
  }

  @Test(arguments: [true, false])
  func `what is written is read`(isInMemory: Bool) async throws {
    let database = try await Database.open(location(isInMemory))
    try await database.write { connection throws(SQLiteError) in
      try connection.execute("CREATE TABLE film (code TEXT PRIMARY KEY, title TEXT) STRICT")
      try connection.withStatement("INSERT INTO film VALUES (?1, ?2)") { statement throws(SQLiteError) in
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
    #expect(database.readOnlyReason == nil)
    await database.close()
  }

  @Test(arguments: [true, false])
  func `a write whose closure throws stores nothing`(isInMemory: Bool) async throws {
    let database = try await Database.open(location(isInMemory), migrator: filmMigrator)
    let error = await asyncFailure { () async throws(SQLiteError) in
      try await database.write { connection throws(SQLiteError) in
        try connection.execute("INSERT INTO film VALUES (1)")
        throw SQLiteError(code: .abort, message: "enough")
      }
    }
    #expect(error?.code == .abort)
    #expect(try database.integer("SELECT count(*) FROM film") == 0)
    try await database.addFilm(2)
    #expect(try database.integer("SELECT code FROM film") == 2)
  }

  @Test(arguments: [true, false])
  func `a read cannot write`(isInMemory: Bool) async throws {
    let database = try await Database.open(location(isInMemory), migrator: filmMigrator)
    for sql in ["INSERT INTO film VALUES (1)", "DELETE FROM film", "DROP TABLE film"] {
      let error = failure { () throws(SQLiteError) in
        try database.read { connection throws(SQLiteError) in try connection.execute(sql) }
      }
      #expect(error?.code.primary == .readOnly, "\(sql)")
      let leased = failure { () throws(SQLiteError) in
        try database.read { connection throws(SQLiteError) in
          try connection.withStatement(sql) { statement throws(SQLiteError) in try statement.run() }
        }
      }
      #expect(leased?.code.primary == .readOnly, "\(sql)")
    }
    try await database.addFilm(1)
    #expect(try database.integer("SELECT count(*) FROM film") == 1)
  }

  @Test func `readers see the state before a write until it commits`() async throws {
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    try await database.addFilm(1)
    let during = try await database.write { connection throws(SQLiteError) in
      try connection.execute("INSERT INTO film VALUES (2), (3)")
      return [
        try connection.integer("SELECT count(*) FROM film"),
        try database.integer("SELECT count(*) FROM film"),
      ]
    }
    #expect(during == [3, 1])
    #expect(try database.integer("SELECT count(*) FROM film") == 3)
  }

  @Test func `a store may throw its own error throughout`() async throws {
    struct StoreError: SQLiteErrorConvertible, Equatable {
      let text: String
      init(text: String) { self.text = text }
      init(_ error: SQLiteError) { text = "database: \(error.code)" }
    }
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    do throws(StoreError) {
      try await database.write { connection throws(StoreError) in
        try connection.withStatement("INSERT INTO film VALUES (1)") { statement throws(StoreError) in
          do throws(SQLiteError) { try statement.run() } catch { throw StoreError(error) }
        }
        throw StoreError(text: "not today")
      }
    } catch {
      #expect(error == StoreError(text: "not today"))
    }
    #expect(try database.integer("SELECT count(*) FROM film") == 0)
    await database.close()
    do throws(StoreError) {
      _ = try database.read { _ throws(StoreError) in 1 }
      Issue.record("a closed database was read")
    } catch {
      #expect(error.text == "database: CLOSED (-3)")
    }
  }

  @Test func `two of them on one file write at once and neither is busy`() async throws {
    // All 100 wait from the first moment on, however slow the disk.
    var configuration = DatabaseConfiguration()
    configuration.gateWaitMax = .seconds(600)
    let first = try await Database.open(.file(path), migrator: filmMigrator, configuration: configuration)
    let second = try await Database.open(.file(path), migrator: filmMigrator, configuration: configuration)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for code in 0..<100 {
        group.addTask { try await (code.isMultiple(of: 2) ? first : second).addFilm(code) }
      }
      try await group.waitForAll()
    }
    #expect(try first.integer("SELECT count(*) FROM film") == 100)
    #expect(try second.integer("SELECT count(*) FROM film") == 100)
    #expect(try await first.integrityCheck() == [])
  }

  @Test func `many tasks read while others write, each a whole state`() async throws {
    var configuration = DatabaseConfiguration()
    configuration.readerCountMax = 2
    configuration.checkpointByteCount = 20_000
    let database = try await Database.open(.file(path), migrator: filmMigrator, configuration: configuration)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for pair in 0..<50 {
        group.addTask {
          try await database.execute("INSERT INTO film VALUES (\(pair * 2)), (\(pair * 2 + 1))")
        }
        group.addTask {
          let count = try database.integer("SELECT count(*) FROM film") ?? -1
          #expect(count.isMultiple(of: 2))
        }
      }
      try await group.waitForAll()
    }
    #expect(try database.integer("SELECT count(*) FROM film") == 100)
  }

  @Test(arguments: [true, false])
  func `a read that finds every connection in use is busy when its wait is over`(isInMemory: Bool)
    async throws
  {
    var configuration = DatabaseConfiguration()
    configuration.readerCountMax = 1
    configuration.readerWaitMax = .zero
    let database = try await Database.open(location(isInMemory), configuration: configuration)
    let error = try database.read { _ throws(SQLiteError) in
      failure { () throws(SQLiteError) in _ = try database.integer("SELECT 1") }
    }
    #expect(error?.code == .busy)
    #expect(try database.integer("SELECT 1") == 1)
  }

  @Test func `the token changes with a commit of any connection, and with nothing else`() async throws {
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    let other = try await Database.open(.file(path), migrator: filmMigrator)
    let start = try database.changeToken()
    _ = try database.integer("SELECT count(*) FROM film")
    #expect(try database.changeToken() == start)
    try await other.addFilm(1)
    let afterOther = try database.changeToken()
    #expect(afterOther != start)
    try await database.addFilm(2)
    #expect(try database.changeToken() != afterOther)
  }

  @Test func `the token of one in memory changes with a commit`() async throws {
    let database = try await Database.open(.memory, migrator: filmMigrator)
    let start = try database.changeToken()
    #expect(try database.changeToken() == start)
    try await database.addFilm(1)
    let after = try database.changeToken()
    #expect(after != start)
    _ = await asyncFailure { () async throws(SQLiteError) in try await database.addFilm(1) }
    #expect(try database.changeToken() == after)
  }

  @Test(arguments: ["removed", "replaced"])
  func `a file that is no longer at its path is written no more`(fate: String) async throws {
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    #expect(rename(path, directory.file("elsewhere.db")) == 0)
    if fate == "replaced" { try RawFile.write([], to: path) }
    let error = await asyncFailure { () async throws(SQLiteError) in try await database.addFilm(1) }
    #expect(error?.code == .readOnlyDatabaseMoved)
    #expect(error?.path == path)
    let polled = failure { () throws(SQLiteError) in _ = try database.changeToken() }
    #expect(polled?.code == .readOnlyDatabaseMoved)
    await database.close()
  }

  @Test func `a gate that was deleted is made anew and still excludes`() async throws {
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    #expect(unlink(path + "-gate") == 0)
    try await database.addFilm(1)
    #expect(try RawFile.permissions(of: path + "-gate") == 0o600)
  }
}

@Suite struct `When a database is checked` {
  @Test func `a sound file has no findings and a damaged one is found out`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a.db")
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    try await database.execute(
      """
      CREATE TABLE page (number INTEGER PRIMARY KEY, text TEXT) STRICT;
      CREATE INDEX page_text ON page (text);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO page SELECT i, printf('%0100d', i) FROM n;
      """)
    #expect(try await database.integrityCheck() == [])
    await database.close()

    var bytes = try RawFile.bytes(of: path)
    #expect(bytes.count > 50_000)
    for offset in stride(from: 40_000, to: 48_000, by: 7) { bytes[offset] ^= 0xff }
    try RawFile.write(bytes, to: path)
    let damaged = try await Database.open(.file(path), migrator: filmMigrator)
    var findings: [String] = []
    var code: ResultCode?
    do throws(SQLiteError) {
      findings = try await damaged.integrityCheck()
    } catch {
      code = error.code
    }
    #expect(!findings.isEmpty || code?.primary == .corrupt)
    await damaged.close()
  }
}
