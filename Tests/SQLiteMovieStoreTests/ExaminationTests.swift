import CatalogEngine
import Foundation
import MovieMigrations
import SQLiteBinding
import SQLiteMovieStore
import Testing

@Suite struct `When a store's file is examined` {
  /// The bytes of every file in a folder, by name.
  private func contents(of folder: String) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, try Data(contentsOf: URL(filePath: folder).appending(path: $0)))
      })
  }

  @Test func `it is told whose it is and what its rows say, while it is open as well`() async throws {
    try await withTemporaryFolder { folder async throws in
      let path = folder + "/movies.db"
      let store = try await SQLiteMovieStore(.file(path))
      let run = try await store.beginRun(at: noon, planned: 3)
      _ = try await store.commit(answer(.boxOffice(chart(daily))), in: run)
      let examination = StoreExamination(of: path)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      let identity = try await examination.identity()
      #expect(identity?.owner == .own(schemaVersion: StoreExamination.latestSchemaVersion))
      #expect(try #require(identity).byteCount > 0)
      #expect(try await examination.damage() == [])
      let figures = try #require(
        try await examination.figures(of: kobis, on: CalendarDay(inKoreaAt: noon), at: noon))
      #expect(figures.lastRun?.id == run && figures.lastRun?.fetchedCount == 1)
      #expect(figures.newestFetchedAt == (try await store.entry(for: dailyID))?.record.fetchedAt)
      #expect(figures.quotaUse == QuotaUse() && figures.breaker == BreakerState())
      #expect(figures.setAsideCount == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names)
      await store.close()
    }
  }

  @Test func `nothing is made beside a file without a log, and nothing is there of one that is not`()
    async throws
  {
    try await withTemporaryFolder { folder async throws in
      let source = folder + "/source.db"
      let store = try await SQLiteMovieStore(.file(source))
      _ = try await store.commit(answer(.boxOffice(chart(daily))), in: nil)
      await store.close()
      let quiet = folder + "/quiet"
      try FileManager.default.createDirectory(atPath: quiet, withIntermediateDirectories: false)
      _ = try await SQLiteMovieStore.backUp(source, to: quiet + "/movies.db")
      let before = try contents(of: quiet)
      let examination = StoreExamination(of: quiet + "/movies.db")
      #expect(try await examination.identity() != nil)
      #expect(try await examination.damage() == [])
      #expect(
        try await examination.figures(of: kobis, on: CalendarDay(inKoreaAt: noon), at: noon)?.newestFetchedAt
          != nil)
      let absent = StoreExamination(of: quiet + "/absent.db")
      #expect(try await absent.identity() == nil)
      #expect(try await absent.damage() == nil)
      #expect(try contents(of: quiet) == before)
    }
  }

  @Test func `another application's and a later version's are told apart, and left alone`() async throws {
    try await withTemporaryFolder { folder async throws in
      let path = folder + "/movies.db"
      try Connection(location: .file(path)).execute(
        "PRAGMA application_id = 7; CREATE TABLE note (text TEXT)")
      let before = try contents(of: folder)
      #expect(try await StoreExamination(of: path).identity()?.owner == .foreign(applicationID: 7))
      #expect(try contents(of: folder)["movies.db"] == before["movies.db"])
      try Connection(location: .file(path)).execute(
        "PRAGMA application_id = \(MovieMigrations.applicationID); PRAGMA user_version = 9999")
      #expect(try await StoreExamination(of: path).identity()?.owner == .newer(schemaVersion: 9999))
    }
  }

  @Test func `a row that refers to none is damage`() async throws {
    try await withTemporaryFolder { folder async throws in
      let path = folder + "/movies.db"
      try await SQLiteMovieStore(.file(path)).close()
      try Connection(location: .file(path)).execute(
        "PRAGMA foreign_keys = OFF; INSERT INTO movie_nation VALUES (1, 1, '한국')")
      let damage = try #require(try await StoreExamination(of: path).damage())
      #expect(damage.count == 1)
      #expect(damage.first?.hasSuffix(" of movie_nation refers to no row of movie_details") == true)
    }
  }

  @Test func `a text is no database`() async throws {
    try await withTemporaryFolder { folder async throws in
      let path = folder + "/notes.txt"
      try Data(String(repeating: "Dear diary. ", count: 50).utf8).write(to: URL(filePath: path))
      let error = await #expect(throws: StoreError.self) { try await StoreExamination(of: path).identity() }
      #expect(error?.code == .notADatabase)
    }
  }
}
