import CatalogEngine
import Foundation
import MovieMigrations
import SQLiteBinding
import SQLiteMovieStore
import Testing

@Suite struct `Opening a store` {
  /// The bytes of every file in a folder, by name.
  func contents(of folder: String) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, try Data(contentsOf: URL(filePath: folder).appending(path: $0)))
      })
  }

  /// The code with which a path is refused.
  func refusal(of path: String) async -> StoreError? {
    await #expect(throws: StoreError.self) { _ = try await SQLiteMovieStore(.file(path)) }
  }

  func makeDatabase(_ path: String, _ script: String) throws {
    let connection = try Connection(location: .file(path), configuration: ConnectionConfiguration())
    try connection.execute(script)
  }

  @Test func `refuses a database of another application and leaves it untouched`() async throws {
    try await withTemporaryFolder { folder async throws in
      let path = folder + "/notes.db"
      try makeDatabase(
        path, "PRAGMA application_id = 7; CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('x')")
      let before = try contents(of: folder)
      let error = await refusal(of: path)
      #expect(error?.code == .foreign)
      #expect(error?.message.contains(path) == true)
      #expect(try contents(of: folder)["notes.db"] == before["notes.db"])
    }
  }

  @Test func `refuses a database of a later version and leaves it untouched`() async throws {
    try await withTemporaryFolder { folder async throws in
      let path = folder + "/movies.db"
      try makeDatabase(
        path,
        "PRAGMA application_id = \(MovieMigrations.applicationID); PRAGMA user_version = 9999; CREATE TABLE t (x)"
      )
      let before = try contents(of: folder)
      let error = await refusal(of: path)
      #expect(error?.code == .newer)
      #expect(error?.message.contains("9999") == true)
      #expect(try contents(of: folder)["movies.db"] == before["movies.db"])
    }
  }

  @Test func `refuses what is no database and leaves it untouched`() async throws {
    try await withTemporaryFolder { folder async throws in
      let path = folder + "/notes.txt"
      try Data("Dear diary, this is a text and no database at all.".utf8).write(to: URL(filePath: path))
      let before = try contents(of: folder)
      #expect(await refusal(of: path)?.code == .notADatabase)
      #expect(try contents(of: folder)["notes.txt"] == before["notes.txt"])
    }
  }

  @Test func `refuses a folder and a place in a folder that is not there`() async throws {
    try await withTemporaryFolder { folder async throws in
      #expect(await refusal(of: folder)?.code == .unreadable)
      #expect(await refusal(of: folder + "/none/movies.db")?.code == .unreadable)
      #expect(try contents(of: folder).isEmpty)
    }
  }

  @Test func `refuses a symbolic link`() async throws {
    try await withTemporaryFolder { folder async throws in
      try makeDatabase(folder + "/real.db", "CREATE TABLE t (x)")
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link.db", withDestinationPath: folder + "/real.db")
      #expect(await refusal(of: folder + "/link.db")?.code == .unreadable)
    }
  }

  @Test func `makes one schema when many open a new file at once`() async throws {
    try await withTemporaryFolder { folder async throws in
      let path = folder + "/movies.db"
      try await withThrowingTaskGroup { group in
        for number in 1...8 {
          group.addTask {
            let store = try await SQLiteMovieStore(.file(path))
            _ = try await store.commit(answer(.boxOffice(chart(.daily(day(20_220_100 + number))))), in: nil)
            await store.close()
          }
        }
        try await group.waitForAll()
      }
      let store = try await SQLiteMovieStore(.file(path))
      #expect(try await store.records(of: .dailyBoxOffice, upstream: kobis, keys: "2022"..."2023").count == 8)
      await store.close()
    }
  }

  @Test func `keeps what it stored when it is opened again`() async throws {
    try await withTemporaryFolder { folder async throws in
      let first = try await SQLiteMovieStore(.file(folder + "/movies.db"))
      let stored = try await first.commit(answer(.boxOffice(chart(daily))), in: nil)
      await first.close()
      let second = try await SQLiteMovieStore(.file(folder + "/movies.db"))
      #expect(try await second.entry(for: dailyID) == stored.entry)
      await second.close()
    }
  }

  /// One database of each released schema, made by the release of that schema from the recorded week.
  @Test(arguments: MovieMigrations.steps.map(\.version))
  func `opens a database of every released schema with all that is in it`(version: Int) async throws {
    let fixture = try #require(
      Bundle.module.url(forResource: "schema-\(version)", withExtension: "db", subdirectory: "Schemas"),
      "a new schema comes with a database of it in Tests/SQLiteMovieStoreTests/Schemas")
    try await withTemporaryFolder { folder async throws in
      let path = folder + "/movies.db"
      try FileManager.default.copyItem(at: fixture, to: URL(filePath: path))
      let store = try await SQLiteMovieStore(.file(path))
      let summary = try await store.summary(upstream: kobis, failureLimit: 10)
      #expect(summary.schemaVersion == MovieMigrations.steps.last?.version)
      let stored = Dictionary(uniqueKeysWithValues: summary.kinds.map { ($0.kind, $0.storedCount) })
      #expect(
        stored.filter { $0.value > 0 } == [
          .dailyBoxOffice: 7, .weeklyBoxOffice: 1, .weekendBoxOffice: 1, .movieDetails: 13,
        ])
      let saturday = ResourceID(upstream: kobis, subject: .boxOffice(.daily(day(20_190_713))))
      let entry = try #require(try await store.entry(for: saturday))
      #expect(entry.record.provenance == .recorded)
      guard case .boxOffice(let chart)? = entry.value else {
        Issue.record("no chart is stored")
        return
      }
      #expect(chart.entries.map(\.position) == Array(1...10))
      #expect(chart.entries[0].audienceTotal == 6_203_799)
      let movie = ResourceID(upstream: kobis, subject: .movieDetails(code("20196309")))
      guard case .movieDetails(let details)? = try await store.entry(for: movie)?.value else {
        Issue.record("no details are stored")
        return
      }
      #expect(details.runningMinutes == 129)
      await store.close()
      let connection = try Connection(location: .file(path), configuration: ConnectionConfiguration())
      #expect(try connection.integrityCheck().isEmpty)
    }
  }
}
