import Glibc
import SQLiteBinding
import Testing

/// SQLite's ROLLBACK fails only for want of memory, of which these tests leave it none; hence processes of
/// their own.
@Suite struct `When there is no memory to roll back` {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.db")
  }

  @Test func `a ROLLBACK prepared before needs none`() async throws {
    await #expect(processExitsWith: .success) { [path = path as String] in
      let database = try await Database.open(.file(path), migrator: filmMigrator)
      try await database.addFilm(1)
      let error = await database.failToWrite { connection in connection.leaveNoMemory() }
      try #require(error?.code == .abort)
      try #require(try writeLocks(onDatabase: path).isEmpty)
      let later = await asyncFailure { () async throws(SQLiteError) in try await database.addFilm(2) }
      try #require(later?.code != .closed)
    }
    try await expectFilms(sum: 1)
  }

  @Test func `the connection is closed before the gate is given back`() async throws {
    await #expect(processExitsWith: .success) { [path = path as String] in
      let database = try await Database.open(.file(path), migrator: filmMigrator)
      try await database.addFilm(1)
      let error = await database.failToWrite { connection in
        #expect(try !writeLocks(onDatabase: path).isEmpty)
        try connection.outdateStatements()
        connection.leaveNoMemory()
      }
      try #require(error?.code == .abort)
      try #require(try writeLocks(onDatabase: path).isEmpty)
      for _ in 0..<2 {
        let later = await asyncFailure { () async throws(SQLiteError) in try await database.addFilm(2) }
        try #require(later?.code == .closed)
        try #require(later?.message.contains("could not be rolled back") == true)
      }
      await database.close()
    }
    try await expectFilms(sum: 1)
  }

  @Test func `one in memory is closed, rather than show what was not committed`() async throws {
    await #expect(processExitsWith: .success) {
      let database = try await Database.open(.memory, migrator: filmMigrator)
      try await database.addFilm(1)
      let error = await database.failToWrite { connection in
        try connection.outdateStatements()
        connection.leaveNoMemory()
      }
      try #require(error?.code == .abort)
      for _ in 0..<2 {
        let read = failure { () throws(SQLiteError) in
          _ = try database.readOne { connection throws(SQLiteError) in
            try connection.integer("SELECT sum(code) FROM film")
          }
        }
        try #require(read?.code == .closed)
        try #require(read?.message.contains("could not be rolled back") == true)
      }
      let write = await asyncFailure { () async throws(SQLiteError) in try await database.addFilm(2) }
      try #require(write?.code == .closed)
      await database.close()
    }
  }

  private func expectFilms(sum: Int) async throws {
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    #expect(try database.integer("SELECT sum(code) FROM film") == sum)
    try await database.addFilm(100)
    await database.close()
  }
}

extension Database {
  /// Inserts a film, does what `body` says, and throws `abort`.
  fileprivate func failToWrite(_ body: @escaping @Sendable (Connection) throws -> Void) async -> SQLiteError?
  {
    await asyncFailure { () async throws(SQLiteError) in
      try await write { connection throws(SQLiteError) in
        try connection.execute("INSERT INTO film VALUES (10)")
        do {
          try body(connection)
        } catch {
          throw SQLiteError(code: .internal, message: "\(error)")
        }
        throw SQLiteError(code: .abort, message: "enough")
      }
    }
  }
}

extension Connection {
  /// Has SQLite prepare every statement anew at its next use: a change of a flag does.
  fileprivate func outdateStatements() throws(SQLiteError) {
    try execute("PRAGMA reverse_unordered_selects = ON")
  }

  /// Has SQLite allocate nothing for the rest of the process: the limit can only be lowered.
  fileprivate func leaveNoMemory() {
    // For want of memory it may fail to tell the new limit.
    _ = failure { () throws(SQLiteError) in try execute("PRAGMA hard_heap_limit = 1") }
  }
}

/// The exclusive locks on the index of a database's log.
private func writeLocks(onDatabase path: String) throws -> [Substring] {
  try locks(onFile: path + "-shm").filter { $0.contains(" WRITE ") }
}
