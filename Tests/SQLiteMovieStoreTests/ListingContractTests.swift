import CatalogEngine
import SQLiteMovieStore
import Testing

@Suite struct `Any movie store, of what it knows of movies` {
  @Test(arguments: StoreKind.allCases)
  func `puts the latest openings first, and those without one last, by code`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      var rows = ["B2", "A1", "C3", "D4"].map { listedMovie($0) }
      rows[1].openedOn = day(20_210_101)
      rows[2].openedOn = nil
      _ = try await store.commit(answer(moviePage(of: 4, rows)), in: nil)
      // These two stand in charts alone; the second has no opening.
      _ = try await store.commit(answer(.boxOffice(chart(daily, movies: ["AA", "BB"]))), in: nil)
      let all = try await store.movies(ListingQuery(), upstream: kobis)
      #expect(all.rows.map(\.movie.code.text) == ["AA", "B2", "D4", "A1", "BB", "C3"])
      #expect(all.totalCount == 6 && all.completedAt == nil)
      #expect(all.rows[1].movie == rows[0])
      #expect(
        all.rows[0].movie == ListedMovie(code: code("AA"), title: "영화 AA\u{0} '", openedOn: day(20_220_105)))
      let some = try await store.movies(ListingQuery(offset: 2, limit: 2), upstream: kobis)
      #expect(some.rows == Array(all.rows[2..<4]))
      #expect(some.totalCount == 6)
      #expect(try await store.movies(ListingQuery(offset: 6), upstream: kobis).rows.isEmpty)
      let theirs = try await store.movies(ListingQuery(), upstream: UpstreamID("other"))
      #expect(theirs.rows.isEmpty && theirs.totalCount == 0)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `says of a movie that no list had what its details say`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.commit(answer(.movieDetails(details)), in: nil)
      let known = try await store.movies(ListingQuery(), upstream: kobis).rows
      #expect(
        known == [
          KnownMovie(
            movie: ListedMovie(
              code: details.code, title: details.title, titleEnglish: details.titleEnglish,
              productionYear: 2020,
              openedOn: day(20_220_105), type: "장편", status: "개봉", nations: "한국,미국", genres: "범죄,드라마",
              mainNation: "한국", mainGenre: "범죄", directors: ["이규만", "김감독"],
              companies: [.init(code: company("20100001"), name: "가")]), hasDetails: true)
        ])
      // The list's own row goes before.
      _ = try await store.commit(answer(moviePage(of: 1, ["20199882"])), in: nil)
      let listed = try await store.movies(ListingQuery(), upstream: kobis)
      #expect(listed.rows == [KnownMovie(movie: listedMovie("20199882"), hasDetails: true)])
      #expect(listed.totalCount == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `tells the latest runs, the latest first`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      #expect(try await store.runs(limit: 10).isEmpty)
      var runs: [StoreSummary.Run] = []
      for hour in 0..<3 {
        let run = try await store.beginRun(at: .hours(hour), planned: hour)
        _ = try await store.commit(answer(.boxOffice(chart(daily))), in: run)
        runs.append(
          StoreSummary.Run(
            id: run, startedAt: .hours(hour), plannedCount: hour, fetchedCount: hour == 0 ? 1 : 0,
            unchangedCount: hour == 0 ? 0 : 1))
      }
      #expect(try await store.runs(limit: 10) == runs.reversed())
      #expect(try await store.runs(limit: 2) == runs.reversed().dropLast())
      #expect(try await store.runs(limit: 0).isEmpty)
    }
  }
}
