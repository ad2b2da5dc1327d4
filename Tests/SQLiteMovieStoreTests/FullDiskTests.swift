import CatalogEngine
import SQLiteBinding
import Testing

@testable import SQLiteMovieStore

@Suite struct `When a store's file can grow no more` {
  private let charts = (0..<10).map { offset in
    chart(.daily(day(20_100_101).advanced(by: offset)), movies: codes(0..<100))
  }
  private let page = moviePage(of: 100, codes(0..<100))

  /// Lends a store that holds the charts and takes no page more than it has; SQLite's own bound stands for the disk's.
  private func withFullStore(_ body: (SQLiteMovieStore) async throws -> Void) async throws {
    try await withTemporaryFolder { folder async throws in
      let store = try await SQLiteMovieStore(.file(folder + "/movies.db"))
      for chart in charts { _ = try await store.commit(answer(.boxOffice(chart)), in: nil) }
      // The schema's steps have left pages behind that hold nothing.
      _ = try await store.reclaimSpace(rewriting: true)
      _ = try await store.database.write { connection throws(StoreError) in
        // What is less than there are is taken for as many as there are.
        try connection.firstRow("PRAGMA max_page_count = 1", []) { row throws(SQLiteError) in
          try row.int(at: 0)
        }
      }
      try await body(store)
      await store.close()
    }
  }

  /// Checks that the file is sound, and holds so many charts, each with all of its rows.
  private func check(_ store: SQLiteMovieStore, chartCount: Int) async throws {
    let findings = try store.database.read { connection throws(SQLiteError) in
      try connection.integrityCheck()
    }
    #expect(findings.isEmpty)
    var count = 0
    for chart in charts {
      guard let entry = try await store.entry(for: id(.boxOffice(chart.period))) else { continue }
      #expect(entry.value == .boxOffice(chart))
      count += 1
    }
    #expect(count == chartCount)
  }

  @Test func `an answer is refused with what to do, and nothing of it is stored`() async throws {
    try await withFullStore { store in
      let error = await #expect(throws: StoreError.self) { try await store.commit(answer(page), in: nil) }
      #expect(error?.code == .full)
      #expect(
        error?.message.hasSuffix("; nothing stored is lost: make room on its disk, and try again") == true)
      #expect(try await store.entry(for: id(.page(.movies, 1))) == nil)
      #expect(
        try await store.changes(ChangeQuery(), upstream: kobis).allSatisfy { $0.difference.kind == .appeared }
      )
      try await check(store, chartCount: charts.count)
    }
  }

  @Test func `pruning makes the room, and the answer is stored`() async throws {
    try await withFullStore { store in
      let request = PruneRequest(upstream: kobis, keeping: .seconds(86_400), charts: true, at: noon)
      #expect(try await store.prune(request, limit: 8) == PruneCount(charts: 8))
      try await check(store, chartCount: charts.count - 8)
      #expect(try await store.commit(answer(page), in: nil).outcome == .fetched)
      #expect(try await store.entry(for: id(.page(.movies, 1)))?.value == page)
      try await check(store, chartCount: charts.count - 8)
    }
  }
}
