import Glibc
import SQLiteBinding
import Testing

@Suite struct `When several processes share a file` {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.db")
  }

  @Test func `they start and write at once, and nobody is busy`() async throws {
    await withTaskGroup(of: Void.self) { [path] group in
      for start in [0, 1_000] {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String, start = start as Int] in
            var configuration = DatabaseConfiguration()
            // Checkpoints in each race the writes of the other.
            configuration.checkpointByteCount = 30_000
            // The gate is not fair: on a slow disk one may wait for most of the other's work.
            configuration.gateWaitMax = .seconds(600)
            let database = try await Database.open(
              .file(path), migrator: filmMigrator, configuration: configuration)
            for code in start..<(start + 100) { try await database.addFilm(code) }
            await database.close()
          }
        }
      }
    }
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    #expect(try database.integer("SELECT count(*) FROM film") == 200)
    #expect(try await database.integrityCheck() == [])
    await database.close()
  }

  @Test func `one killed in a transaction leaves all of what it committed and nothing else`() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let database = try await Database.open(.file(path), migrator: filmMigrator)
      for code in 0..<10 { try await database.addFilm(code) }
      try await database.write { connection throws(SQLiteError) in
        try connection.execute("INSERT INTO film VALUES (10)")
        kill(getpid(), SIGKILL)
      }
    }
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    #expect(try database.integer("SELECT count(*) FROM film") == 10)
    #expect(try await database.integrityCheck() == [])
    // The gate went with the process that held it.
    try await database.addFilm(10)
    await database.close()
  }

  @Test func `one killed in a migration leaves it to the next`() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let first = Migrator(
        applicationID: filmMigrator.applicationID, migrations: [filmMigrator.migrations[0]])
      let database = try await Database.open(.file(path), migrator: first)
      try await database.write { connection throws(SQLiteError) in
        try connection.execute(filmMigrator.migrations[1].sql)
        try connection.execute("PRAGMA user_version = 2")
        kill(getpid(), SIGKILL)
      }
    }
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    #expect(database.migrationsRun.map(\.version) == [2])
    #expect(try database.integer("SELECT count(*) FROM title") == 0)
    await database.close()
  }
}

@Suite struct `When the file cannot be written` {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.db")
  }

  /// A database with one film, readable by all, in a directory that nobody may write to.
  private func makeReadOnly(keepLog: Bool) async throws {
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    try await database.addFilm(1)
    if !keepLog { try await database.checkpoint() }
    let gate = try FileGate(ofDatabase: path)
    await database.close()
    gate.release()
    for name in try directory.names() { #expect(chmod(directory.file(name), 0o444) == 0) }
    #expect(chmod(directory.path, 0o555) == 0)
  }

  @Test(arguments: [true, false])
  func `it is read, and a write says why not`(keepLog: Bool) async throws {
    try await makeReadOnly(keepLog: keepLog)
    let before = try directory.names()
    await #expect(processExitsWith: .success) { [path = path as String] in
      try await ChildProcess.asNobody {
        let database = try await Database.open(.file(path), migrator: filmMigrator)
        try #require(database.readOnlyReason?.contains("Permission denied") == true)
        try #require(try database.integer("SELECT code FROM film") == 1)
        _ = try database.changeToken()
        let error = await asyncFailure { () async throws(SQLiteError) in try await database.addFilm(2) }
        try #require(error?.code == .readOnly)
        try #require(error?.message.contains("cannot be written") == true)
        let checkpoint = await asyncFailure { () async throws(SQLiteError) in
          _ = try await database.checkpoint()
        }
        try #require(checkpoint?.code == .readOnly)
        await database.close()
      }
    }
    #expect(try directory.names() == before)
    #expect(chmod(directory.path, 0o755) == 0)
  }

  @Test func `what a writer with an empty log adds later is seen`() async throws {
    for name in ["prepared", "opened", "written", "read"] {
      try Rendezvous.make(at: directory.file(name))
    }
    await withTaskGroup(of: Void.self) { [path, directory = directory.path] group in
      group.addTask {
        await #expect(processExitsWith: .success) {
          [path = path as String, directory = directory as String] in
          // Whoever is left alone at a rendezvous ends, rather than wait for ever.
          alarm(600)
          let database = try await Database.open(.file(path), migrator: filmMigrator)
          try await database.addFilm(1)
          try await database.checkpoint()
          try #require(database.writeAheadLogStatus.byteCount == 0)
          for name in [path, path + "-wal", path + "-shm"] { try #require(chmod(name, 0o444) == 0) }
          try #require(chmod(directory, 0o555) == 0)
          try Rendezvous(path: directory + "/prepared").arrive()
          try Rendezvous(path: directory + "/opened").expect()
          try await database.addFilm(2)
          try Rendezvous(path: directory + "/written").arrive()
          try Rendezvous(path: directory + "/read").expect()
          await database.close()
        }
      }
      group.addTask {
        await #expect(processExitsWith: .success) {
          [path = path as String, directory = directory as String] in
          alarm(600)
          try Rendezvous(path: directory + "/prepared").expect()
          try await ChildProcess.asNobody {
            let database = try await Database.open(.file(path), migrator: filmMigrator)
            try #require(database.readOnlyReason != nil)
            try #require(try database.integer("SELECT sum(code) FROM film") == 1)
            let token = try database.changeToken()
            try Rendezvous(path: directory + "/opened").arrive()
            try Rendezvous(path: directory + "/written").expect()
            try #require(try database.integer("SELECT sum(code) FROM film") == 3)
            try #require(try database.changeToken() != token)
            try Rendezvous(path: directory + "/read").arrive()
            await database.close()
          }
        }
      }
    }
    #expect(chmod(directory.path, 0o755) == 0)
  }

  @Test func `a copy without the log's index is read`() async throws {
    try await makeReadOnly(keepLog: false)
    #expect(chmod(directory.path, 0o755) == 0)
    #expect(unlink(path + "-shm") == 0)
    #expect(chmod(directory.path, 0o555) == 0)
    await #expect(processExitsWith: .success) { [path = path as String] in
      try await ChildProcess.asNobody {
        let database = try await Database.open(.file(path), migrator: filmMigrator)
        try #require(try database.integer("SELECT code FROM film") == 1)
        await database.close()
      }
    }
    #expect(chmod(directory.path, 0o755) == 0)
  }

  @Test func `an older schema there is refused, as it cannot be migrated`() async throws {
    let older = Migrator(
      applicationID: filmMigrator.applicationID, migrations: [filmMigrator.migrations[0]])
    await (try Database.open(.file(path), migrator: older)).close()
    for name in try directory.names() { #expect(chmod(directory.file(name), 0o444) == 0) }
    #expect(chmod(directory.path, 0o555) == 0)
    await #expect(processExitsWith: .success) { [path = path as String] in
      try await ChildProcess.asNobody {
        let error = await asyncFailure { () async throws(SQLiteError) in
          _ = try await Database.open(.file(path), migrator: filmMigrator)
        }
        try #require(error?.code == .readOnly)
        try #require(error?.message.contains("schema version 1, needs 2") == true)
      }
    }
    #expect(chmod(directory.path, 0o755) == 0)
  }

  @Test func `one that is absent cannot be made`() async throws {
    #expect(chmod(directory.path, 0o555) == 0)
    await #expect(processExitsWith: .success) { [path = path as String] in
      try await ChildProcess.asNobody {
        let error = await asyncFailure { () async throws(SQLiteError) in
          _ = try await Database.open(.file(path), migrator: filmMigrator)
        }
        try #require(error?.code == .cannotOpen)
        try #require(error?.message.contains("cannot be made") == true)
      }
    }
    #expect(chmod(directory.path, 0o755) == 0)
  }

  @Test func `one that cannot even be read is a matter of permission`() async throws {
    await (try Database.open(.file(path), migrator: filmMigrator)).close()
    #expect(chmod(path, 0o000) == 0)
    #expect(chmod(directory.path, 0o755) == 0)
    await #expect(processExitsWith: .success) { [path = path as String] in
      try await ChildProcess.asNobody {
        let error = await asyncFailure { () async throws(SQLiteError) in
          _ = try await Database.open(.file(path), migrator: filmMigrator)
        }
        try #require(error?.code == .permission)
        try #require(error?.message.contains("Permission denied") == true)
      }
    }
  }
}
