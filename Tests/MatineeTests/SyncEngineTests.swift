import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Matinee
import MatineeTesting
import Testing

@Suite struct `A sync` {
  /// Lends a catalogue that syncs the recorded week through a session of the test's.
  func withCatalog<Result>(
    _ session: any HTTPSession = RecordedSession(), source: any MovieSource = Upstream.source,
    clock: any CatalogClock = ManualClock(inKorea: Upstream.day.advanced(by: 1100)),
    _ body: (MovieCatalog, SQLiteMovieStore, any CatalogClock) async throws -> Result
  ) async throws -> Result {
    let store = try await SQLiteMovieStore(.inMemory)
    let catalog = MovieCatalog(store: store, source: source, session: session, clock: clock)
    do {
      let result = try await body(catalog, store, clock)
      await catalog.shutdown()
      return result
    } catch {
      await catalog.shutdown()
      throw error
    }
  }

  let week = SyncRequest(days: RecordedSession.recordedDays)

  @Test func `fetches the charts of its days and the details of the movies in them`() async throws {
    try await withCatalog { catalog, store, _ async throws in
      let events = LockedValue<[SyncEvent]>([])
      let report = await SyncEngine(catalog).run(week) { event in events.withLock { $0.append(event) } }
      #expect(report.fetchedCount == 7 + 1 + 1 + 13)
      #expect(report.callCount == 22 && report.failedCount == 0 && report.skippedCount == 0)
      #expect(report.stoppedBecause == nil && report.storeError == nil)
      let told = events.withLock { $0 }
      #expect(told.count == 22)
      #expect(told.allSatisfy { $0.outcome == .fetched && $0.revision == 1 })
      #expect(told.last?.doneCount == 22 && told.last?.dueCount == 22)
      for event in told { #expect(try await store.entry(for: event.resource)?.value != nil) }
      let run = try #require(try await catalog.summary().lastRun)
      #expect(
        run.fetchedCount == 22 && run.plannedCount == 22 && run.endedAt != nil && run.stoppedBecause == nil)
    }
  }

  @Test func `asks for nothing when nothing is due`() async throws {
    try await withCatalog { catalog, _, _ async throws in
      _ = await SyncEngine(catalog).run(week)
      let again = await SyncEngine(catalog).run(week)
      #expect(again.callCount == 0 && again.fetchedCount == 0)
      #expect(again.skippedCount == 9)
      #expect(try await SyncEngine(catalog).plan(week).due.isEmpty)
    }
  }

  @Test func `reports a correction as a revision`() async throws {
    let session = StubSession(Stub(.any, Outcome.success.answer).repeatingLast())
    try await Upstream.withRig(session, stored: .seconds(200 * 86_400)) { rig in
      let events = LockedValue<[SyncEvent]>([])
      let request = SyncRequest(days: Upstream.day...Upstream.day, streams: [.daily])
      let report = await SyncEngine(rig.catalog).run(request) { event in events.withLock { $0.append(event) }
      }
      #expect(report.revisedCount == 1)
      #expect(events.withLock { $0.first?.outcome } == .revised)
      #expect(events.withLock { $0.first?.revision } == 2)
    }
  }

  @Test func `keeps no more calls under way than it was told`() async throws {
    let gate = Gate()
    let session = HeldSession(gate: gate, passingCount: 1)
    try await withCatalog(session) { catalog, _, _ async throws in
      let request = SyncRequest(
        days: RecordedSession.recordedDays, streams: [.daily], concurrentCallCountMax: 3)
      async let report = SyncEngine(catalog).run(request)
      try await gate.waitForWaiting(count: 3)
      #expect(session.underWayCountMax == 3)
      gate.open()
      #expect(await report.fetchedCount == 7)
      #expect(session.underWayCountMax == 3)
    }
  }

  @Test func `stops at its budget with everything saved, and goes on from there`() async throws {
    try await withCatalog { catalog, store, _ async throws in
      let first = await SyncEngine(catalog).run(
        SyncRequest(days: RecordedSession.recordedDays, streams: [.daily], callBudget: 5))
      #expect(first.stoppedBecause == .budget)
      #expect(
        first.callCount == 5 && first.fetchedCount == 5 && first.budgetLeft == 0 && first.skippedCount == 2)
      let second = await SyncEngine(catalog).run(
        SyncRequest(days: RecordedSession.recordedDays, streams: [.daily], callBudget: 5))
      #expect(second.stoppedBecause == nil)
      #expect(second.callCount == 2 && second.skippedCount == 5 && second.budgetLeft == 3)
      #expect(
        try await store.records(of: .dailyBoxOffice, upstream: Upstream.id.upstream, keys: "2"..."3").count
          == 7)
    }
  }

  @Test(arguments: [("320010", SyncReport.StopReason.keyRefused), ("320011", .quota)])
  func `stops at once when the key is refused or the quota spent`(
    number: String, reason: SyncReport.StopReason
  ) async throws {
    let fault = Upstream.answer(Array(#"{"faultInfo":{"message":"m","errorCode":"\#(number)"}}"#.utf8))
    let session = StubSession(Stub(.any, fault).repeatingLast())
    try await withCatalog(session) { catalog, _, _ async throws in
      let request = SyncRequest(
        days: RecordedSession.recordedDays, streams: [.daily], concurrentCallCountMax: 1)
      let report = await SyncEngine(catalog).run(request)
      #expect(report.stoppedBecause == reason)
      #expect(report.callCount == 1 && report.failedCount == 1 && report.skippedCount == 6)
      #expect(session.journal.count == 1)
    }
  }

  @Test func `makes no call without a key`() async throws {
    try await withCatalog(StubSession(), source: KOBISSource()) { catalog, _, _ async throws in
      let report = await SyncEngine(catalog).run(week)
      #expect(report.stoppedBecause == .keyMissing)
      #expect(report.callCount == 0)
    }
  }

  @Test func `takes the upstream to be down after so many failures in a row`() async throws {
    let session = StubSession(Stub(.any, Outcome.transportFailure.answer).repeatingLast())
    try await withCatalog(session, clock: ImmediateClock()) { catalog, _, _ async throws in
      let days = Upstream.day...Upstream.day.advanced(by: 99)
      let report = await SyncEngine(catalog).run(
        SyncRequest(days: days, streams: [.daily], concurrentCallCountMax: 1))
      #expect(report.stoppedBecause == .upstreamUnavailable)
      #expect(report.callCount == SyncEngine.consecutiveFailureCountMax)
      #expect(report.retryCount == 6 && report.failedCount == 2)
      #expect(report.failures.allSatisfy { $0.failure.code == .transport })
    }
  }

  @Test func `sets one broken resource aside and fetches the others`() async throws {
    let broken = Stub(
      .query(containing: ["targetDt": "20190710"]),
      Upstream.answer(Array("<html>Service Unavailable</html>".utf8)))
    try await withCatalog(OverlaySession(StubSession(broken, unmatched: .throwOnly))) {
      catalog, store, _ async throws in
      let report = await SyncEngine(catalog).run(
        SyncRequest(days: RecordedSession.recordedDays, streams: [.daily]))
      #expect(report.fetchedCount == 6 && report.failedCount == 1 && report.stoppedBecause == nil)
      #expect(report.failures.map(\.resource.subject.key) == ["20190710"])
      #expect(report.failures.first?.failure.code == .undecodable)
      let failed = try await catalog.summary().failures
      #expect(failed.map(\.resource.subject.key) == ["20190710"])
      #expect(failed.first?.isStored == false)
    }
  }

  @Test func `stops when it is cancelled, closes its record, and goes on the next time`() async throws {
    let gate = Gate()
    try await withCatalog(HeldSession(gate: gate, passingCount: 1)) { catalog, _, _ async throws in
      let request = SyncRequest(
        days: RecordedSession.recordedDays, streams: [.daily], concurrentCallCountMax: 2)
      let sync = Task { await SyncEngine(catalog).run(request) }
      try await gate.waitForWaiting(count: 2)
      sync.cancel()
      let report = await sync.value
      #expect(report.stoppedBecause == .cancelled)
      #expect(report.fetchedCount == 1 && report.failedCount == 0)
      let run = try #require(try await catalog.summary().lastRun)
      #expect(run.endedAt != nil && run.stoppedBecause == "cancelled")
      gate.open()
      await catalog.waitForRefreshes()
      #expect(await SyncEngine(catalog).run(request).stoppedBecause == nil)
    }
  }

  @Test func `ends as cancelled when the catalogue is shut down under it`() async throws {
    let gate = Gate()
    try await withCatalog(HeldSession(gate: gate, passingCount: 1)) { catalog, _, _ async throws in
      let request = SyncRequest(
        days: RecordedSession.recordedDays, streams: [.daily], concurrentCallCountMax: 2)
      let sync = Task { await SyncEngine(catalog).run(request) }
      try await gate.waitForWaiting(count: 2)
      await catalog.shutdown()
      let report = await sync.value
      #expect(report.stoppedBecause == .cancelled)
      #expect(report.fetchedCount == 1 && report.skippedCount == 6)
    }
  }

  @Test func `tells the calls that it was making when it was cancelled, and leaves none of them behind`()
    async throws
  {
    let gate = Gate()
    try await withCatalog(HeldSession(gate: gate, passingCount: 1)) { catalog, store, _ async throws in
      let request = SyncRequest(
        days: RecordedSession.recordedDays, streams: [.daily], concurrentCallCountMax: 2)
      let sync = Task { await SyncEngine(catalog).run(request) }
      try await gate.waitForWaiting(count: 2)
      sync.cancel()
      let report = await sync.value
      #expect(report.stoppedBecause == .cancelled)
      #expect(report.callCount == 3 && report.skippedCount == 6 && report.failedCount == 0)
      #expect(try await catalog.summary().quotas.first?.usedCount == 3)
      #expect(gate.waitingCount == 0)
      let stored = try await store.records(
        of: .dailyBoxOffice, upstream: Upstream.id.upstream, keys: "2"..."3")
      #expect(stored.values.count { $0.fetchedAt != nil } == 1)
      #expect(stored.values.allSatisfy { $0.lastFailure == nil })
    }
  }

  @Test func `stores and tells an answer that came as it was cancelled`() async throws {
    let sync = LockedValue<Task<SyncReport, Never>?>(nil)
    let started = Gate()
    let session = CountingUpstream { number, request, limits in
      try await started.pass()
      let reply = try await CountingUpstream.recordedWeek(number, request, limits)
      sync.withLock { $0 }?.cancel()
      return reply
    }
    try await withCatalog(session) { catalog, store, _ async throws in
      let request = SyncRequest(
        days: RecordedSession.recordedDays, streams: [.daily], concurrentCallCountMax: 1)
      let task = Task { await SyncEngine(catalog).run(request) }
      sync.withLock { $0 = task }
      started.open()
      let report = await task.value
      #expect(report.stoppedBecause == .cancelled)
      #expect(report.callCount == 1 && report.fetchedCount == 1 && report.skippedCount == 6)
      #expect(try await catalog.summary().lastRun?.fetchedCount == 1)
      #expect(try await catalog.summary().quotas.first?.usedCount == 1)
    }
  }

  @Test func `leaves a call to the reader who waits for it, too, when it is cancelled`() async throws {
    let gate = Gate()
    try await withCatalog(HeldSession(gate: gate)) { catalog, _, _ async throws in
      let request = SyncRequest(
        days: RecordedSession.recordedDays, streams: [.daily], concurrentCallCountMax: 1)
      let sync = Task { await SyncEngine(catalog).run(request) }
      try await gate.waitForWaiting()
      let latest = ResourceID(
        upstream: Upstream.id.upstream,
        subject: .boxOffice(.daily(RecordedSession.recordedDays.upperBound)))
      let reading = Task {
        try await catalog.read(.dailyBoxOffice(on: .day(RecordedSession.recordedDays.upperBound)))
      }
      while catalog.refresher.waiterCount(of: latest) < 2 { await Task.yield() }
      sync.cancel()
      #expect(await sync.value.stoppedBecause == .cancelled)
      gate.open()
      #expect(try await reading.value.origin == .network)
      #expect(try await catalog.summary().quotas.first?.usedCount == 1)
    }
  }

  @Test func `runs for callers without an async context`() async throws {
    try await withCatalog { catalog, _, _ async throws in
      let report = await withCheckedContinuation { continuation in
        _ = SyncEngine(catalog).run(SyncRequest(days: RecordedSession.recordedDays, streams: [.daily])) {
          report in
          continuation.resume(returning: report)
        }
      }
      #expect(report.fetchedCount == 7)
    }
  }

  @Test func `covers no day that the upstream cannot have`() async throws {
    try await withCatalog(source: KOBISSource.recorded) { catalog, _, _ async throws in
      let wide = Upstream.day.advanced(by: -100)...Upstream.day.advanced(by: 100)
      #expect(try await SyncEngine(catalog).plan(SyncRequest(days: wide, streams: [.daily])).due.count == 7)
      let none = Upstream.day.advanced(by: 50)...Upstream.day.advanced(by: 60)
      #expect(try await SyncEngine(catalog).plan(SyncRequest(days: none)).due.isEmpty)
    }
  }

  @Test func `shares its calls with the reads of the same resources`() async throws {
    let gate = Gate()
    let session = HeldSession(gate: gate)
    try await withCatalog(session) { catalog, _, _ async throws in
      let read = Task { try await catalog.read(Upstream.resource) }
      try await gate.waitForWaiting(count: 1)
      let request = SyncRequest(days: Upstream.day...Upstream.day, streams: [.daily])
      let sync = Task { await SyncEngine(catalog).run(request) }
      while catalog.refresher.waiterCount(of: Upstream.id) < 2 { await Task.yield() }
      gate.open()
      #expect(try await read.value.origin == .network)
      let report = await sync.value
      #expect(report.callCount == 0 && report.fetchedCount == 1)
      #expect(session.callCount == 1)
    }
  }
}

/// The recorded week behind a gate; counts what is under way.
private final class HeldSession: HTTPSession {
  private struct Counts { var underWay = 0, underWayMax = 0, calls = 0 }
  private let counts = LockedValue(Counts())
  private let gate: Gate
  private let passingCount: Int
  private let recorded = RecordedSession()

  /// - Parameter passingCount: How many calls do not wait: a sync's first one goes alone.
  init(gate: Gate, passingCount: Int = 0) {
    self.gate = gate
    self.passingCount = passingCount
  }

  var underWayCountMax: Int { counts.withLock { $0.underWayMax } }
  var callCount: Int { counts.withLock { $0.calls } }

  func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
    let number = counts.withLock { counts in
      counts.underWay += 1
      counts.calls += 1
      counts.underWayMax = max(counts.underWayMax, counts.underWay)
      return counts.calls
    }
    defer { counts.withLock { $0.underWay -= 1 } }
    if number > passingCount { try await gate.pass() }
    return try await recorded.send(request, body: body, limits: limits)
  }
}

/// What the stubs answer, and the recorded week where they do not.
private struct OverlaySession: HTTPSession {
  let stubs: StubSession

  init(_ stubs: StubSession) { self.stubs = stubs }

  func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
    do {
      return try await stubs.send(request, body: body, limits: limits)
    } catch is HTTPTestingError {
      return try await RecordedSession().send(request, body: body, limits: limits)
    }
  }
}
