import CatalogEngine
import SQLiteMovieStore
import Testing

@Suite struct `Any movie store that is pruned` {
  private let keep = Duration.seconds(90 * 86_400)
  private let longAgo = noon.advanced(by: .seconds(-100 * 86_400))
  private let lately = noon.advanced(by: .seconds(-80 * 86_400))

  private func request(charts: Bool = false) -> PruneRequest {
    PruneRequest(upstream: kobis, keeping: keep, charts: charts, at: noon)
  }

  /// Prunes until there is nothing left, and gives what each transaction came to.
  private func prune(
    _ store: SQLiteMovieStore, _ request: PruneRequest, limit: Int = 200
  ) async throws -> [PruneCount] {
    var counts: [PruneCount] = []
    while true {
      let count = try await store.prune(request, limit: limit)
      if count.total == 0 { return counts }
      #expect(count.total <= limit)
      counts.append(count)
    }
  }

  private func movieDetails(of movie: String) -> CatalogValue {
    var details = details
    details.code = code(movie)
    return .movieDetails(details)
  }

  private func id(_ movie: String) -> ResourceID {
    ResourceID(upstream: kobis, subject: .movieDetails(code(movie)))
  }

  @Test(arguments: StoreKind.allCases)
  func `loses old details that no chart refers to, and no others`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.commit(answer(.boxOffice(chart(daily, movies: ["1001", "1002"]))), in: nil)
      _ = try await store.commit(answer(movieDetails(of: "1001"), at: longAgo), in: nil)
      _ = try await store.commit(answer(movieDetails(of: "2001"), at: longAgo), in: nil)
      _ = try await store.commit(answer(movieDetails(of: "2002"), at: lately), in: nil)
      let other = FetchedAnswer(
        resource: ResourceID(upstream: UpstreamID("other"), subject: .movieDetails(code("2003"))),
        value: movieDetails(of: "2003"), provenance: .host("other"), fetchedAt: longAgo)
      _ = try await store.commit(other, in: nil)

      #expect(try await prune(store, request()) == [PruneCount(details: 1)])
      #expect(try await store.entry(for: id("2001")) == nil)
      #expect(try await store.entry(for: id("1001"))?.value == movieDetails(of: "1001"))
      #expect(try await store.entry(for: id("2002"))?.value == movieDetails(of: "2002"))
      #expect(try await store.entry(for: other.resource)?.value == other.value)
      #expect(try await store.entry(for: dailyID) != nil)
      // What was removed may come again.
      #expect(try await store.commit(answer(movieDetails(of: "2001")), in: nil).outcome == .fetched)
      #expect(try await store.entry(for: id("2001"))?.value == movieDetails(of: "2001"))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `loses old attempts without an answer, and no others`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let failure = CatalogFailure(.timeout, "too slow")
      _ = try await store.commit(answer(.boxOffice(chart(daily)), at: longAgo), in: nil)
      try await store.recordFailure(failure, for: dailyID, at: longAgo, in: nil)
      try await store.recordFailure(failure, for: id("3001"), at: longAgo, in: nil)
      try await store.recordFailure(failure, for: id("3002"), at: lately, in: nil)
      #expect(try await prune(store, request()) == [PruneCount(attempts: 1)])
      #expect(try await store.record(for: id("3001")) == nil)
      #expect(try await store.record(for: id("3002"))?.lastFailure?.code == .timeout)
      #expect(try await store.record(for: dailyID)?.lastFailure?.code == .timeout)
      #expect(try await store.entry(for: dailyID)?.value == .boxOffice(chart(daily)))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `loses the records of old syncs but the latest`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      for _ in 0..<3 { _ = try await store.beginRun(at: longAgo, planned: 1) }
      #expect(try await prune(store, request()) == [PruneCount(runs: 2)])
      #expect(try await store.summary(upstream: kobis, failureLimit: 0).lastRun?.startedAt == longAgo)
      let run = try await store.beginRun(at: lately, planned: 5)
      #expect(try await prune(store, request()) == [PruneCount(runs: 1)])
      _ = try await store.beginRun(at: noon, planned: 7)
      #expect(try await prune(store, request()) == [])
      #expect(run.rawValue > 0)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `loses charts only when asked, those that end before what is kept, with the details of their movies`(
    kind: StoreKind
  ) async throws {
    try await kind.withStore { store in
      let first = CalendarDay(inKoreaAt: request().before)
      var kept: [ResourceID] = []
      var gone: [ResourceID] = []
      for (index, kind) in BoxOfficePeriod.Kind.allCases.enumerated() {
        for offset in [-14, -7, -1, 0, 7] {
          let period = BoxOfficePeriod(kind, containing: first.advanced(by: offset))
          let value = CatalogValue.boxOffice(chart(period, movies: ["\(4000 + index)"]))
          _ = try await store.commit(answer(value, at: noon), in: nil)
          let id = ResourceID(upstream: kobis, subject: .boxOffice(period))
          if period.through < first { gone.append(id) } else { kept.append(id) }
          #expect(request(charts: true).removes(period) == (period.through < first))
        }
      }
      let korean = ResourceID(
        upstream: kobis,
        subject: .boxOffice(.daily(first.advanced(by: -1)), try #require(BoxOfficeFilter("korean"))))
      let part = BoxOffice(
        period: .daily(first.advanced(by: -1)), filter: try #require(BoxOfficeFilter("korean")),
        entries: chart(daily, movies: ["5001"]).entries)
      _ = try await store.commit(answer(.boxOffice(part), at: noon), in: nil)
      _ = try await store.commit(answer(movieDetails(of: "5001"), at: longAgo), in: nil)
      _ = try await store.commit(answer(movieDetails(of: "4000"), at: longAgo), in: nil)
      gone.append(korean)

      #expect(try await prune(store, request()) == [])
      let expected = PruneCount(charts: Set(gone).count, details: 1)
      #expect(try await store.prunable(request(charts: true)) == expected)
      #expect(try await prune(store, request(charts: true)) == [expected])
      for id in Set(gone) { #expect(try await store.entry(for: id) == nil, "\(id)") }
      for id in Set(kept) { #expect(try await store.entry(for: id)?.value != nil, "\(id)") }
      #expect(try await store.entry(for: id("5001")) == nil)
      #expect(try await store.entry(for: id("4000")) != nil)
      #expect(try await store.appearances(of: code("5001"), upstream: kobis, limit: 10) == [])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `counts beforehand what it loses, and loses no more at once than it may`(kind: StoreKind) async throws
  {
    try await kind.withStore { store in
      let failure = CatalogFailure(.timeout, "too slow")
      for number in 0..<7 {
        let old = BoxOfficePeriod.daily(day(20_190_701).advanced(by: number))
        _ = try await store.commit(
          answer(.boxOffice(chart(old, movies: ["60\(number)"])), at: longAgo), in: nil)
        _ = try await store.commit(answer(movieDetails(of: "60\(number)"), at: longAgo), in: nil)
        try await store.recordFailure(failure, for: id("70\(number)"), at: longAgo, in: nil)
        _ = try await store.beginRun(at: longAgo, planned: 0)
      }
      let expected = PruneCount(charts: 7, details: 7, attempts: 7, runs: 6)
      #expect(try await store.prunable(request(charts: true)) == expected)
      #expect(try await store.prunable(request(charts: true)) == expected)
      let counts = try await prune(store, request(charts: true), limit: 4)
      #expect(counts.count == 7)
      #expect(counts[0] == PruneCount(charts: 4))
      var sum = PruneCount()
      for count in counts { sum += count }
      #expect(sum == expected)
      #expect(try await store.prunable(request(charts: true)) == PruneCount())
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps ledger, breaker and leases, however old`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let holder = LeaseHolder()
      let admission = try await store.admit(
        CallRequest(
          resource: id("3001"), holder: holder, instant: longAgo, leaseDuration: .seconds(60),
          charge: QuotaCharge(day: day(20_210_101), callCountMax: 10, dailyCallCountMax: 10),
          breaker: BreakerPolicy()))
      guard case .admitted(let ticket) = admission else {
        Issue.record("\(admission)")
        return
      }
      _ = try await store.recordFailure(
        CatalogFailure(.transport, "refused"), for: id("3001"), at: longAgo, in: nil, settling: ticket)
      let lease = try await store.grantLease(
        LeaseRequest(name: "sync/kobis", holder: holder, instant: longAgo, duration: .seconds(60)))
      let breaker = try await store.breaker(of: kobis)
      #expect(try await prune(store, request(charts: true)) == [PruneCount(attempts: 1)])
      #expect(try await store.quotaUse(of: kobis, on: day(20_210_101)).usedCount == 1)
      #expect(try await store.breaker(of: kobis) == breaker)
      guard case .granted(let granted) = lease else {
        Issue.record("\(lease)")
        return
      }
      let again = try await store.grantLease(
        LeaseRequest(name: "sync/kobis", holder: LeaseHolder(), instant: longAgo, duration: .seconds(60)))
      #expect(again == .held(granted))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `says what space it takes, and is whole after it was written anew`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      for number in 0..<40 {
        let old = BoxOfficePeriod.daily(day(20_190_701).advanced(by: number))
        let movies = (0..<40).map { "\(8000 + $0)" }
        _ = try await store.commit(answer(.boxOffice(chart(old, movies: movies)), at: longAgo), in: nil)
      }
      _ = try await store.commit(answer(.boxOffice(chart(daily))), in: nil)
      #expect(try await prune(store, request(charts: true)).count == 1)
      let before = try await store.reclaimSpace(rewriting: false)
      #expect(before.freeByteCount > 100_000)
      #expect(before.byteCount > before.freeByteCount)
      let after = try await store.reclaimSpace(rewriting: true)
      if kind == .file {
        #expect(after.freeByteCount == 0)
        #expect(after.byteCount < before.byteCount - 100_000)
      }
      #expect(try await store.entry(for: dailyID)?.value == .boxOffice(chart(daily)))
      _ = try await store.commit(answer(.movieDetails(details)), in: nil)
    }
  }
}
