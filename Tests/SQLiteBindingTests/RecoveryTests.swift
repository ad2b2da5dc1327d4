import Glibc
import SQLiteBinding
import Testing

/// Copies are made by another process while the database is open: what is on disk at that moment is what a
/// kill at that moment leaves behind.
@Suite struct `When the files were left by a crash` {
  let directory: TemporaryDirectory
  let path: String
  let copy: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.db")
    copy = directory.file("copy.db")
  }

  /// A database with films 1 to `count`, each its own commit, all of them in the log; and its copy.
  private func crashed(afterFilms count: Int) async throws {
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    try await database.checkpoint()
    for code in 1...count { try await database.addFilm(code) }
    try RawFile.copy(path, to: copy)
    try RawFile.copy(path + "-wal", to: copy + "-wal")
    await database.close()
  }

  private func films() async throws -> [Int] {
    let database = try await Database.open(.file(copy), migrator: filmMigrator)
    let films = try database.read { connection throws(SQLiteError) in
      try connection.integers("SELECT code FROM film ORDER BY code")
    }
    #expect(try await database.integrityCheck() == [])
    await database.close()
    return films
  }

  @Test func `what was committed to the log is there`() async throws {
    try await crashed(afterFilms: 3)
    #expect(try await films() == [1, 2, 3])
  }

  @Test func `a torn end of the log loses the last commit and none before`() async throws {
    try await crashed(afterFilms: 3)
    let log = try RawFile.bytes(of: copy + "-wal")
    try RawFile.write(Array(log.dropLast(1_000)), to: copy + "-wal")
    #expect(try await films() == [1, 2])
  }

  @Test func `a log that was deleted leaves the state of the latest checkpoint`() async throws {
    try await crashed(afterFilms: 3)
    #expect(unlink(copy + "-wal") == 0)
    #expect(try await films() == [])
  }

  @Test func `garbage in the shared-memory file is rebuilt`() async throws {
    try await crashed(afterFilms: 3)
    try RawFile.write(Array(repeating: 0xa5, count: 32_768), to: copy + "-shm")
    #expect(try await films() == [1, 2, 3])
  }

  @Test func `an open transaction is not there`() async throws {
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    try await database.addFilm(1)
    let (path, copy) = (path, copy)
    try await database.write { connection throws(SQLiteError) in
      try connection.execute("INSERT INTO film VALUES (2); PRAGMA cache_size = 1; PRAGMA cache_spill = 1")
      // Enough to spill into the log before the commit.
      try connection.execute(
        """
        WITH RECURSIVE n (i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO film SELECT i FROM n
        """)
      do {
        try RawFile.copy(path, to: copy)
        try RawFile.copy(path + "-wal", to: copy + "-wal")
      } catch {
        throw SQLiteError(code: .inputOutput, message: "\(error)")
      }
    }
    #expect(try await films() == [1])
    await database.close()
  }
}
