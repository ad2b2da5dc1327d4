import Glibc
import Testing

@testable import SQLiteBinding

/// A database of so many pages that a backup takes several steps.
private func makeLargeDatabase(at path: String) async throws -> Database {
  let database = try await Database.open(.file(path), migrator: filmMigrator)
  try await database.execute(
    """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
    INSERT INTO title SELECT hex(randomblob(2000)) FROM n
    """)
  for code in 1...3 { try await database.addFilm(code) }
  return database
}

private func backup(
  of path: String, to target: String, replaces: Bool = false,
  onProgress: @escaping @Sendable (BackupProgress) -> Void = { _ in }
) async throws(SQLiteError) -> BackupReport {
  try await DatabaseBackup(of: path, to: target, replaces: replaces, migrator: filmMigrator)
    .run(onProgress: onProgress)
}

@Suite struct `When a database is backed up` {
  let directory: TemporaryDirectory
  let path: String
  let target: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.db")
    target = directory.file("copy.db")
  }

  private func films(in path: String) throws -> [Int] {
    try Connection(location: .file(path), mode: .immutable).integers("SELECT code FROM film ORDER BY code")
  }

  @Test func `the copy is whole, its owner's alone, and nothing else is made`() async throws {
    let database = try await makeLargeDatabase(at: path)
    let before = try directory.names()
    let steps = Lock<[BackupProgress]>([])
    let report = try await backup(of: path, to: target) { step in steps.withLock { $0.append(step) } }
    #expect(try directory.names() == (before + ["copy.db"]).sorted())
    #expect(try RawFile.permissions(of: target) == 0o600)
    #expect(
      report
        == BackupReport(
          path: target, byteCount: Int64(try RawFile.bytes(of: target).count), schemaVersion: 2,
          tables: [TableSize(name: "film", rowCount: 3), TableSize(name: "title", rowCount: 1_500)]))
    let told = steps.withLock { $0 }
    #expect(told.count >= 5)
    #expect(told.map(\.copiedPageCount) == told.map(\.copiedPageCount).sorted())
    #expect(told.last.map { $0.copiedPageCount == $0.pageCount } == true)
    await database.close()

    let copy = try await Database.open(.file(target), migrator: filmMigrator)
    #expect(copy.migrationsRun.isEmpty)
    #expect(try copy.integer("SELECT count(*) FROM film") == 3)
    try await copy.addFilm(4)
    #expect(try await copy.integrityCheck() == [])
    await copy.close()
  }

  @Test func `what others commit meanwhile is not in it, and does not have it begin anew`() async throws {
    let database = try await makeLargeDatabase(at: path)
    try await database.checkpoint()
    let writer = Lock<Connection?>(try Connection(location: .file(path)))
    let count = Lock((steps: 0, latest: 0))
    _ = try await backup(of: path, to: target) { step in
      let number = count.withLock { count in
        count.steps += 1
        #expect(step.copiedPageCount > count.latest)
        count.latest = step.copiedPageCount
        return count.steps
      }
      writer.withLock { writer in
        #expect(throws: Never.self) {
          try writer?.execute(
            "INSERT INTO film VALUES (\(100 + number)); UPDATE title SET text = 'changed' WHERE rowid <= \(number * 300)"
          )
        }
      }
    }
    #expect(count.withLock { $0.steps } >= 5)
    #expect(try films(in: target) == [1, 2, 3])
    let copy = try Connection(location: .file(target), mode: .immutable)
    #expect(try copy.integer("SELECT count(*) FROM title WHERE text = 'changed'") == 0)
    #expect(try database.integer("SELECT count(*) FROM title WHERE text = 'changed'") == 1_500)
    // And the log can be cut again.
    #expect(try await database.checkpoint().isComplete)
    await database.close()
  }

  @Test func `a process that writes all the time neither stops it nor is stopped`() async throws {
    let database = try await makeLargeDatabase(at: path)
    await database.close()
    let (begun, done) = (directory.file("begun"), directory.file("done"))
    try Rendezvous.make(at: begun)
    await withTaskGroup(of: Void.self) { [path, target] group in
      group.addTask {
        await #expect(processExitsWith: .success) {
          [path = path as String, begun = begun as String, done = done as String] in
          alarm(600)
          let database = try await Database.open(.file(path), migrator: filmMigrator)
          try Rendezvous(path: begun).arrive()
          // It writes until the last backup is made, however long either takes.
          var code = 100
          while !RawFile.exists(done) {
            try await database.addFilm(code)
            code += 1
          }
          await database.close()
        }
      }
      group.addTask {
        await #expect(processExitsWith: .success) {
          [path = path as String, target = target as String, begun = begun as String, done = done as String]
          in
          alarm(600)
          // Whatever fails here, the writer is to end.
          defer { try? RawFile.write([], to: done) }
          try Rendezvous(path: begun).expect()
          var counts: [Int] = []
          // Five of them, and as many more as it takes to have met the writer at work.
          while counts.count < 5 || counts.first == counts.last {
            let report = try await DatabaseBackup(
              of: path, to: target + "\(min(counts.count, 4))", replaces: counts.count > 4,
              migrator: filmMigrator
            ).run()
            counts.append(report.tables[0].rowCount)
          }
        }
      }
    }
    let writtenCount = try #require(
      try Connection(location: .file(path), mode: .readOnly).integer("SELECT count(*) FROM film"))
    var latest = 0
    for number in 0..<5 {
      let films = try films(in: target + "\(number)")
      // A prefix of what was committed, one after another.
      #expect(films == [1, 2, 3] + (100...).prefix(films.count - 3))
      #expect(films.count >= latest && films.count <= writtenCount)
      latest = films.count
    }
    #expect(try films(in: target + "0").count < latest)
  }

  @Test func `an existing file stays unless it is to be replaced, and then until the copy is whole`()
    async throws
  {
    let database = try await makeLargeDatabase(at: path)
    try RawFile.write([1, 2, 3], to: target)
    let error = await asyncFailure { () async throws(SQLiteError) in
      _ = try await backup(of: path, to: target)
    }
    #expect(error?.code == .fileExists)
    #expect(error?.message.contains(target) == true)
    #expect(try RawFile.bytes(of: target) == [1, 2, 3])
    _ = try await backup(of: path, to: target, replaces: true) { [target] _ in
      #expect((try? RawFile.bytes(of: target)) == [1, 2, 3])
    }
    #expect(try films(in: target) == [1, 2, 3])
    await database.close()
  }

  @Test(arguments: ["a.db", "a.db-wal", "a.db-shm", "a.db-journal", "a.db-gate", "other-name-of-a.db"])
  func `the database's own files are no place for it`(name: String) async throws {
    let database = try await makeLargeDatabase(at: path)
    #expect(link(path, directory.file("other-name-of-a.db")) == 0)
    let before = try directory.names()
    let error = await asyncFailure { () async throws(SQLiteError) in
      _ = try await backup(of: path, to: directory.file(name), replaces: true)
    }
    #expect(error?.code == .cannotOpen)
    #expect(try directory.names() == before)
    #expect(try database.integer("SELECT count(*) FROM title") == 1_500)
    try await database.addFilm(9)
    await database.close()
  }

  @Test(arguments: ["other.db-wal", "other.db-shm", "other.db-journal", "other.db-gate"])
  func `the files of another database are no place for it`(name: String) async throws {
    let database = try await makeLargeDatabase(at: path)
    let other = try await Database.open(.file(directory.file("other.db")), migrator: filmMigrator)
    try await other.addFilm(1)
    let before = try directory.names()
    for replaces in [true, false] {
      let error = await asyncFailure { () async throws(SQLiteError) in
        _ = try await backup(of: path, to: directory.file(name), replaces: replaces)
      }
      #expect(error?.code == .cannotOpen)
      #expect(error?.message.contains(directory.file("other.db")) == true)
    }
    #expect(try directory.names() == before)
    await other.close()
    await database.close()
  }

  @Test func `an earlier one is replaced although it was used as a database`() async throws {
    let database = try await makeLargeDatabase(at: path)
    _ = try await backup(of: path, to: target)
    let copy = try await Database.open(.file(target), migrator: filmMigrator)
    try await copy.addFilm(4)
    await copy.close()
    #expect(RawFile.exists(target + "-gate"))
    _ = try await backup(of: path, to: target, replaces: true)
    #expect(try films(in: target) == [1, 2, 3])
    await database.close()
  }

  @Test(arguments: ["copy.db-wal", "copy.db-journal"])
  func `a log that is left there of another database is no place for it`(name: String) async throws {
    let database = try await makeLargeDatabase(at: path)
    try RawFile.write(Array(repeating: 7, count: 4_096), to: directory.file(name))
    let before = try directory.names()
    for replaces in [true, false] {
      let error = await asyncFailure { () async throws(SQLiteError) in
        _ = try await backup(of: path, to: target, replaces: replaces)
      }
      #expect(error?.code == .cannotOpen)
      #expect(error?.message.contains(name) == true)
    }
    #expect(try directory.names() == before)
    await database.close()
  }

  @Test func `a folder, a link, and a place in no folder are refused`() async throws {
    let database = try await makeLargeDatabase(at: path)
    #expect(symlink("a.db", directory.file("link")) == 0)
    let before = try directory.names()
    for place in [directory.path, directory.file("link"), directory.file("none/copy.db"), ""] {
      let error = await asyncFailure { () async throws(SQLiteError) in
        _ = try await backup(of: path, to: place, replaces: true)
      }
      #expect(error?.code == .cannotOpen)
    }
    #expect(try directory.names() == before)
    await database.close()
  }

  @Test func `a cancelled one leaves nothing`() async throws {
    let database = try await makeLargeDatabase(at: path)
    let before = try directory.names()
    let (path, target) = (path, target)
    let running = Lock<Task<SQLiteError?, Never>?>(nil)
    let (isKnown, known) = AsyncStream.makeStream(of: Void.self)
    let task = Task { () -> SQLiteError? in
      for await _ in isKnown {}
      return await asyncFailure { () async throws(SQLiteError) in
        _ = try await backup(of: path, to: target) { _ in running.withLock { $0?.cancel() } }
      }
    }
    running.withLock { $0 = task }
    known.finish()
    #expect(await task.value?.code == .interrupted)
    #expect(try directory.names() == before)
    #expect(try await database.integrityCheck() == [])
    #expect(try await database.checkpoint().isComplete)
    await database.close()
  }
}

@Suite struct `When a backup cannot be made` {
  let directory: TemporaryDirectory
  let path: String
  let target: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.db")
    target = directory.file("copy.db")
  }

  @Test func `of a damaged database, an earlier one stays`() async throws {
    let database = try await makeLargeDatabase(at: path)
    await database.close()
    var bytes = try RawFile.bytes(of: path)
    for index in (bytes.count / 2)..<(bytes.count / 2 + 3_000) { bytes[index] = 0xa5 }
    try RawFile.write(bytes, to: path)
    try RawFile.write([1, 2, 3], to: target)
    let before = try directory.names()
    let error = await asyncFailure { () async throws(SQLiteError) in
      _ = try await backup(of: path, to: target, replaces: true)
    }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains("damaged") == true)
    #expect(try RawFile.bytes(of: target) == [1, 2, 3])
    #expect(try RawFile.bytes(of: path) == bytes)
    #expect(Set(try directory.names()).subtracting(before).allSatisfy { $0.hasPrefix("a.db-") })
  }

  @Test func `of what is absent, foreign, newer or no database, nothing is made`() async throws {
    func code(_ path: String) async -> ResultCode? {
      await asyncFailure { () async throws(SQLiteError) in _ = try await backup(of: path, to: target) }?.code
    }
    #expect(await code(directory.file("none.db")) == .cannotOpen)
    #expect(try directory.names() == [])
    try RawFile.write(Array("a text of some length, and no database at all".utf8), to: path)
    #expect(await code(path) == .notADatabase)
    try Connection(location: .file(directory.file("f.db"))).execute(
      "PRAGMA application_id = 7; CREATE TABLE t (x)")
    #expect(await code(directory.file("f.db")) == .foreignDatabase)
    try Connection(location: .file(directory.file("n.db"))).execute(
      "PRAGMA application_id = \(filmMigrator.applicationID); PRAGMA user_version = 3; CREATE TABLE t (x)")
    #expect(await code(directory.file("n.db")) == .newerSchema)
    #expect(!RawFile.exists(target))
  }

  @Test func `an older schema is kept as it is`() async throws {
    let older = Migrator(
      applicationID: filmMigrator.applicationID, migrations: [filmMigrator.migrations[0]])
    await (try Database.open(.file(path), migrator: older)).close()
    let report = try await backup(of: path, to: target)
    #expect(report.schemaVersion == 1)
    #expect(report.tables == [TableSize(name: "film", rowCount: 0)])
    #expect(try Connection(location: .file(path), mode: .readOnly).integer("PRAGMA user_version") == 1)
  }

  @Test func `a disk that takes no more leaves nothing of it`() async throws {
    let database = try await makeLargeDatabase(at: path)
    await database.close()
    let before = try directory.names()
    await #expect(processExitsWith: .success) { [path = path as String, target = target as String] in
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 2_000_000, rlim_max: 2_000_000)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let error = await asyncFailure { () async throws(SQLiteError) in
        _ = try await DatabaseBackup(of: path, to: target, replaces: false, migrator: filmMigrator).run()
      }
      try #require(error?.code.primary == .inputOutput || error?.code == .full)
    }
    #expect(try directory.names() == before)
    #expect(try Connection(location: .file(path), mode: .readOnly).integrityCheck() == [])
  }

  @Test func `a source and its folder that can only be read are no hindrance`() async throws {
    let database = try await makeLargeDatabase(at: path)
    await database.close()
    let folder = directory.file("elsewhere")
    #expect(mkdir(folder, 0o777) == 0 && chmod(folder, 0o777) == 0)
    for name in try directory.names() where name != "elsewhere" {
      #expect(chmod(directory.file(name), 0o444) == 0)
    }
    #expect(chmod(directory.path, 0o555) == 0)
    await #expect(processExitsWith: .success) { [path = path as String, folder = folder as String] in
      try await ChildProcess.asNobody {
        let report = try await DatabaseBackup(
          of: path, to: folder + "/copy.db", replaces: false, migrator: filmMigrator
        ).run()
        try #require(report.tables.map(\.rowCount) == [3, 1_500])
        let error = await asyncFailure { () async throws(SQLiteError) in
          _ = try await DatabaseBackup(of: path, to: path + ".bak", replaces: false, migrator: filmMigrator)
            .run()
        }
        try #require(error?.code == .cannotOpen)
        try #require(error?.message.contains("Permission denied") == true)
      }
    }
    #expect(chmod(directory.path, 0o755) == 0)
  }
}

@Suite struct `When a file is looked at` {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.db")
  }

  @Test func `its header is told, whoever's it is, and no trace is left`() async throws {
    let database = try await makeLargeDatabase(at: path)
    await database.close()
    let before = try directory.names()
    let header = try #require(try await FileReader(path: path).header())
    #expect(header.applicationID == filmMigrator.applicationID)
    #expect(header.userVersion == 2)
    #expect(header.pageCount * header.pageSize == (try RawFile.bytes(of: path).count))
    #expect(try directory.names() == before)
    #expect(try await FileReader(path: directory.file("none.db")).header() == nil)
    #expect(try directory.names() == before)
  }

  @Test func `what the log holds counts`() async throws {
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    try await database.checkpoint()
    try await database.execute("PRAGMA user_version = 1")
    #expect(try await FileReader(path: path).header()?.userVersion == 1)
    await database.close()
  }

  @Test func `rows that refer to nothing are found`() throws {
    let connection = try Connection(location: .file(path))
    try connection.execute(
      """
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent REFERENCES parent (id));
      PRAGMA foreign_keys = OFF;
      INSERT INTO child VALUES (1, 7), (2, NULL), (3, 8)
      """)
    #expect(
      try connection.foreignKeyViolations(limit: 10)
        == ["row 1 of child refers to no row of parent", "row 3 of child refers to no row of parent"])
    #expect(try connection.foreignKeyViolations(limit: 1).count == 1)
  }

  @Test func `a long statement ends when it is cancelled`() async throws {
    await (try Database.open(.file(path), migrator: filmMigrator)).close()
    let begun = Lock(false)
    let reader = FileReader(path: path)
    let task = Task {
      await asyncFailure { () async throws(SQLiteError) in
        _ = try await reader.read { connection, _ throws(SQLiteError) in
          begun.withLock { $0 = true }
          return try connection.integer(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
        }
      }
    }
    while !begun.withLock({ $0 }) { await Task.yield() }
    task.cancel()
    #expect(await task.value?.code == .interrupted)
  }

  @Test func `a name that needs quotes is a name`() {
    #expect("plain".quotedAsIdentifier == "\"plain\"")
    #expect("a\"b; DROP".quotedAsIdentifier == "\"a\"\"b; DROP\"")
  }
}
