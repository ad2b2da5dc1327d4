import CatalogEngine
import SQLiteMovieStore
import Testing

/// An answer of each type, and one that corrects it.
private let values: [(first: CatalogValue, corrected: CatalogValue)] = [
  (
    .boxOffice(chart(.weekdays(containing: day(20_220_105)))),
    .boxOffice(chart(.weekdays(containing: day(20_220_105)), audience: 1))
  ),
  (.boxOffice(chart(daily, filter: korean)), .boxOffice(chart(daily, filter: korean, audience: 1))),
  (.movieDetails(details), .movieDetails(with(details) { $0.staff = [] })),
  (.personDetails(personDetails), .personDetails(with(personDetails) { $0.filmography.removeLast() })),
  (.companyDetails(companyDetails), .companyDetails(with(companyDetails) { $0.parts = [] })),
  (.codes(areas), .codes(with(areas) { $0.entries[1].nameEnglish = "Gyeonggi" })),
  (moviePage(of: 2, ["20199882", "2023C165"]), moviePage(of: 3, ["2023C165", "20210028"])),
  (
    .companyPage(CatalogPage(number: 2, totalCount: 101, rows: [listedCompany("1")])),
    .companyPage(CatalogPage(number: 2, totalCount: 102, rows: [listedCompany("2"), listedCompany("1")]))
  ),
  (
    .peoplePage(CatalogPage(number: 1, totalCount: 1, rows: [listedPerson("1")])),
    .peoplePage(CatalogPage(number: 1, totalCount: 1, rows: [listedPerson("1", role: nil)]))
  ),
]

private func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var value = value
  change(&value)
  return value
}

@Suite struct `Any movie store, of every type of answer` {
  @Test(arguments: StoreKind.allCases)
  func `gives back exactly what was stored, and what corrected it`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      for (first, corrected) in values {
        let id = id(first.subject)
        #expect(try await store.entry(for: id) == nil)
        let fetched = try await store.commit(answer(first), in: nil)
        #expect(fetched.outcome == .fetched)
        #expect(try await store.entry(for: id) == fetched.entry)
        #expect(fetched.entry.value == first)
        #expect(try await store.commit(answer(first, at: .hours(1)), in: nil).outcome == .unchanged)
        let revised = try await store.commit(answer(corrected, at: .hours(2)), in: nil)
        #expect(revised.outcome == .revised)
        let entry = try await store.entry(for: id)
        #expect(entry == revised.entry)
        #expect(entry?.value == corrected)
        #expect(entry?.record.revision == 2)
        #expect(entry?.record.fetchedAt == .hours(2))
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps live data against samples, and rows against nothing`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      for (first, corrected) in values {
        _ = try await store.commit(answer(first, from: .recorded), in: nil)
        #expect(try await store.commit(answer(corrected), in: nil).outcome == .revised)
        let kept = try await store.commit(answer(first, from: .recorded, at: .hours(1)), in: nil)
        #expect(kept.outcome == .kept)
        #expect(try await store.entry(for: id(first.subject))?.value == corrected)
        #expect(try await store.entry(for: id(first.subject))?.record.fetchedAt == noon)
      }
      let nothing: [CatalogValue] = [
        .codes(CodeTable(list: .areas, entries: [])), moviePage(of: 0, [String]()),
        moviePage(of: 100, [String]()),
        .peoplePage(CatalogPage(number: 1, totalCount: 500, rows: [])),
        .boxOffice(BoxOffice(period: daily, filter: korean, entries: [])),
      ]
      for empty in nothing {
        #expect(try await store.commit(answer(empty, at: .hours(2)), in: nil).outcome == .kept)
        #expect(try await store.entry(for: id(empty.subject))?.record.isEmpty == false)
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps what two upstreams say apart`(kind: StoreKind) async throws {
    let other = UpstreamID("other")
    try await kind.withStore { store in
      for (ours, theirs) in values {
        _ = try await store.commit(answer(ours), in: nil)
        _ = try await store.commit(
          FetchedAnswer(
            resource: ResourceID(upstream: other, subject: theirs.subject), value: theirs,
            provenance: .host("other.example"), fetchedAt: noon), in: nil)
        #expect(try await store.entry(for: id(ours.subject))?.value == ours)
        let id = ResourceID(upstream: other, subject: theirs.subject)
        #expect(try await store.entry(for: id)?.value == theirs)
      }
      #expect(try await store.people(ListingQuery(), upstream: kobis).rows.map(\.person.role) == ["배우"])
      #expect(try await store.people(ListingQuery(), upstream: other).rows.map(\.person.role) == [nil])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `takes lists in another order for the same answer`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.commit(answer(.personDetails(personDetails)), in: nil)
      _ = try await store.commit(answer(.companyDetails(companyDetails)), in: nil)
      let shuffled: [CatalogValue] = [
        .personDetails(
          with(personDetails) {
            $0.homepages.reverse()
            $0.filmography.reverse()
          }),
        .companyDetails(with(companyDetails) { $0.parts.reverse() }),
      ]
      for value in shuffled {
        #expect(try await store.commit(answer(value), in: nil).outcome == .unchanged)
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps charts of a part apart from the whole`(kind: StoreKind) async throws {
    let seoul = try #require(BoxOfficeFilter(origin: .korean, filmKind: .diversity, areaCode: "0105001"))
    try await kind.withStore { store in
      for (index, filter) in [BoxOfficeFilter.everything, korean, seoul].enumerated() {
        let value = CatalogValue.boxOffice(chart(daily, filter: filter, audience: Int64(index)))
        _ = try await store.commit(answer(value), in: nil)
      }
      for (index, filter) in [BoxOfficeFilter.everything, korean, seoul].enumerated() {
        let value = try await store.entry(for: id(.boxOffice(daily, filter)))?.value
        #expect(value == .boxOffice(chart(daily, filter: filter, audience: Int64(index))))
      }
      let whole = try await store.records(of: .dailyBoxOffice, upstream: kobis, keys: "20220101"..."20221231")
      #expect(whole.keys.map(\.subject) == [.boxOffice(daily)])
      let part = try await store.records(
        of: .dailyBoxOffice, upstream: kobis, keys: "korean/20220101"..."korean/20221231")
      #expect(part.keys.map(\.subject) == [.boxOffice(daily, korean)])
      let appearances = try await store.appearances(of: code("20199882"), upstream: kobis, limit: 10)
      #expect(Set(appearances.map(\.filter)) == [.everything, korean, seoul])

      let kinds = try await store.summary(upstream: kobis, failureLimit: 0).kinds
      let charts = try #require(kinds.first { $0.kind == .dailyBoxOffice })
      #expect(charts.storedCount == 3)
      #expect(charts.firstKey == "20220105" && charts.lastKey == "20220105")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `tells a row of a page as the latest page did, wherever it stands`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let rows = codes(0..<101).map { listedMovie($0) }
      _ = try await store.commit(answer(moviePage(1, of: 101, Array(rows[..<100]))), in: nil)
      _ = try await store.commit(answer(moviePage(2, of: 101, [rows[100]])), in: nil)
      // A new movie in front moves the others, and one of them was renamed meanwhile.
      let renamed = listedMovie(rows[99].code.text, title: "다른 이름")
      let receipt = try await store.commit(
        answer(moviePage(2, of: 102, [renamed, rows[100]]), at: .hours(1)), in: nil)
      #expect(receipt.outcome == .revised)
      let first = try await store.entry(for: id(.page(.movies, 1)))?.value
      #expect(first == moviePage(1, of: 101, rows[..<99] + [renamed]))
      #expect(try await store.movies(ListingQuery(), upstream: kobis).totalCount == 101)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `takes no new length of a list for a revision of its pages`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let page = ["20199882", "20210028"]
      _ = try await store.commit(answer(moviePage(2, of: 102, page)), in: nil)
      let receipt = try await store.commit(answer(moviePage(2, of: 103, page), at: .hours(1)), in: nil)
      #expect(receipt.outcome == .unchanged && receipt.entry.record.revision == 1)
      let entry = try await store.entry(for: id(.page(.movies, 2)))
      #expect(entry == receipt.entry)
      #expect(entry?.value == moviePage(2, of: 103, page))
      #expect(entry?.record.fetchedAt == .hours(1))
      // Rows in another order are a revision, as is another row.
      let reversed = moviePage(2, of: 103, page.reversed())
      #expect(try await store.commit(answer(reversed, at: .hours(2)), in: nil).outcome == .revised)
      #expect(try await store.entry(for: id(.page(.movies, 2)))?.value == reversed)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `lets a page past the end of its list hold nothing`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.commit(answer(moviePage(2, of: 101, ["20199882"])), in: nil)
      let past = moviePage(2, of: 100, [String]())
      #expect(try await store.commit(answer(past, at: .hours(1)), in: nil).outcome == .revised)
      #expect(try await store.entry(for: id(.page(.movies, 2)))?.value == past)
      // The movie is still known.
      #expect(try await store.movies(ListingQuery(), upstream: kobis).totalCount == 1)
    }
  }
}

@Suite struct `Any movie store, of failures in a row` {
  @Test(arguments: StoreKind.allCases)
  func `counts them until the next success, and keeps until when the resource is set aside`(kind: StoreKind)
    async throws
  {
    try await kind.withStore { store in
      for count in 1...3 {
        let failure = CatalogFailure(
          .undecodable, "a field is missing", at: .hours(count), setAsideUntil: count == 2 ? .hours(9) : nil)
        try await store.recordFailure(failure, for: dailyID, at: .hours(count), in: nil)
        let record = try #require(try await store.record(for: dailyID))
        #expect(record.consecutiveFailureCount == count)
        #expect(record.lastFailure == failure)
      }
      let kept = CatalogFailure(.fault, "320102", at: .hours(4), setAsideUntil: .hours(8))
      try await store.recordFailure(kept, for: dailyID, at: .hours(4), in: nil)
      #expect(try await store.summary(upstream: kobis, failureLimit: 1).failures.first?.failure == kept)
      _ = try await store.commit(answer(.boxOffice(chart(daily)), at: .hours(5)), in: nil)
      let record = try await store.record(for: dailyID)
      #expect(record?.consecutiveFailureCount == 0 && record?.lastFailure == nil)
      try await store.recordFailure(kept, for: dailyID, at: .hours(6), in: nil)
      #expect(try await store.entry(for: dailyID)?.record.consecutiveFailureCount == 1)
    }
  }
}

@Suite struct `Any movie store, of details that are missing` {
  let month = day(20_220_101)...day(20_220_131)

  @Test(arguments: StoreKind.allCases)
  func `names the movies of the newest charts first, whatever the chart`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let monday = day(20_220_103)
      let charts: [(BoxOfficePeriod, BoxOfficeFilter, String)] = [
        (.daily(day(20_220_107)), .everything, "day"), (.weekly(containing: monday), .everything, "week"),
        (.weekend(containing: monday), .everything, "end"),
        (.weekdays(containing: monday), .everything, "mid"),
        (.daily(day(20_220_108)), korean, "part"), (.daily(day(20_220_101)), .everything, "old"),
      ]
      for (period, filter, movie) in charts {
        _ = try await store.commit(
          answer(.boxOffice(chart(period, movies: [movie], filter: filter))), in: nil)
      }
      _ = try await store.commit(
        answer(.boxOffice(chart(.daily(day(20_220_102)), movies: ["old", "week"]))), in: nil)
      func missing(_ days: ClosedRange<CalendarDay>) async throws -> [String] {
        try await store.moviesWithoutDetails(in: days, upstream: kobis, from: nil, at: noon).due.map(\.text)
      }
      #expect(try await missing(month) == ["end", "week", "part", "day", "mid", "old"])
      #expect(try await missing(day(20_220_106)...day(20_220_106)) == ["mid"])
      #expect(try await missing(day(20_220_108)...day(20_220_108)) == ["part"])
      #expect(try await missing(day(20_220_103)...day(20_220_105)).isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `tells movies apart that are set aside, until their time has come`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.commit(answer(.boxOffice(chart(daily, movies: ["one", "two"]))), in: nil)
      let failure = CatalogFailure(.undecodable, "odd", at: noon, setAsideUntil: .hours(2))
      try await store.recordFailure(failure, for: id(.movieDetails(code("one"))), at: noon, in: nil)
      try await store.recordFailure(
        CatalogFailure(.timeout, "late", at: noon), for: id(.movieDetails(code("two"))), at: noon, in: nil)
      func missing(at now: Timestamp) async throws -> MissingDetails {
        try await store.moviesWithoutDetails(in: month, upstream: kobis, from: nil, at: now)
      }
      #expect(try await missing(at: .hours(1)) == MissingDetails(due: [code("two")], setAside: [code("one")]))
      #expect(try await missing(at: .hours(2)) == MissingDetails(due: [code("one"), code("two")]))
      // What came all the same is missing no more.
      var details = details
      details.code = code("one")
      _ = try await store.commit(answer(.movieDetails(details)), in: nil)
      #expect(try await missing(at: .hours(1)) == MissingDetails(due: [code("two")]))
    }
  }
}
