import CatalogEngine
import SQLiteMovieStore
import Testing

@Suite struct `Any movie store` {
  @Test(arguments: StoreKind.allCases)
  func `gives back a chart exactly as it was stored`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      #expect(try await store.entry(for: dailyID) == nil)
      let value = CatalogValue.boxOffice(chart(daily))
      let receipt = try await store.commit(answer(value), in: nil)
      #expect(receipt.outcome == .fetched)
      let entry = try #require(try await store.entry(for: dailyID))
      #expect(entry == receipt.entry)
      #expect(entry.value == value)
      #expect(
        entry.record
          == EntryRecord(
            fetchedAt: noon, provenance: .host("kobis.or.kr"), isEmpty: false, revision: 1,
            lastAttemptAt: noon))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `gives back details exactly as they were stored`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let receipt = try await store.commit(answer(.movieDetails(details)), in: nil)
      let id = ResourceID(upstream: kobis, subject: .movieDetails(details.code))
      #expect(try await store.entry(for: id) == receipt.entry)
      #expect(receipt.entry.value == .movieDetails(details))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `tells when the latest answer of a source came`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let host = Provenance.host("kobis.or.kr")
      #expect(try await store.latestFetch(of: kobis, from: host) == nil)
      _ = try await store.commit(answer(.boxOffice(chart(daily))), in: nil)
      let later = noon.advanced(by: .seconds(60))
      _ = try await store.commit(answer(.movieDetails(details), at: later), in: nil)
      try await store.recordFailure(
        CatalogFailure(.timeout, "late", at: later), for: dailyID, at: later.advanced(by: .seconds(60)),
        in: nil)
      #expect(try await store.latestFetch(of: kobis, from: host) == later)
      #expect(try await store.latestFetch(of: kobis, from: .recorded) == nil)
      #expect(try await store.latestFetch(of: UpstreamID("other"), from: host) == nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `tells the first and the last day of charts, those of a part among them`(kind: StoreKind) async throws
  {
    try await kind.withStore { store in
      let whole = chart(daily)
      let part = BoxOffice(
        period: .daily(day(20_220_103)), filter: BoxOfficeFilter(origin: .korean), entries: whole.entries)
      _ = try await store.commit(answer(.boxOffice(part)), in: nil)
      let first = try #require(
        try await store.summary(upstream: kobis, failureLimit: 0).kinds.first {
          $0.kind == .boxOffice(.daily)
        })
      #expect(first.storedCount == 1 && first.firstKey == "20220103" && first.lastKey == "20220103")
      _ = try await store.commit(answer(.boxOffice(whole)), in: nil)
      let both = try #require(
        try await store.summary(upstream: kobis, failureLimit: 0).kinds.first {
          $0.kind == .boxOffice(.daily)
        })
      #expect(both.storedCount == 2 && both.firstKey == "20220103" && both.lastKey == "20220105")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps charts of one first day and several kinds apart`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let monday = day(20_220_103)
      let periods = [
        BoxOfficePeriod.daily(monday), .weekly(containing: monday), .weekend(containing: monday),
      ]
      for (index, period) in periods.enumerated() {
        _ = try await store.commit(answer(.boxOffice(chart(period, audience: Int64(index * 1000)))), in: nil)
      }
      for (index, period) in periods.enumerated() {
        let id = ResourceID(upstream: kobis, subject: .boxOffice(period))
        #expect(
          try await store.entry(for: id)?.value == .boxOffice(chart(period, audience: Int64(index * 1000))))
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `makes no revision of the same answer, and one of another`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let later = noon.advanced(by: .seconds(60))
      _ = try await store.commit(answer(.boxOffice(chart(daily))), in: nil)
      let same = try await store.commit(answer(.boxOffice(chart(daily)), at: later), in: nil)
      #expect(same.outcome == .unchanged)
      #expect(same.entry.record.revision == 1)
      #expect(try await store.entry(for: dailyID)?.record.fetchedAt == later)

      let corrected = CatalogValue.boxOffice(
        chart(daily, movies: ["20210028", "20199882"], audience: 64_051))
      let revised = try await store.commit(answer(corrected, at: later), in: nil)
      #expect(revised.outcome == .revised)
      #expect(revised.entry.record.revision == 2)
      #expect(try await store.entry(for: dailyID)?.value == corrected)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `takes details in another order for the same answer`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.commit(answer(.movieDetails(details)), in: nil)
      var shuffled = details
      shuffled.actors.reverse()
      shuffled.companies.reverse()
      #expect(try await store.commit(answer(.movieDetails(shuffled)), in: nil).outcome == .unchanged)
      shuffled.actors.removeLast()
      #expect(try await store.commit(answer(.movieDetails(shuffled)), in: nil).outcome == .revised)
      let id = ResourceID(upstream: kobis, subject: .movieDetails(details.code))
      #expect(try await store.entry(for: id)?.value == .movieDetails(shuffled))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps live data against a recorded sample, and gives a sample up for live data`(kind: StoreKind)
    async throws
  {
    try await kind.withStore { store in
      let sample = CatalogValue.boxOffice(chart(daily, audience: 1))
      let live = CatalogValue.boxOffice(chart(daily, audience: 2))
      _ = try await store.commit(answer(sample, from: .recorded), in: nil)
      #expect(try await store.commit(answer(live), in: nil).outcome == .revised)
      let kept = try await store.commit(answer(sample, from: .recorded), in: nil)
      #expect(kept.outcome == .kept)
      #expect(kept.entry.value == live)
      let entry = try await store.entry(for: dailyID)
      #expect(entry?.value == live)
      #expect(entry?.record.provenance == .host("kobis.or.kr"))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps rows against an empty answer`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let empty = CatalogValue.boxOffice(BoxOffice(period: daily, entries: []))
      #expect(try await store.commit(answer(empty), in: nil).outcome == .fetched)
      #expect(try await store.entry(for: dailyID)?.record.isEmpty == true)
      _ = try await store.commit(answer(.boxOffice(chart(daily))), in: nil)
      #expect(try await store.commit(answer(empty), in: nil).outcome == .kept)
      #expect(try await store.entry(for: dailyID)?.value == .boxOffice(chart(daily)))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `records a failure beside the answer, and forgets it with the next success`(kind: StoreKind)
    async throws
  {
    try await kind.withStore { store in
      let later = noon.advanced(by: .seconds(60))
      let failure = CatalogFailure(.fault, "the fault 320102", detail: "320102", at: later)
      _ = try await store.commit(answer(.boxOffice(chart(daily))), in: nil)
      try await store.recordFailure(failure, for: dailyID, at: later, in: nil)
      let entry = try #require(try await store.entry(for: dailyID))
      #expect(entry.value == .boxOffice(chart(daily)))
      #expect(entry.record.fetchedAt == noon)
      #expect(entry.record.lastAttemptAt == later)
      #expect(entry.record.lastFailure == failure)
      let mended = try await store.commit(answer(.boxOffice(chart(daily)), at: later), in: nil)
      #expect(mended.entry.record.lastFailure == nil)
      #expect(try await store.entry(for: dailyID)?.record.lastFailure == nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `knows a movie by the title of its latest chart, in whatever order they come`(kind: StoreKind)
    async throws
  {
    try await kind.withStore { store in
      for (number, title) in [(20_220_110, "가"), (20_220_120, "가"), (20_220_115, "나")] {
        var entries = chart(.daily(day(number))).entries
        entries[0].title = title
        let named = BoxOffice(period: .daily(day(number)), entries: entries)
        _ = try await store.commit(answer(.boxOffice(named)), in: nil)
      }
      let movies = try await store.movies(ListingQuery(limit: 10), upstream: kobis)
      #expect(movies.rows.first { $0.movie.code == code("20199882") }?.movie.title == "가")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `records a failure where there is no answer`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let failure = CatalogFailure(.timeout, "no answer in 15 s", at: noon)
      try await store.recordFailure(failure, for: dailyID, at: noon, in: nil)
      let entry = try #require(try await store.entry(for: dailyID))
      #expect(entry.value == nil)
      #expect(
        entry.record == EntryRecord(lastAttemptAt: noon, lastFailure: failure, consecutiveFailureCount: 1))
      let summary = try await store.summary(upstream: kobis, failureLimit: 10)
      #expect(summary.failures == [.init(resource: dailyID, failure: failure, isStored: false)])
      #expect(summary.kinds.first { $0.kind == .dailyBoxOffice }?.missingCount == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `invalidates what is stored until it is fetched anew`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      #expect(try await store.invalidate(dailyID, at: noon) == false)
      _ = try await store.commit(answer(.boxOffice(chart(daily))), in: nil)
      #expect(try await store.invalidate(dailyID, at: noon))
      #expect(try await store.entry(for: dailyID)?.record.invalidatedAt == noon)
      _ = try await store.commit(answer(.boxOffice(chart(daily))), in: nil)
      #expect(try await store.entry(for: dailyID)?.record.invalidatedAt == nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `lists records by a range of keys`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      for number in [20_220_103, 20_220_104, 20_220_105] {
        _ = try await store.commit(answer(.boxOffice(chart(.daily(day(number))))), in: nil)
      }
      let records = try await store.records(
        of: .dailyBoxOffice, upstream: kobis, keys: "20220104"..."20220105")
      #expect(Set(records.keys.map(\.subject.key)) == ["20220104", "20220105"])
      #expect(records.values.allSatisfy { $0.fetchedAt == noon && $0.revision == 1 })
      #expect(try await store.records(of: .weeklyBoxOffice, upstream: kobis, keys: "0"..."9").isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `finds a movie's chart days, the latest ones if there are too many`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let days = (1...5).map { day(20_220_100 + $0) }
      for day in days { _ = try await store.commit(answer(.boxOffice(chart(.daily(day)))), in: nil) }
      let movie = code("2023C165")
      let all = try await store.appearances(of: movie, upstream: kobis, limit: 100)
      #expect(all.map(\.period.day) == days)
      #expect(all.allSatisfy { $0.entry.movieCode == movie && $0.entry.position == 2 })
      let latest = try await store.appearances(of: movie, upstream: kobis, limit: 2)
      #expect(latest.map(\.period.day) == Array(days.suffix(2)))
      #expect(try await store.appearances(of: code("none"), upstream: kobis, limit: 100).isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `knows the movies whose details are missing`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.commit(answer(.boxOffice(chart(daily))), in: nil)
      let month = day(20_220_101)...day(20_220_131)
      func missing(from provenance: Provenance? = nil) async throws -> [String] {
        try await store.moviesWithoutDetails(in: month, upstream: kobis, from: provenance, at: noon)
          .due.map(\.text)
      }
      #expect(try await missing() == ["20199882", "20210028", "2023C165"])
      _ = try await store.commit(answer(.movieDetails(details), from: .recorded), in: nil)
      #expect(try await missing() == ["20210028", "2023C165"])
      #expect(try await missing(from: .host("kobis.or.kr")) == ["20199882", "20210028", "2023C165"])
      let after = try await store.moviesWithoutDetails(
        in: day(20_220_106)...day(20_220_131), upstream: kobis, from: nil, at: noon)
      #expect(after == MissingDetails())
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `counts the movies of a week to the day on which it ends`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let monday = day(20_220_103)
      _ = try await store.commit(
        answer(.boxOffice(chart(.weekly(containing: monday), movies: ["week"]))), in: nil)
      _ = try await store.commit(
        answer(.boxOffice(chart(.weekend(containing: monday), movies: ["end"]))), in: nil)
      func missing(_ first: Int, _ last: Int) async throws -> [String] {
        try await store.moviesWithoutDetails(in: day(first)...day(last), upstream: kobis, from: nil, at: noon)
          .due.map(\.text)
      }
      #expect(try await missing(20_220_109, 20_220_109) == ["end", "week"])
      #expect(try await missing(20_220_103, 20_220_108).isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps what two upstreams say of one movie apart`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let other = UpstreamID("other")
      var theirs = details
      theirs.title = "another title"
      theirs.actors = []
      let theirAnswer = FetchedAnswer(
        resource: ResourceID(upstream: other, subject: .movieDetails(details.code)),
        value: .movieDetails(theirs),
        provenance: .host("other.example"), fetchedAt: noon)
      _ = try await store.commit(answer(.movieDetails(details)), in: nil)
      _ = try await store.commit(theirAnswer, in: nil)
      let ours = ResourceID(upstream: kobis, subject: .movieDetails(details.code))
      #expect(try await store.entry(for: ours)?.value == .movieDetails(details))
      #expect(try await store.entry(for: theirAnswer.resource)?.value == .movieDetails(theirs))
      try await store.recordFailure(
        CatalogFailure(.timeout, "late", at: noon), for: theirAnswer.resource, at: noon, in: nil)
      #expect(try await store.summary(upstream: kobis, failureLimit: 10).failureCount == 0)
      #expect(try await store.summary(upstream: other, failureLimit: 10).failureCount == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `lets an invalidation outlive an answer that was asked for before it`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.commit(answer(.boxOffice(chart(daily))), in: nil)
      let later = noon.advanced(by: .seconds(10))
      #expect(try await store.invalidate(dailyID, at: later))
      var slow = answer(.boxOffice(chart(daily)), at: later.advanced(by: .seconds(1)))
      slow.askedAt = noon.advanced(by: .seconds(5))
      let receipt = try await store.commit(slow, in: nil)
      #expect(receipt.entry.record.invalidatedAt == later)
      #expect(try await store.entry(for: dailyID) == receipt.entry)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `counts a run in the transactions of its pages`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let run = try await store.beginRun(at: noon, planned: 4)
      _ = try await store.commit(answer(.boxOffice(chart(daily))), in: run)
      _ = try await store.commit(answer(.boxOffice(chart(daily))), in: run)
      _ = try await store.commit(answer(.boxOffice(chart(daily, audience: 1))), in: run)
      try await store.recordFailure(
        CatalogFailure(.timeout, "late", at: noon), for: dailyID, at: noon, in: run)
      let counted = StoreSummary.Run(
        id: run, startedAt: noon, plannedCount: 4, fetchedCount: 1, unchangedCount: 1, revisedCount: 1,
        failedCount: 1)
      #expect(try await store.summary(upstream: kobis, failureLimit: 0).lastRun == counted)
      // A page may be committed that the run's end has not heard of.
      var ended = counted
      ended.unchangedCount = 0
      ended.endedAt = noon.advanced(by: .seconds(1))
      ended.stoppedBecause = "budget"
      try await store.endRun(ended)
      ended.unchangedCount = 1
      #expect(try await store.summary(upstream: kobis, failureLimit: 0).lastRun == ended)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `sums up what it holds`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let empty = try await store.summary(upstream: kobis, failureLimit: 10)
      #expect(empty.kinds.map(\.kind) == ResourceID.Kind.allCases)
      #expect(empty.kinds.allSatisfy { $0.storedCount == 0 && $0.firstKey == nil })
      #expect(empty.lastRun == nil && empty.lastAttemptAt == nil)

      for number in [20_220_103, 20_220_105] {
        _ = try await store.commit(answer(.boxOffice(chart(.daily(day(number))))), in: nil)
      }
      _ = try await store.commit(answer(.movieDetails(details), from: .recorded), in: nil)
      let summary = try await store.summary(upstream: kobis, failureLimit: 10)
      let charts = try #require(summary.kinds.first { $0.kind == .dailyBoxOffice })
      #expect(charts.storedCount == 2 && charts.recordedCount == 0)
      #expect(charts.firstKey == "20220103" && charts.lastKey == "20220105")
      #expect(summary.kinds.first { $0.kind == .movieDetails }?.recordedCount == 1)
      #expect(summary.movieCount == 3)
      #expect(summary.lastAttemptAt == noon)
      #expect(summary.schemaVersion >= 1 && summary.byteCount > 0)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `takes writes from many tasks at once`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      try await withThrowingTaskGroup { group in
        for number in 1...28 {
          group.addTask {
            _ = try await store.commit(answer(.boxOffice(chart(.daily(day(20_220_100 + number))))), in: nil)
          }
        }
        try await group.waitForAll()
      }
      #expect(
        try await store.records(of: .dailyBoxOffice, upstream: kobis, keys: "2022"..."2023").count == 28)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `says that it is closed`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      await store.close()
      let error = await #expect(throws: StoreError.self) { try await store.entry(for: dailyID) }
      #expect(error?.code == .closed)
      let written = await #expect(throws: StoreError.self) {
        try await store.commit(answer(.boxOffice(chart(daily))), in: nil)
      }
      #expect(written?.code == .closed)
    }
  }
}
