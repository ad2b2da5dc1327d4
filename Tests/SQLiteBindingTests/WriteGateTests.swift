import Testing

@testable import SQLiteBinding

@Suite struct `When the write gate is held elsewhere` {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.db")
  }

  private func open(gateWaitMax: Duration, pendingWriteCountMax: Int = 100) async throws -> Database {
    var configuration = DatabaseConfiguration()
    configuration.gateWaitMax = gateWaitMax
    configuration.pendingWriteCountMax = pendingWriteCountMax
    return try await Database.open(.file(path), migrator: filmMigrator, configuration: configuration)
  }

  @Test func `a write is busy when its wait is over, and reads go on`() async throws {
    let database = try await open(gateWaitMax: .zero)
    let gate = try FileGate(ofDatabase: path)
    let error = await asyncFailure { () async throws(SQLiteError) in try await database.addFilm(1) }
    #expect(error?.code == .busy)
    #expect(error?.message.contains(path + "-gate") == true)
    #expect(try database.integer("SELECT count(*) FROM film") == 0)
    gate.release()
    try await database.addFilm(1)
    #expect(try database.integer("SELECT count(*) FROM film") == 1)
  }

  @Test func `a checkpoint is busy too`() async throws {
    let database = try await open(gateWaitMax: .zero)
    let gate = try FileGate(ofDatabase: path)
    let error = await asyncFailure { () async throws(SQLiteError) in _ = try await database.checkpoint() }
    #expect(error?.code == .busy)
    gate.release()
  }

  @Test func `opening waits no longer than its bound`() async throws {
    await (try open(gateWaitMax: .zero)).close()
    let gate = try FileGate(ofDatabase: path)
    let error = await asyncFailure { () async throws(SQLiteError) in
      var configuration = DatabaseConfiguration()
      configuration.gateWaitMax = .zero
      _ = try await Database.open(.file(path), migrator: filmMigrator, configuration: configuration)
    }
    #expect(error?.code == .busy)
    gate.release()
  }

  @Test func `cancelling ends the wait, of the first in line and of those behind`() async throws {
    let database = try await open(gateWaitMax: .seconds(600))
    let gate = try FileGate(ofDatabase: path)
    let tasks = (0..<3).map { code in
      Task { await asyncFailure { () async throws(SQLiteError) in try await database.addFilm(code) }?.code }
    }
    for task in tasks { task.cancel() }
    for task in tasks { #expect(await task.value == .interrupted) }
    gate.release()
    try await database.addFilm(7)
    #expect(try database.integer("SELECT sum(code) FROM film") == 7)
  }

  @Test func `a task cancelled before it writes does not write`() async throws {
    let database = try await open(gateWaitMax: .seconds(600))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await asyncFailure { () async throws(SQLiteError) in try await database.addFilm(1) }?.code
    }
    #expect(await task.value == .interrupted)
    #expect(try database.integer("SELECT count(*) FROM film") == 0)
  }

  @Test func `one write more than may wait is refused at once`() async throws {
    let database = try await open(gateWaitMax: .seconds(600), pendingWriteCountMax: 2)
    let gate = try FileGate(ofDatabase: path)
    await withTaskGroup(of: ResultCode?.self) { group in
      for code in 0..<3 {
        group.addTask {
          await asyncFailure { () async throws(SQLiteError) in try await database.addFilm(code) }?.code
        }
      }
      let first = await group.next()
      #expect(first == .some(.writeQueueFull))
      gate.release()
      var rest: [ResultCode?] = []
      for await code in group { rest.append(code) }
      #expect(rest == [nil, nil])
    }
    #expect(try database.integer("SELECT count(*) FROM film") == 2)
  }

  @Test func `a side file that is replaced after every lock is given up at the deadline`() throws {
    let lookCount = Lock(0)
    let error = try failureOfReplacedGate(lookCount: lookCount, until: .now) { false }
    #expect(error?.code == .busy)
    #expect(error?.message.contains("replaced") == true)
    #expect(lookCount.withLock { $0 } == 1)
  }

  @Test func `a side file that is replaced after every lock is given up when cancelled`() throws {
    let lookCount = Lock(0)
    let error = try failureOfReplacedGate(lookCount: lookCount, until: .now + .seconds(600)) {
      lookCount.withLock { $0 } == 3
    }
    #expect(error?.code == .interrupted)
    #expect(lookCount.withLock { $0 } == 3)
  }

  /// What a gate says whose side file is no longer at its path at each look after a lock.
  private func failureOfReplacedGate(
    lookCount: Lock<Int>, until deadline: ContinuousClock.Instant, isCancelled: () -> Bool
  ) throws -> SQLiteError? {
    let gate = WriteGate(file: try DatabaseFile(resolving: path)) { _, _ in
      lookCount.withLock { $0 += 1 }
      return false
    }
    return failure { () throws(SQLiteError) in
      try gate.withLock(until: deadline, isCancelled: isCancelled) { () throws(SQLiteError) in
        _ = Issue.record("a lock on a file without a name excludes nobody")
      }
    }
  }
}
