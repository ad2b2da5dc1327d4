import CatalogEngine
import SQLiteMovieStore
import Testing

extension SQLiteMovieStore {
  /// Commits the pages of a list of movies that holds these codes, in order, an hour after another.
  fileprivate func walk(
    _ codes: [String], at start: Timestamp, from provenance: Provenance = .host("kobis.or.kr")
  ) async throws {
    for number in 1...max(1, CatalogList.pageCount(ofRows: codes.count)) {
      let rows = codes.dropFirst((number - 1) * 100).prefix(100)
      _ = try await commit(
        answer(moviePage(number, of: codes.count, rows), from: provenance, at: start.later(minutes: number)),
        in: nil)
    }
  }

  /// Goes through the whole list, as a sync does.
  fileprivate func generation(
    of codes: [String], at start: Timestamp, from provenance: Provenance = .host("kobis.or.kr")
  ) async throws -> ListGeneration? {
    _ = try await beginGeneration(of: .movies, upstream: kobis, at: start)
    try await walk(codes, at: start, from: provenance)
    return try await generation(of: .movies, upstream: kobis)
  }

  fileprivate var goneCodes: [String] {
    get async throws {
      try await movies(ListingQuery(limit: 10_000, includesGone: true), upstream: kobis).rows
        .filter { $0.goneAt != nil }.map(\.movie.code.text).sorted()
    }
  }

  fileprivate var changes: [CatalogChange] {
    get async throws { try await changes(ChangeQuery(), upstream: kobis) }
  }
}

extension Timestamp {
  fileprivate func later(minutes: Int) -> Timestamp { advanced(by: .seconds(minutes * 60)) }
}

@Suite struct `A go through a long list` {
  @Test(arguments: StoreKind.allCases)
  func `is complete with its last page, in whatever order they come`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      #expect(try await store.generation(of: .movies, upstream: kobis) == nil)
      let begun = try await store.beginGeneration(of: .movies, upstream: kobis, at: noon)
      #expect(begun == ListGeneration(list: .movies, number: begun.number, startedAt: noon))
      #expect(try await store.generation(of: .movies, upstream: kobis) == begun)
      #expect(try await store.generation(of: .people, upstream: kobis) == nil)
      #expect(try await store.generation(of: .movies, upstream: UpstreamID("other")) == nil)

      let all = codes(0..<250)
      for (count, number) in [1, 3, 2].enumerated() {
        let rows = all.dropFirst((number - 1) * 100).prefix(100)
        let instant = noon.later(minutes: count)
        _ = try await store.commit(answer(moviePage(number, of: 250, rows), at: instant), in: nil)
        let generation = try await store.generation(of: .movies, upstream: kobis)
        #expect(generation?.totalCount == 250)
        #expect(generation?.isSteady == true)
        #expect(generation?.provenance == .host("kobis.or.kr"))
        #expect(generation?.completedAt == (count == 2 ? instant : nil))
      }
      let listing = try await store.movies(ListingQuery(), upstream: kobis)
      #expect(listing.totalCount == 250)
      #expect(listing.completedAt == noon.later(minutes: 2))
      // The first fill is no news.
      #expect(try await store.changes.isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `counts pages that say what is stored, and meets their rows`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let all = codes(0..<150)
      #expect(try await store.generation(of: all, at: noon)?.completedAt != nil)
      let second = try await store.generation(of: all, at: .hours(1))
      #expect(second?.completedAt == noon.later(minutes: 62))
      #expect(try await store.record(for: id(.page(.movies, 2)))?.revision == 1)
      #expect(try await store.goneCodes.isEmpty)
      #expect(try await store.changes.isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `buries what it did not meet, and brings back what it meets again`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let all = codes(0..<150)
      _ = try await store.generation(of: all, at: noon)
      let rest = all.filter { $0 != "M10003" && $0 != "M10120" }
      let second = try await store.generation(of: rest, at: .hours(1))
      #expect(second?.totalCount == 148 && second?.isSteady == true)
      #expect(try await store.goneCodes == ["M10003", "M10120"])
      let vanished = try await store.changes
      #expect(vanished.map(\.difference.kind) == [.vanished, .vanished])
      #expect(vanished.map(\.difference.itemCode) == ["M10003", "M10120"])
      #expect(vanished.map(\.difference.itemName) == ["영화 M10003", "영화 M10120"])
      #expect(vanished.allSatisfy { $0.resource == id(.page(.movies, 2)) && $0.at == second?.completedAt })

      let listing = try await store.movies(ListingQuery(limit: 1000), upstream: kobis)
      #expect(listing.totalCount == 148 && listing.rows.count == 148)
      #expect(listing.rows.allSatisfy { $0.goneAt == nil })

      _ = try await store.generation(of: all + ["M20000"], at: .hours(2))
      #expect(try await store.goneCodes.isEmpty)
      let appeared = try await store.changes.dropFirst(2)
      #expect(appeared.map(\.difference.kind) == [.appeared, .appeared, .appeared])
      #expect(Set(appeared.map(\.difference.itemCode)) == ["M10003", "M10120", "M20000"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `tells which rows were corrected, row by row`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.generation(of: codes(0..<3), at: noon)
      var rows = codes(0..<3).map { listedMovie($0) }
      rows[0].directors.reverse()
      rows[1].title = "다른 이름"
      rows[1].companies.removeLast()
      rows[2].openedOn = nil
      // A row's place is no news, nor is the order of its lists.
      let page = moviePage(of: 3, [rows[2], rows[0], rows[1]])
      _ = try await store.commit(answer(page, at: .hours(1)), in: nil)
      let changes = try await store.changes
      #expect(
        changes.map(\.difference) == [
          .init(.corrected, itemCode: "M10002", itemName: "영화 M10002", fields: ["openedOn"]),
          .init(.corrected, itemCode: "M10001", itemName: "다른 이름", fields: ["title", "companies"]),
        ])
      #expect(changes.allSatisfy { $0.revision == 2 })
      #expect(try await store.entry(for: id(.page(.movies, 1)))?.value == page)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `buries nothing if too much is missing`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.generation(of: codes(0..<250), at: noon)
      // A list that has become so much shorter is rather cut off.
      let second = try await store.generation(of: codes(0..<229), at: .hours(1))
      #expect(second?.completedAt != nil && second?.isSteady == true)
      #expect(try await store.goneCodes.isEmpty)
      #expect(try await store.changes.isEmpty)
      #expect(try await store.generation(of: codes(0..<230), at: .hours(2))?.completedAt != nil)
      #expect(try await store.goneCodes == codes(230..<250))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `buries nothing if the list moved meanwhile`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let all = codes(0..<150)
      _ = try await store.generation(of: all, at: noon)
      _ = try await store.beginGeneration(of: .movies, upstream: kobis, at: .hours(1))
      _ = try await store.commit(answer(moviePage(1, of: 150, all.prefix(100)), at: .hours(1)), in: nil)
      // A movie came in front, and pushed another over to the second page; the last one was dropped.
      _ = try await store.commit(answer(moviePage(2, of: 151, all[99..<149]), at: .hours(2)), in: nil)
      let moved = try await store.generation(of: .movies, upstream: kobis)
      #expect(moved?.isSteady == false && moved?.completedAt == .hours(2))
      #expect(try await store.goneCodes.isEmpty)

      // The count is the same, yet a row stood on two pages, and another one on none.
      _ = try await store.beginGeneration(of: .movies, upstream: kobis, at: .hours(3))
      _ = try await store.commit(answer(moviePage(1, of: 150, all.prefix(100)), at: .hours(3)), in: nil)
      _ = try await store.commit(answer(moviePage(2, of: 150, all[99..<149]), at: .hours(3)), in: nil)
      let doubled = try await store.generation(of: .movies, upstream: kobis)
      #expect(doubled?.isSteady == true && doubled?.completedAt == .hours(3))
      #expect(try await store.goneCodes.isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `gets along with a list that becomes shorter on the way`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let all = codes(0..<205)
      _ = try await store.generation(of: all, at: noon)
      _ = try await store.beginGeneration(of: .movies, upstream: kobis, at: .hours(1))
      _ = try await store.commit(answer(moviePage(1, of: 205, all.prefix(100)), at: .hours(1)), in: nil)
      _ = try await store.commit(answer(moviePage(3, of: 199, [String]()), at: .hours(1)), in: nil)
      #expect(try await store.generation(of: .movies, upstream: kobis)?.completedAt == nil)
      _ = try await store.commit(answer(moviePage(2, of: 199, all[100..<199]), at: .hours(2)), in: nil)
      let generation = try await store.generation(of: .movies, upstream: kobis)
      #expect(generation?.totalCount == 199 && generation?.pageCount == 2)
      #expect(generation?.completedAt == .hours(2) && generation?.isSteady == false)
      #expect(try await store.goneCodes.isEmpty)

      // The next one finds it steady; the page that the list no longer has is stored no longer.
      _ = try await store.generation(of: Array(all.prefix(199)), at: .hours(3))
      #expect(try await store.goneCodes == codes(199..<205))
      #expect(try await store.entry(for: id(.page(.movies, 3))) == nil)
      #expect(try await store.entry(for: id(.page(.movies, 2)))?.value != nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `believes no page without rows that has the list shrink by more than half`(kind: StoreKind)
    async throws
  {
    try await kind.withStore { store in
      _ = try await store.beginGeneration(of: .movies, upstream: kobis, at: noon)
      _ = try await store.commit(answer(moviePage(1, of: 400, codes(0..<100)), at: noon), in: nil)
      _ = try await store.commit(answer(moviePage(3, of: 5, [String]()), at: .hours(1)), in: nil)
      let generation = try await store.generation(of: .movies, upstream: kobis)
      #expect(generation?.totalCount == 400 && generation?.completedAt == nil)
      #expect(generation?.isSteady == true)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `waits for pages that a longer list turns out to have`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.beginGeneration(of: .movies, upstream: kobis, at: noon)
      _ = try await store.commit(answer(moviePage(2, of: 201, codes(100..<200)), at: noon), in: nil)
      _ = try await store.commit(answer(moviePage(1, of: 201, codes(0..<100)), at: noon), in: nil)
      let generation = try await store.generation(of: .movies, upstream: kobis)
      #expect(generation?.pageCount == 3 && generation?.completedAt == nil)
      _ = try await store.commit(answer(moviePage(3, of: 201, codes(200..<201)), at: noon), in: nil)
      #expect(try await store.generation(of: .movies, upstream: kobis)?.completedAt == noon)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `is never completed by an empty first page where there were rows`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.generation(of: codes(0..<3), at: noon)
      _ = try await store.beginGeneration(of: .movies, upstream: kobis, at: .hours(1))
      let empty = moviePage(1, of: 0, [String]())
      #expect(try await store.commit(answer(empty, at: .hours(1)), in: nil).outcome == .kept)
      let generation = try await store.generation(of: .movies, upstream: kobis)
      #expect(generation?.totalCount == nil && generation?.completedAt == nil)
      #expect(try await store.goneCodes.isEmpty)
      #expect(try await store.movies(ListingQuery(), upstream: kobis).totalCount == 3)
    }
    // Nor where the rows came with another page.
    try await kind.withStore { store in
      _ = try await store.commit(answer(moviePage(2, of: 101, codes(0..<1))), in: nil)
      _ = try await store.beginGeneration(of: .movies, upstream: kobis, at: .hours(1))
      let empty = moviePage(1, of: 0, [String]())
      #expect(try await store.commit(answer(empty, at: .hours(1)), in: nil).outcome == .fetched)
      #expect(try await store.generation(of: .movies, upstream: kobis)?.completedAt == nil)
      #expect(try await store.goneCodes.isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `of an empty list is complete`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let generation = try await store.generation(of: [], at: noon)
      #expect(generation?.totalCount == 0 && generation?.completedAt == noon.later(minutes: 1))
      // What comes into it then is news.
      _ = try await store.commit(answer(moviePage(of: 1, ["M1"]), at: .hours(1)), in: nil)
      #expect(try await store.changes.map(\.difference.kind) == [.appeared])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `takes no page for its own that was fetched before it, or holds nothing within the list`(
    kind: StoreKind
  )
    async throws
  {
    try await kind.withStore { store in
      let all = codes(0..<150)
      try await store.walk(all, at: noon)
      _ = try await store.beginGeneration(of: .movies, upstream: kobis, at: .hours(1))
      _ = try await store.commit(answer(moviePage(1, of: 150, all.prefix(100)), at: .hours(1)), in: nil)
      _ = try await store.commit(answer(moviePage(2, of: 150, all.suffix(50)), at: noon), in: nil)
      #expect(try await store.generation(of: .movies, upstream: kobis)?.completedAt == nil)
      _ = try await store.commit(answer(moviePage(2, of: 150, [String]()), at: .hours(2)), in: nil)
      #expect(try await store.generation(of: .movies, upstream: kobis)?.completedAt == nil)
      _ = try await store.commit(answer(moviePage(2, of: 150, all.suffix(50)), at: .hours(3)), in: nil)
      #expect(try await store.generation(of: .movies, upstream: kobis)?.completedAt == .hours(3))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `that was given up counts no more`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let all = codes(0..<150)
      let first = try await store.beginGeneration(of: .movies, upstream: kobis, at: noon)
      _ = try await store.commit(answer(moviePage(1, of: 150, all.prefix(100)), at: noon), in: nil)
      let second = try await store.beginGeneration(of: .movies, upstream: kobis, at: .hours(1))
      #expect(second.number > first.number)
      _ = try await store.commit(answer(moviePage(2, of: 150, all.suffix(50)), at: .hours(1)), in: nil)
      #expect(try await store.generation(of: .movies, upstream: kobis)?.completedAt == nil)
      _ = try await store.commit(answer(moviePage(1, of: 150, all.prefix(100)), at: .hours(1)), in: nil)
      #expect(try await store.generation(of: .movies, upstream: kobis)?.number == second.number)
      #expect(try await store.generation(of: .movies, upstream: kobis)?.completedAt == .hours(1))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `of recorded samples buries nothing and takes the place of nothing live`(kind: StoreKind) async throws
  {
    try await kind.withStore { store in
      _ = try await store.generation(of: codes(0..<3), at: noon)
      // Another page than is stored, with a row that is: a sample may add, and no more.
      _ = try await store.beginGeneration(of: .movies, upstream: kobis, at: .hours(1))
      let sample = moviePage(2, of: 2, [listedMovie("M10001", title: "견본"), listedMovie("S1")])
      _ = try await store.commit(answer(sample, from: .recorded, at: .hours(1)), in: nil)
      let known = try await store.movies(ListingQuery(limit: 1000), upstream: kobis).rows
      #expect(known.map(\.movie.code.text) == ["M10000", "M10001", "M10002", "S1"])
      #expect(known[1].movie.title == "영화 M10001")
      #expect(try await store.changes.isEmpty)
      _ = try await store.commit(
        answer(moviePage(1, of: 1, ["S1"]), from: .recorded, at: .hours(1)), in: nil)
      #expect(try await store.goneCodes.isEmpty)
      let open = try await store.generation(of: .movies, upstream: kobis)
      #expect(open?.completedAt == nil)

      // Live pages after samples do not make a steady whole.
      _ = try await store.commit(answer(moviePage(1, of: 3, codes(0..<3)), at: .hours(2)), in: nil)
      let mixed = try await store.generation(of: .movies, upstream: kobis)
      #expect(mixed?.completedAt == .hours(2) && mixed?.isSteady == false)
      #expect(try await store.goneCodes.isEmpty)
      // A live go through the list buries the sample that it does not have.
      _ = try await store.generation(of: codes(0..<3), at: .hours(3))
      #expect(try await store.goneCodes == ["S1"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `of recorded samples alone is complete, and live data after it is no news`(kind: StoreKind)
    async throws
  {
    try await kind.withStore { store in
      let sample = try await store.generation(of: ["M10000", "S1"], at: noon, from: .recorded)
      #expect(sample?.completedAt != nil && sample?.provenance == .recorded)
      _ = try await store.generation(of: ["M10000"], at: .hours(1), from: .recorded)
      #expect(try await store.goneCodes.isEmpty)
      var live = listedMovie("M10000")
      live.status = nil
      _ = try await store.beginGeneration(of: .movies, upstream: kobis, at: .hours(2))
      _ = try await store.commit(
        answer(moviePage(of: 2, [live, listedMovie("M10001")]), at: .hours(2)), in: nil)
      // What corrects a sample is.
      #expect(
        try await store.changes.map(\.difference) == [
          .init(.corrected, itemCode: "M10000", itemName: "영화 M10000", fields: ["status"]),
          .init(.vanished, itemCode: "S1", itemName: "영화 S1"),
        ])
      #expect(try await store.goneCodes == ["S1"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `is the same of companies and people`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      func companies(_ codes: [String]) -> CatalogValue {
        .companyPage(CatalogPage(number: 1, totalCount: codes.count, rows: codes.map { listedCompany($0) }))
      }
      func people(_ codes: [String]) -> CatalogValue {
        .peoplePage(CatalogPage(number: 1, totalCount: codes.count, rows: codes.map { listedPerson($0) }))
      }
      for (list, page) in [(CatalogList.companies, companies), (.people, people)] {
        for (hour, rows) in [["1", "2", "3"], ["3", "1"], ["3", "2"]].enumerated() {
          _ = try await store.beginGeneration(of: list, upstream: kobis, at: .hours(hour))
          _ = try await store.commit(answer(page(rows), at: .hours(hour)), in: nil)
          #expect(try await store.generation(of: list, upstream: kobis)?.completedAt == .hours(hour))
        }
        let changes = try await store.changes.filter { $0.resource.subject.kind == .page(of: list) }
        #expect(changes.map(\.difference.kind) == [.vanished, .appeared, .vanished])
        #expect(changes.map(\.difference.itemCode) == ["2", "2", "1"])
      }
      let all = ListingQuery(includesGone: true)
      let knownPeople = try await store.people(all, upstream: kobis)
      #expect(knownPeople.rows.map(\.person) == ["1", "2", "3"].map { listedPerson($0) })
      #expect(knownPeople.rows.map(\.goneAt) == [.hours(2), nil, nil])
      #expect(knownPeople.totalCount == 3 && knownPeople.completedAt == .hours(2))
      let companies = try await store.companies(ListingQuery(offset: 1), upstream: kobis)
      #expect(companies.rows.map(\.company) == [listedCompany("3")])
      #expect(companies.totalCount == 2)
    }
  }
}
