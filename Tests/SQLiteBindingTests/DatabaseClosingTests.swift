import SQLiteBinding
import Testing

@Suite struct `When a database is closed` {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.db")
  }

  @Test(arguments: [true, false])
  func `every later call says so`(isInMemory: Bool) async throws {
    let database = try await Database.open(isInMemory ? .memory : .file(path), migrator: filmMigrator)
    await database.close()
    let read = failure { () throws(SQLiteError) in _ = try database.integer("SELECT 1") }
    #expect(read?.code == .closed)
    let write = await asyncFailure { () async throws(SQLiteError) in try await database.addFilm(1) }
    #expect(write?.code == .closed)
    let token = failure { () throws(SQLiteError) in _ = try database.changeToken() }
    #expect(token?.code == .closed)
    let check = await asyncFailure { () async throws(SQLiteError) in _ = try await database.integrityCheck() }
    #expect(check?.code == .closed)
    await database.close()
  }

  @Test func `no file of it stays open`() async throws {
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    try await database.addFilm(1)
    _ = try database.integer("SELECT count(*) FROM film")
    #expect(directory.openFileCount() > 0)
    await database.close()
    #expect(directory.openFileCount() == 0)
  }

  @Test func `the log is left empty`() async throws {
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    try await database.addFilm(1)
    #expect(database.writeAheadLogStatus.byteCount > 0)
    await database.close()
    #expect(try RawFile.bytes(of: path + "-wal").isEmpty)
  }

  @Test func `a gate held elsewhere does not keep it, and the log stays`() async throws {
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    try await database.addFilm(1)
    let gate = try FileGate(ofDatabase: path)
    await database.close()
    #expect(try !RawFile.bytes(of: path + "-wal").isEmpty)
    gate.release()
    let again = try await Database.open(.file(path), migrator: filmMigrator)
    #expect(try again.integer("SELECT code FROM film") == 1)
    await again.close()
  }

  @Test func `writes that wait are refused and the one that runs ends`() async throws {
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    let codes = await withTaskGroup(of: ResultCode?.self) { group in
      for code in 0..<20 {
        group.addTask {
          await asyncFailure { () async throws(SQLiteError) in try await database.addFilm(code) }?.code
        }
      }
      group.addTask {
        await database.close()
        return nil
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.allSatisfy { $0 == nil || $0 == .closed })
    let again = try await Database.open(.file(path), migrator: filmMigrator)
    #expect(try again.integer("SELECT count(*) FROM film") == codes.filter { $0 == nil }.count - 1)
    await again.close()
  }
}
