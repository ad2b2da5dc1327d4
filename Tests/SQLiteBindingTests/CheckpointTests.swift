import SQLiteBinding
import Testing

@Suite struct `When the log is checkpointed` {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.db")
  }

  private func open(checkpointByteCount: Int) async throws -> Database {
    var configuration = DatabaseConfiguration()
    configuration.checkpointByteCount = checkpointByteCount
    return try await Database.open(.file(path), migrator: filmMigrator, configuration: configuration)
  }

  @Test func `it is cut to nothing once it has reached its bound`() async throws {
    let database = try await open(checkpointByteCount: 1)
    try await database.addFilm(1)
    let status = database.writeAheadLogStatus
    #expect(status.byteCount == 0)
    #expect(status.latestCheckpoint == CheckpointReport(isComplete: true, walByteCount: 0))
    #expect(!status.isHeldByReader)
    #expect(try database.integer("SELECT code FROM film") == 1)
  }

  @Test func `it grows undisturbed until then`() async throws {
    let database = try await open(checkpointByteCount: 1_000_000)
    try await database.addFilm(1)
    #expect(database.writeAheadLogStatus.byteCount > 0)
    #expect(database.writeAheadLogStatus.latestCheckpoint == nil)
    #expect(try await database.checkpoint() == CheckpointReport(isComplete: true, walByteCount: 0))
  }

  @Test func `a reader in the way is told of, and not waited for`() async throws {
    let database = try await open(checkpointByteCount: 1)
    let reader = try Connection(location: .file(path), mode: .readOnly)
    try reader.execute("BEGIN; SELECT count(*) FROM film")
    try await database.addFilm(1)
    let status = database.writeAheadLogStatus
    #expect(status.isHeldByReader)
    #expect(status.byteCount > 0)
    let report = try await database.checkpoint()
    #expect(!report.isComplete)
    #expect(report.walByteCount == status.byteCount)

    try reader.execute("COMMIT")
    #expect(try await database.checkpoint().isComplete)
    #expect(!database.writeAheadLogStatus.isHeldByReader)
    #expect(database.writeAheadLogStatus.byteCount == 0)
  }

  @Test func `one in memory has no log`() async throws {
    let database = try await Database.open(.memory, migrator: filmMigrator)
    #expect(try await database.checkpoint() == CheckpointReport(isComplete: true, walByteCount: 0))
    #expect(database.writeAheadLogStatus.byteCount == 0)
  }
}
