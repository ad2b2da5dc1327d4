import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Matinee
import MatineeTesting
import Testing

private let kobis = UpstreamID("kobis")

/// A session that knows better now and then, before another one.
private struct OverridingSession: HTTPSession {
  let wrapped: any HTTPSession
  /// The reply in place of the wrapped session's; `nil` for that one's.
  let reply: @Sendable (HTTPRequest) async throws -> HTTPReply?

  func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
    if let reply = try await reply(request) { return reply }
    return try await wrapped.send(request, body: body, limits: limits)
  }
}

@Suite struct `A sync spends no call for nothing` {
  static let day = CalendarDay(daysSinceEpoch: 19_000)

  private func withCatalog<Clock: CatalogClock>(
    _ session: any HTTPSession, clock: Clock, key: String = "a-test-key-of-no-use",
    _ body: (MovieCatalog, SQLiteMovieStore) async throws -> Void
  ) async throws {
    let store = try await SQLiteMovieStore(.inMemory)
    let catalog = MovieCatalog(
      store: store, source: KOBISSource(key: try APIKey(key)), session: session, clock: clock,
      random: { 0.5 })
    try await body(catalog, store)
    await catalog.shutdown()
  }

  @Test func `on a list that took long to go through, and is complete`() async throws {
    let clock = ManualClock(inKorea: Self.day)
    let simulator = KOBISSimulator(seed: 5) { clock.wallTime }
    let slow = OverridingSession(wrapped: simulator) { _ in
      clock.advance(by: .seconds(180))
      return nil
    }
    try await withCatalog(slow, clock: clock) { catalog, store async throws in
      let request = SyncRequest(streams: [.list(.companies)])
      let first = await SyncEngine(catalog).run(request)
      let pageCount = CatalogList.pageCount(ofRows: simulator.rowCount(of: .companies))
      #expect(first.callCount == pageCount && pageCount > 2)
      let generation = try #require(try await store.generation(of: .companies, upstream: kobis))
      #expect(generation.completedAt != nil)
      #expect(await SyncEngine(catalog).run(request).callCount == 0)
      #expect(try await store.generation(of: .companies, upstream: kobis) == generation)
    }
  }

  @Test func `on a list that takes weeks, which is gone on with`() async throws {
    let clock = ManualClock(inKorea: Self.day)
    let simulator = KOBISSimulator(seed: 5) { clock.wallTime }
    try await withCatalog(simulator, clock: clock) { catalog, store async throws in
      let pageCount = CatalogList.pageCount(ofRows: simulator.rowCount(of: .companies))
      for page in 1...pageCount {
        let report = await SyncEngine(catalog).run(
          SyncRequest(streams: [.list(.companies)], callBudget: 1))
        #expect(report.callCount == 1)
        #expect(simulator.callCount(for: .page(.companies, page)) == 1)
        clock.advance(by: ListGeneration.durationMax)
      }
      #expect(try await store.generation(of: .companies, upstream: kobis)?.completedAt != nil)
    }
  }

  @Test func `on pages that one wrong count invents`() async throws {
    let clock = ManualClock(inKorea: Self.day)
    let simulator = KOBISSimulator(seed: 5) { clock.wallTime }
    try await withCatalog(simulator, clock: clock) { catalog, store async throws in
      let request = SyncRequest(streams: [.list(.companies)], concurrentCallCountMax: 1)
      let rowCount = simulator.rowCount(of: .companies)
      _ = await SyncEngine(catalog).run(request)
      let first = ResourceID(upstream: kobis, subject: .page(.companies, 1))
      guard case .companyPage(var page) = try await store.entry(for: first)?.value else {
        Issue.record("the first page is not stored")
        return
      }
      page.totalCount = 2_000_000
      simulator.answer(with: .companyPage(page))
      clock.advance(by: LifetimePolicy().otherLists.fresh)
      let report = await SyncEngine(catalog).run(request)
      #expect(report.callCount < 100 && report.failedCount == 0)
      let generation = try #require(try await store.generation(of: .companies, upstream: kobis))
      #expect(generation.totalCount == rowCount && !generation.isSteady)
    }
  }

  @Test(arguments: [HTTPResponse.Status.forbidden, .notFound, .movedPermanently])
  func `on an upstream that refuses everything`(status: HTTPResponse.Status) async throws {
    let upstream = CountingUpstream { _, _, _ in CountingUpstream.status(status) }
    try await withCatalog(upstream, clock: ManualClock(inKorea: Self.day)) { catalog, _ async throws in
      let report = await SyncEngine(catalog).run(SyncRequest(concurrentCallCountMax: 1))
      #expect(report.stoppedBecause == .upstreamUnavailable)
      #expect(report.callCount == SyncEngine.consecutiveUnusableAnswerCountMax)
      #expect(upstream.callCount == report.callCount)
    }
  }

  @Test func `on an upstream that asks to be left alone`() async throws {
    let upstream = CountingUpstream { _, _, _ in
      CountingUpstream.status(.tooManyRequests, [.retryAfter: "3600"])
    }
    let clock = ImmediateClock(wallNow: Self.day.startInKorea.millisecondsSinceEpoch + 12 * 3_600_000)
    try await withCatalog(upstream, clock: clock) { catalog, _ async throws in
      let report = await SyncEngine(catalog).run(SyncRequest())
      #expect(report.stoppedBecause == .upstreamUnavailable)
      #expect(report.stopFailure?.code == .status)
      #expect(report.callCount == 1 + RetryPolicy().retryCountMax && upstream.callCount == report.callCount)
    }
  }

  @Test func `on a key that is refused, but the one that tells`() async throws {
    let clock = ManualClock(inKorea: Self.day)
    let simulator = KOBISSimulator(seed: 5, key: try APIKey("another-key-of-no-use")) { clock.wallTime }
    try await withCatalog(simulator, clock: clock) { catalog, _ async throws in
      let report = await SyncEngine(catalog).run(SyncRequest(concurrentCallCountMax: 16))
      #expect(report.stoppedBecause == .keyRefused)
      #expect(report.callCount == 1 && report.failedCount == 1)
      #expect(try await catalog.summary().quotas.first?.usedCount == 1)
    }
  }

  @Test func `on details that never come while all else does`() async throws {
    let noon = Self.day.startInKorea.millisecondsSinceEpoch + 12 * 3_600_000
    let clock = ImmediateClock(wallNow: noon)
    let simulator = KOBISSimulator(seed: 5) { clock.wallTime }
    let days = Self.day.advanced(by: -7)...Self.day.advanced(by: -1)
    let movie = try #require(simulator.chart(of: .daily(days.upperBound)).entries.first).movieCode
    let callCount = LockedValue(0)
    let broken = OverridingSession(wrapped: simulator) { request in
      guard request.path?.contains("movieCd=\(movie)") == true else { return nil }
      callCount.withLock { $0 += 1 }
      return CountingUpstream.status(.internalServerError)
    }
    try await withCatalog(broken, clock: clock) { catalog, store async throws in
      let request = SyncRequest(days: days, streams: [.daily, .details], concurrentCallCountMax: 1)
      let first = await SyncEngine(catalog).run(request)
      // Once, with its retries, though details are looked for twice.
      let once = 1 + RetryPolicy().retryCountMax
      #expect(first.failedCount == 1 && callCount.withLock { $0 } == once)
      let id = ResourceID(upstream: kobis, subject: .movieDetails(movie))
      #expect(try await store.record(for: id)?.lastFailure?.setAsideUntil == nil)

      // That it fails alone shows the second time, when something else is fetched.
      try await clock.sleep(for: .seconds(8 * 86_400))
      let second = await SyncEngine(catalog).run(request)
      #expect(second.failedCount == 1 && second.unchangedCount > 0 && callCount.withLock { $0 } == 2 * once)
      let until = try #require(try await store.record(for: id)?.lastFailure?.setAsideUntil)
      #expect(clock.wallTime.duration(since: until) < .zero)
      let third = await SyncEngine(catalog).run(request)
      #expect(third.callCount == 0 && third.failedCount == 0 && callCount.withLock { $0 } == 2 * once)
    }
  }
}

@Suite struct `A day's calls that the upstream calls used up` {
  @Test(arguments: [(0, false), (899, false), (900, true), (43_200, true)])
  func `are so unless the day has just begun, when it may mean the day before`(
    second: Int, isLearned: Bool
  ) async throws {
    let day = CalendarDay(daysSinceEpoch: 19_000)
    let clock = ManualClock(
      wallNow: day.startInKorea.millisecondsSinceEpoch + Int64(second) * 1_000)
    let upstream = CountingUpstream { _, _, _ in CountingUpstream.fault("320011") }
    let store = try await SQLiteMovieStore(.inMemory)
    let catalog = MovieCatalog(
      store: store, source: KOBISSource(key: try APIKey("a-test-key-of-no-use")), session: upstream,
      clock: clock)
    let report = await SyncEngine(catalog).run(SyncRequest(streams: [.daily]))
    #expect(report.stoppedBecause == .quota && report.callCount == 1 && upstream.callCount == 1)
    let use = try await store.quotaUse(of: kobis, on: day)
    #expect((use.exhaustedAt != nil) == isLearned)
    let again = isLearned ? day.advanced(by: 1).startInKorea : day.startInKorea.advanced(by: .seconds(900))
    #expect(report.failures.first?.failure.nextAttemptAt == again)
    let atOnce = await SyncEngine(catalog).run(SyncRequest(streams: [.daily]))
    #expect(atOnce.stoppedBecause == .quota && atOnce.callCount == 0)
    let reading = await catalog.readResult(.dailyBoxOffice(on: .yesterday), policy: .networkOnly)
    #expect(failureCode(reading) == .quota && upstream.callCount == 1)
    // Whoever comes later asks again, or does not.
    clock.setWallTime(day.startInKorea.advanced(by: .seconds(max(second, 900))))
    #expect(await SyncEngine(catalog).run(SyncRequest(streams: [.daily])).callCount == (isLearned ? 0 : 1))
    #expect(try await store.quotaUse(of: kobis, on: day).exhaustedAt != nil)
    await catalog.shutdown()
  }
}
