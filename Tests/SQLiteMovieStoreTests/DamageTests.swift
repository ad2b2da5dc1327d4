import CatalogEngine
import SQLiteBinding
import SQLiteMovieStore
import Testing

/// A file of a store that is edited, while nobody has it open, by a hand that is not the store's.
private struct EditedFile {
  let path: String

  func withStore<Result>(_ body: (SQLiteMovieStore) async throws -> Result) async throws -> Result {
    let store = try await SQLiteMovieStore(.file(path))
    do {
      let result = try await body(store)
      await store.close()
      return result
    } catch {
      await store.close()
      throw error
    }
  }

  func edit(_ script: String) throws {
    let connection = try Connection(location: .file(path), configuration: ConnectionConfiguration())
    try connection.execute(script)
  }

  func number(_ sql: String) throws -> Int? {
    let connection = try Connection(location: .file(path), configuration: ConnectionConfiguration())
    return try connection.firstValue(sql) { row throws(SQLiteError) in try row.int(at: 0) }
  }
}

private func withEditedFile(_ body: (EditedFile) async throws -> Void) async throws {
  try await withTemporaryFolder { folder async throws in
    try await body(EditedFile(path: folder + "/movies.db"))
  }
}

@Suite struct `When storing an answer fails midway` {
  /// The last things that a commit writes: by then everything else of it is written.
  @Test(arguments: ["BEFORE INSERT ON change", "BEFORE UPDATE OF completed_at ON list_generation"])
  func `nothing of it is stored`(moment: String) async throws {
    try await withEditedFile { file async throws in
      let before = try await file.withStore { store in
        _ = try await store.commit(answer(moviePage(of: 2, ["M1", "M2"])), in: nil)
        _ = try await store.beginGeneration(of: .movies, upstream: kobis, at: noon)
        _ = try await store.commit(answer(moviePage(of: 2, ["M1", "M2"])), in: nil)
        _ = try await store.beginGeneration(of: .movies, upstream: kobis, at: .hours(1))
        return try await store.movies(ListingQuery(), upstream: kobis)
      }
      try file.edit("CREATE TRIGGER full \(moment) BEGIN SELECT RAISE(ABORT, 'no room'); END")
      let page = moviePage(of: 2, [listedMovie("M1", title: "다른 이름"), listedMovie("M3")])
      try await file.withStore { store in
        let run = try await store.beginRun(at: noon, planned: 1)
        let error = await #expect(throws: StoreError.self) {
          try await store.commit(answer(page, at: .hours(2)), in: run)
        }
        #expect(error?.message.contains("no room") == true)
        #expect(try await store.movies(ListingQuery(), upstream: kobis) == before)
        let entry = try await store.entry(for: id(.page(.movies, 1)))
        #expect(entry?.value == moviePage(of: 2, ["M1", "M2"]))
        #expect(entry?.record.fetchedAt == noon && entry?.record.revision == 1)
        let generation = try await store.generation(of: .movies, upstream: kobis)
        #expect(generation?.totalCount == nil && generation?.completedAt == nil)
        #expect(try await store.changes(ChangeQuery(), upstream: kobis).isEmpty)
        #expect(try await store.runs(limit: 1).first?.revisedCount == 0)
      }
      // Once there is room, it goes through.
      try file.edit("DROP TRIGGER full")
      try await file.withStore { store in
        _ = try await store.commit(answer(page, at: .hours(2)), in: nil)
        #expect(try await store.entry(for: id(.page(.movies, 1)))?.value == page)
        #expect(try await store.generation(of: .movies, upstream: kobis)?.completedAt == .hours(2))
        let changes = try await store.changes(ChangeQuery(), upstream: kobis)
        #expect(changes.map(\.difference.kind) == [.corrected, .appeared, .vanished])
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `nothing is stored of what comes after the lease was taken over`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.beginGeneration(of: .movies, upstream: kobis, at: noon)
      func ticket(_ holder: String, at instant: Timestamp) async throws -> CallTicket? {
        let admission = try await store.admit(
          CallRequest(
            resource: id(.page(.movies, 1)), holder: LeaseHolder(rawValue: holder), instant: instant,
            leaseDuration: .seconds(50)))
        guard case .admitted(let ticket) = admission else { return nil }
        return ticket
      }
      let late = try #require(try await ticket("one", at: noon))
      let current = try #require(try await ticket("two", at: .hours(1)))
      let error = await #expect(throws: StoreError.self) {
        try await store.commit(answer(moviePage(of: 1, ["M1"]), at: .hours(1)), in: nil, settling: late)
      }
      #expect(error?.code == .leaseLost)
      #expect(try await store.record(for: id(.page(.movies, 1))) == nil)
      #expect(try await store.movies(ListingQuery(), upstream: kobis).rows.isEmpty)
      #expect(try await store.generation(of: .movies, upstream: kobis)?.totalCount == nil)
      _ = try await store.commit(
        answer(moviePage(of: 1, ["M2"]), at: .hours(1)), in: nil, settling: current)
      #expect(try await store.generation(of: .movies, upstream: kobis)?.completedAt == .hours(1))
      #expect(try await store.movies(ListingQuery(), upstream: kobis).rows.map(\.movie.code.text) == ["M2"])
    }
  }
}

@Suite struct `When what is stored cannot be read` {
  struct Damage: Sendable, CustomTestStringConvertible {
    var value: CatalogValue
    var script: String
    var testDescription: String { script }
  }

  static let damages = [
    Damage(
      value: .personDetails(personDetails),
      script: "UPDATE person_film SET movie_code = '?' WHERE position = 2"),
    Damage(value: .companyDetails(companyDetails), script: "UPDATE company_film SET movie_code = ''"),
    Damage(value: .personDetails(personDetails), script: "DELETE FROM person_details"),
    Damage(
      value: moviePage(of: 2, ["M1", "M2"]),
      script: "UPDATE listed_movie SET opened_on = 20229999 WHERE movie_code = 'M1'"),
    Damage(
      value: moviePage(of: 2, ["M1", "M2"]),
      script: "UPDATE listed_movie_company SET company_code = '-' WHERE position = 1"),
    Damage(
      value: moviePage(of: 2, ["M1", "M2"]), script: "DELETE FROM listed_movie WHERE movie_code = 'M2'"),
    Damage(value: moviePage(of: 2, ["M1", "M2"]), script: "DELETE FROM list_page"),
    Damage(
      value: moviePage(of: 2, ["M1", "M2"]),
      script: "UPDATE list_page_row SET position = 7 WHERE position = 1"),
    Damage(
      value: .boxOffice(chart(daily, filter: korean)),
      script: "PRAGMA foreign_keys = OFF; UPDATE chart_entry SET movie_code = '?' WHERE position = 2"),
  ]

  @Test(arguments: damages)
  func `the next answer mends it`(damage: Damage) async throws {
    try await withEditedFile { file async throws in
      let id = id(damage.value.subject)
      try await file.withStore { store in
        _ = try await store.beginGeneration(of: .movies, upstream: kobis, at: noon)
        _ = try await store.commit(answer(damage.value), in: nil)
      }
      try file.edit(damage.script)
      try await file.withStore { store in
        // Either it is refused by name, or it is missing; a wrong value is given in no case.
        do throws(StoreError) {
          #expect(try await store.entry(for: id)?.value == nil)
        } catch {
          #expect(error.code == .corrupt)
        }
        let receipt = try await store.commit(answer(damage.value, at: .hours(1)), in: nil)
        #expect(receipt.outcome == .revised)
        #expect(try await store.entry(for: id) == receipt.entry)
        #expect(receipt.entry.value == damage.value)
      }
      #expect(
        try file.number("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'") == 0)
    }
  }
}

@Suite struct `What a store keeps has a bound` {
  @Test func `of changes the oldest go`() async throws {
    try await withEditedFile { file async throws in
      try await file.withStore { store in
        _ = try await store.commit(answer(.boxOffice(chart(daily))), in: nil)
      }
      // As if a hundred thousand changes had been stored since.
      try file.edit(
        """
        WITH RECURSIVE number (value) AS (SELECT 2 UNION ALL SELECT value + 1 FROM number WHERE value < 100999)
        INSERT INTO change (change_id, at, upstream, resource_kind, resource_key, revision, kind)
        SELECT value, 0, 'kobis', 'codes', 'areas', 1, 'appeared' FROM number
        """)
      try await file.withStore { store in
        _ = try await store.commit(answer(.codes(areas)), in: nil)
        let changes = try await store.changes(ChangeQuery(limit: 1), upstream: kobis)
        #expect(changes.map(\.id.rawValue) == [1001])
        let last = try await store.changes(ChangeQuery(since: noon), upstream: kobis)
        #expect(last.map(\.id.rawValue) == [101_000])
      }
      #expect(try file.number("SELECT count(*) FROM change") == 100_000)
    }
  }

  @Test func `of goes through a list the latest stay, and the latest complete one`() async throws {
    try await withEditedFile { file async throws in
      try await file.withStore { store in
        _ = try await store.beginGeneration(of: .people, upstream: kobis, at: noon)
        for hour in 0..<2 {
          _ = try await store.beginGeneration(of: .movies, upstream: kobis, at: .hours(hour))
          _ = try await store.commit(answer(moviePage(of: 1, ["M1"]), at: .hours(hour)), in: nil)
        }
        for hour in 2..<125 {
          _ = try await store.beginGeneration(of: .movies, upstream: kobis, at: .hours(hour))
        }
        #expect(try await store.movies(ListingQuery(), upstream: kobis).completedAt == .hours(1))
        #expect(try await store.generation(of: .movies, upstream: kobis)?.startedAt == .hours(124))
        #expect(try await store.generation(of: .people, upstream: kobis)?.startedAt == noon)
      }
      #expect(try file.number("SELECT count(*) FROM list_generation WHERE list = 'movies'") == 101)
    }
  }
}
