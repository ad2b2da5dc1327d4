import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Matinee
import MatineeTesting
import Testing

@Suite struct `A call that fails` {
  /// 12:00:00 on Monday, 2022-07-11 in Korea, 03:00:00 in UTC.
  let clock = ImmediateClock(
    wallNow: CalendarDay(daysSinceEpoch: 19_184).startInKorea.advanced(by: .seconds(43_200))
      .millisecondsSinceEpoch)

  /// A sync of one day whose first answers are `replies`, and the recorded week afterwards.
  func sync(
    _ replies: [HTTPReply], budget: Int? = nil, configuration: CatalogConfiguration = CatalogConfiguration()
  ) async throws -> (report: SyncReport, callCount: Int, enteredCount: Int?) {
    try await withSharedFile(clock: clock) { file async throws in
      file.upstream.answers { number, request, limits in
        guard number >= replies.count else { return replies[number] }
        return try await CountingUpstream.recordedWeek(number, request, limits)
      }
      let (catalog, _) = try await file.open(configuration)
      let report = await SyncEngine(catalog).run(Upstream.dailySync(budget: budget, dayCount: 1))
      let entered = try await catalog.summary().quotas.first?.usedCount
      await catalog.shutdown()
      return (report, file.upstream.callCount, entered)
    }
  }

  @Test func `is made again by a sync, after drawn waits, each call charged`() async throws {
    let outcome = try await sync([
      CountingUpstream.status(.serviceUnavailable), CountingUpstream.status(.badGateway),
    ])
    #expect(outcome.report.fetchedCount == 1 && outcome.report.failedCount == 0)
    #expect(outcome.report.callCount == 3 && outcome.report.retryCount == 2)
    #expect(outcome.callCount == 3 && outcome.enteredCount == 3)
    #expect(clock.sleeps == [.milliseconds(250), .milliseconds(500)])
  }

  @Test func `is given up after as many retries as there may be, and counted as one failure`() async throws {
    let busy = CountingUpstream.status(.serviceUnavailable)
    let outcome = try await sync(Array(repeating: busy, count: 10))
    #expect(outcome.report.failedCount == 1 && outcome.report.fetchedCount == 0)
    #expect(outcome.report.callCount == 4 && outcome.report.retryCount == 3)
    #expect(outcome.callCount == 4 && outcome.enteredCount == 4)
    #expect(outcome.report.failures.map(\.failure.code) == [.status])
  }

  @Test(arguments: [
    ("7", Duration.seconds(7)), ("Mon, 11 Jul 2022 03:00:09 GMT", .seconds(9)),
    ("Monday, 11-Jul-22 03:00:09 GMT", .seconds(9)), ("Mon Jul 11 03:00:09 2022", .seconds(9)),
    ("86400", .seconds(30)), ("soon", .milliseconds(250)),
  ])
  func `waits as long as the upstream asks, up to the cap`(wish: String, wait: Duration) async throws {
    let outcome = try await sync([CountingUpstream.status(.tooManyRequests, [.retryAfter: wish])])
    #expect(outcome.report.fetchedCount == 1 && outcome.report.retryCount == 1)
    #expect(clock.sleeps == [wait])
  }

  @Test func `is not made again past the budget`() async throws {
    let busy = CountingUpstream.status(.serviceUnavailable)
    let outcome = try await sync(Array(repeating: busy, count: 10), budget: 2)
    #expect(outcome.report.callCount == 2 && outcome.report.budgetLeft == 0 && outcome.callCount == 2)
    #expect(outcome.report.failedCount == 1)
  }

  @Test func `is not made again past the quota, and has the upstream's failure`() async throws {
    let busy = CountingUpstream.status(.serviceUnavailable)
    let configuration = CatalogConfiguration(quota: QuotaPolicy(dailyCallCountMax: 2, reservedCallCount: 0))
    let outcome = try await sync(Array(repeating: busy, count: 10), configuration: configuration)
    #expect(outcome.callCount == 2 && outcome.enteredCount == 2)
    #expect(outcome.report.failures.map(\.failure.code) == [.status])
    #expect(outcome.report.retryCount == 1)
  }

  @Test(arguments: ["320102", "320010", "320011"])
  func `is not made again if it is the upstream's considered answer`(number: String) async throws {
    let outcome = try await sync(Array(repeating: CountingUpstream.fault(number), count: 10))
    #expect(outcome.callCount == 1 && outcome.report.retryCount == 0)
    #expect(clock.sleeps.isEmpty)
  }

  @Test func `keeps no reader waiting who has something to fall back on`() async throws {
    let gate = Gate()
    try await withSharedFile { file async throws in
      file.upstream.answers { number, request, limits in
        guard number == 0 else { return try await CountingUpstream.recordedWeek(number, request, limits) }
        try await gate.pass()
        return CountingUpstream.status(.serviceUnavailable)
      }
      let (catalog, store) = try await file.open()
      try await store.commit(
        FetchedAnswer(
          resource: Upstream.id, value: .boxOffice(try Upstream.storedChart()),
          provenance: .host("kobis.or.kr"),
          fetchedAt: file.clock.wallTime.advanced(by: .seconds(-400 * 86_400))), in: nil)
      let sync = Task { await SyncEngine(catalog).run(Upstream.dailySync(dayCount: 1)) }
      try await gate.waitForWaiting()
      let joined = Task { try await catalog.read(Upstream.resource) }
      while catalog.refresher.waiterCount(of: Upstream.id) < 2 { await Task.yield() }
      gate.open()
      #expect(try await joined.value.servedBecause?.code == .status)
      try await file.clock.waitForSleepers()
      let late = try await catalog.read(Upstream.resource)
      #expect(late.servedBecause?.code == .status && late.origin == .cache)
      file.clock.advance(by: .seconds(1))
      let report = await sync.value
      #expect(report.revisedCount == 1 && report.retryCount == 1)
      #expect(file.upstream.callCount == 2)
      await catalog.shutdown()
    }
  }

  @Test func `is made again for a reader only if it is told so, and nothing is stored`() async throws {
    let configuration = CatalogConfiguration(readRetry: RetryPolicy(retryCountMax: 1))
    let busy = Stub(.any, .status(.serviceUnavailable)).repeatingLast()
    for (stored, configuration, callCount) in [
      (nil, CatalogConfiguration(), 1), (nil, configuration, 2),
      (Duration.seconds(400 * 86_400), configuration, 1),
    ] {
      let session = StubSession(busy)
      try await Upstream.withRig(session, stored: stored, configuration: configuration) { rig async throws in
        // The rig's clock stands still: the retry waits until it is moved.
        let read = Task { await rig.catalog.readResult(Upstream.resource) }
        if callCount == 2 {
          try await rig.clock.waitForSleepers()
          rig.clock.advance(by: .seconds(1))
        }
        _ = await read.value
        #expect(session.journal.count == callCount)
      }
    }
  }
}
