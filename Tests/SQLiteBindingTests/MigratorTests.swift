import Glibc
import SQLiteBinding
import Testing

@Suite struct `When a database is migrated` {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.db")
  }

  @Test(arguments: [true, false])
  func `a new one gets the newest schema and our mark`(isInMemory: Bool) async throws {
    let database = try await Database.open(isInMemory ? .memory : .file(path), migrator: filmMigrator)
    #expect(database.migrationsRun.map(\.version) == [1, 2])
    #expect(try database.integer("PRAGMA user_version") == 2)
    #expect(try database.integer("PRAGMA application_id") == Int(filmMigrator.applicationID))
    await database.close()
  }

  @Test func `one with the newest schema is left as it is`() async throws {
    await (try Database.open(.file(path), migrator: filmMigrator)).close()
    let before = try RawFile.bytes(of: path)
    let again = try await Database.open(.file(path), migrator: filmMigrator)
    #expect(again.migrationsRun.isEmpty)
    await again.close()
    #expect(try RawFile.bytes(of: path) == before)
  }

  @Test func `an older one gets what it lacks and keeps what it holds`() async throws {
    let older = Migrator(
      applicationID: filmMigrator.applicationID, migrations: [filmMigrator.migrations[0]])
    let first = try await Database.open(.file(path), migrator: older)
    try await first.addFilm(1)
    await first.close()
    let second = try await Database.open(.file(path), migrator: filmMigrator)
    #expect(second.migrationsRun.map(\.name) == ["titles"])
    #expect(try second.integer("SELECT code FROM film") == 1)
    #expect(try second.integer("SELECT count(*) FROM title") == 0)
    await second.close()
  }

  @Test func `one that has it open goes on until a newer build has migrated it, and then stores nothing`()
    async throws
  {
    let old = try await Database.open(.file(path), migrator: filmMigrator)
    try await old.addFilm(1)
    let newest = Migration(version: 3, name: "charts", sql: "CREATE TABLE chart (film INTEGER) STRICT")
    let new = try await Database.open(
      .file(path),
      migrator: Migrator(
        applicationID: filmMigrator.applicationID, migrations: filmMigrator.migrations + [newest]))
    let error = await asyncFailure { () async throws(SQLiteError) in try await old.addFilm(2) }
    #expect(error?.code == .newerSchema)
    #expect(error?.message.contains("migrated by a newer build while open; restart with it") == true)
    #expect(error?.path == path)
    try await new.addFilm(3)
    #expect(try old.integer("SELECT sum(code) FROM film") == 4)
    await old.close()
    await new.close()
  }

  @Test func `one opened without a migrator is written whatever its version`() async throws {
    let database = try await Database.open(.file(path))
    try await database.execute("CREATE TABLE film (code INTEGER); PRAGMA user_version = 900")
    try await database.addFilm(1)
    #expect(try database.integer("SELECT code FROM film") == 1)
    await database.close()
  }

  @Test func `an empty file counts as new`() async throws {
    try RawFile.write([], to: path)
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    #expect(database.migrationsRun.count == 2)
    await database.close()
  }

  @Test func `eight at once on a new file run each migration once`() async throws {
    let versions = try await withThrowingTaskGroup(of: [Int].self) { group in
      for code in 0..<8 {
        group.addTask { [path] in
          let database = try await Database.open(.file(path), migrator: filmMigrator)
          try await database.addFilm(code)
          let versions = database.migrationsRun.map(\.version)
          await database.close()
          return versions
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(versions.sorted() == [1, 2])
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    #expect(try database.integer("SELECT count(*) FROM film") == 8)
    await database.close()
  }

  @Test func `a migration that fails is named, and leaves the schema before it`() async throws {
    let broken = Migrator(
      applicationID: filmMigrator.applicationID,
      migrations: [
        filmMigrator.migrations[0],
        Migration(version: 2, name: "stars", sql: "CREATE TABLE star (name TEXT) STRICT; CREATE TABL x"),
      ])
    let error = await asyncFailure { () async throws(SQLiteError) in
      _ = try await Database.open(.file(path), migrator: broken)
    }
    #expect(error?.code == .error)
    #expect(error?.message == #"migration 2, stars: near "TABL": syntax error"#)
    let database = try await Database.open(.file(path))
    #expect(try database.integer("PRAGMA user_version") == 1)
    #expect(try database.integer("SELECT count(*) FROM sqlite_schema") == 1)
    await database.close()
  }
}

@Suite struct `When a file is not ours to use` {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.db")
  }

  /// Opens the file, expects to be refused, and that neither the file nor its directory changed.
  private func expectRefusal(_ code: ResultCode, file: String = #function) async throws -> SQLiteError? {
    let names = try directory.names()
    let before = try names.map { try RawFile.bytes(of: directory.file($0)) }
    let error = await asyncFailure { () async throws(SQLiteError) in
      _ = try await Database.open(.file(path), migrator: filmMigrator)
    }
    #expect(error?.code.primary == code.primary)
    #expect(error?.path == path)
    #expect(try directory.names() == names)
    #expect(try names.map { try RawFile.bytes(of: directory.file($0)) } == before)
    return error
  }

  /// A database in WAL mode that was closed cleanly, alone in the directory.
  private func make(_ script: String) async throws {
    let database = try await Database.open(.file(path))
    try await database.execute(script)
    await database.close()
    for suffix in ["-wal", "-shm", "-gate"] { #expect(unlink(path + suffix) == 0) }
  }

  @Test func `another program's database is refused`() async throws {
    try await make("PRAGMA application_id = 77; CREATE TABLE theirs (a)")
    let error = try await expectRefusal(.foreignDatabase)
    #expect(error?.message.contains("application_id 77") == true)
  }

  @Test func `another program's database without tables is refused`() async throws {
    try await make("PRAGMA application_id = 77")
    _ = try await expectRefusal(.foreignDatabase)
  }

  @Test func `tables without a mark are someone else's`() async throws {
    try await make("CREATE TABLE theirs (a)")
    _ = try await expectRefusal(.foreignDatabase)
  }

  @Test func `a rollback-journal database of another program is refused and stays one`() async throws {
    try await make("CREATE TABLE theirs (a)")
    var bytes = try RawFile.bytes(of: path)
    // Read and write version 1: no write-ahead log (https://sqlite.org/fileformat2.html).
    bytes[18] = 1
    bytes[19] = 1
    try RawFile.write(bytes, to: path)
    _ = try await expectRefusal(.foreignDatabase)
  }

  @Test func `a newer schema is refused`() async throws {
    try await make("PRAGMA application_id = \(filmMigrator.applicationID); PRAGMA user_version = 3")
    let error = try await expectRefusal(.newerSchema)
    #expect(error?.message.contains("schema version 3") == true)
    #expect(error?.message.contains("none after 2") == true)
  }

  @Test(arguments: [1, 100, 5_000])
  func `garbage is not a database`(byteCount: Int) async throws {
    try RawFile.write(Array(repeating: UInt8(ascii: "x"), count: byteCount), to: path)
    _ = try await expectRefusal(.notADatabase)
  }

  @Test func `a text file is not a database`() async throws {
    try RawFile.write(Array("code,title\n1,스파이더맨\n".utf8), to: path)
    _ = try await expectRefusal(.notADatabase)
  }

  @Test func `a damaged schema is corrupt`() async throws {
    try await make("CREATE TABLE theirs (a)")
    var bytes = try RawFile.bytes(of: path)
    for offset in 100..<200 { bytes[offset] = 0xff }
    try RawFile.write(bytes, to: path)
    _ = try await expectRefusal(.corrupt)
  }

  @Test func `a foreign database with a live log is refused and its file untouched`() async throws {
    let theirs = try Connection(location: .file(path))
    try theirs.execute("PRAGMA application_id = 77; CREATE TABLE theirs (a)")
    #expect(unlink(path + "-gate") == 0)
    let error = await asyncFailure { () async throws(SQLiteError) in
      _ = try await Database.open(.file(path), migrator: filmMigrator)
    }
    #expect(error?.code == .foreignDatabase)
    #expect(try directory.names() == ["a.db", "a.db-shm", "a.db-wal"])
    try theirs.execute("INSERT INTO theirs VALUES (1)")
    #expect(try theirs.integer("SELECT a FROM theirs") == 1)
  }

  @Test func `a directory, a link and a missing directory are refused by name`() async throws {
    #expect(mkdir(directory.file("d"), 0o755) == 0)
    #expect(symlink("d", directory.file("l")) == 0)
    for (name, code) in [
      ("d", ResultCode.cannotOpenDirectory), ("l", .cannotOpenSymbolicLink), ("m/a.db", .cannotOpen),
    ] {
      let error = await asyncFailure { () async throws(SQLiteError) in
        _ = try await Database.open(.file(directory.file(name)), migrator: filmMigrator)
      }
      #expect(error?.code == code)
    }
    #expect(try directory.names() == ["d", "l"])
  }
}
