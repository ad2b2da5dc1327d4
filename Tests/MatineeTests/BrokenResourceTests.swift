import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Matinee
import MatineeTesting
import Testing

/// A KOBIS that answers some days' charts with status 500, and everything else as it should.
private final class PartlyBrokenUpstream: HTTPSession {
  let simulator: KOBISSimulator
  private let state = LockedValue(State())

  private struct State {
    var broken: Set<CalendarDay> = []
    var callCounts: [CalendarDay: Int] = [:]
  }

  init(_ simulator: KOBISSimulator) { self.simulator = simulator }

  var broken: Set<CalendarDay> {
    get { state.withLock { $0.broken } }
    set { state.withLock { $0.broken = newValue } }
  }

  func callCount(of day: CalendarDay) -> Int { state.withLock { $0.callCounts[day] ?? 0 } }

  func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
    let path = request.path ?? ""
    let isBroken = state.withLock { state in
      guard
        let day = path.split(separator: "targetDt=").dropFirst().first.flatMap({ CalendarDay($0.prefix(8)) })
      else { return false }
      state.callCounts[day, default: 0] += 1
      return state.broken.contains(day)
    }
    if isBroken { return HTTPReply(head: HTTPResponse(status: .init(code: 500)), body: []) }
    return try await simulator.send(request, body: body, limits: limits)
  }
}

@Suite struct `A resource that the upstream never manages to answer` {
  static let today = CalendarDay(daysSinceEpoch: 19_000)

  private struct Rig {
    let catalog: MovieCatalog
    let store: SQLiteMovieStore
    let upstream: PartlyBrokenUpstream
    let clock: ImmediateClock

    func sync(days: Int, since: CalendarDay = today.advanced(by: -1)) async -> SyncReport {
      let request = SyncRequest(days: since.advanced(by: 1 - days)...since, streams: [.daily])
      return await SyncEngine(catalog).run(request)
    }

    func record(of day: CalendarDay) async throws -> EntryRecord? {
      try await store.record(
        for: ResourceID(upstream: UpstreamID("kobis"), subject: .boxOffice(.daily(day))))
    }
  }

  private func withRig(_ body: (Rig) async throws -> Void) async throws {
    let clock = ImmediateClock(wallNow: Self.today.startInKorea.millisecondsSinceEpoch + 12 * 3_600_000)
    let upstream = PartlyBrokenUpstream(KOBISSimulator(seed: 5) { clock.wallTime })
    let store = try await SQLiteMovieStore(.inMemory)
    let catalog = MovieCatalog(
      store: store, source: KOBISSource(key: try APIKey("a-test-key-of-no-use")), session: upstream,
      clock: clock)
    try await body(Rig(catalog: catalog, store: store, upstream: upstream, clock: clock))
    await catalog.shutdown()
  }

  private func day(_ ago: Int) -> CalendarDay { Self.today.advanced(by: -ago) }

  @Test func `is set aside from its second time, and keeps no other from being fetched`() async throws {
    try await withRig { rig async throws in
      // The first in the plan, and two more.
      let broken = [day(1), day(4), day(6)]
      rig.upstream.broken = Set(broken)
      let first = await rig.sync(days: 20)
      #expect(first.stoppedBecause == nil)
      #expect(first.failedCount == 3 && first.fetchedCount == 17)

      try await rig.clock.sleep(for: .seconds(3600))
      let second = await rig.sync(days: 40)
      #expect(second.stoppedBecause == nil)
      #expect(second.failedCount == 3 && second.fetchedCount == 20)
      for day in broken {
        let failure = try #require(try await rig.record(of: day)?.lastFailure)
        #expect(failure.setAsideUntil != nil, "\(day)")
      }
      #expect(try await !rig.store.breaker(of: UpstreamID("kobis")).isOpen)

      let callCounts = broken.map(rig.upstream.callCount)
      try await rig.clock.sleep(for: .seconds(3600))
      let third = await rig.sync(days: 60)
      #expect(third.stoppedBecause == nil && third.failedCount == 0 && third.fetchedCount == 20)
      #expect(broken.map(rig.upstream.callCount) == callCounts)

      rig.upstream.broken = []
      try await rig.clock.sleep(for: .seconds(6 * 3600))
      #expect(await rig.sync(days: 60).fetchedCount >= 3)
      for day in broken { #expect(try await rig.record(of: day)?.fetchedAt != nil) }
    }
  }

  @Test func `is set aside also where nothing else is due any more`() async throws {
    try await withRig { rig async throws in
      rig.upstream.broken = [day(1)]
      #expect(await rig.sync(days: 5).failedCount == 1)
      try await rig.clock.sleep(for: .seconds(1800))
      let second = await rig.sync(days: 5)
      #expect(second.failedCount == 1)
      let callCount = rig.upstream.callCount(of: day(1))
      for _ in 0..<5 {
        try await rig.clock.sleep(for: .seconds(1800))
        #expect(await rig.sync(days: 5).failedCount == 0)
      }
      #expect(rig.upstream.callCount(of: day(1)) == callCount)
    }
  }

  @Test func `is not what an open breaker is tried by while others are due`() async throws {
    try await withRig { rig async throws in
      rig.upstream.broken = Set((1...5).map(day))
      let first = await rig.sync(days: 5)
      #expect(first.fetchedCount == 0)
      #expect(try await rig.store.breaker(of: UpstreamID("kobis")).isOpen)
      try await rig.clock.sleep(for: .seconds(3600))
      let second = await rig.sync(days: 8)
      #expect(second.stoppedBecause == nil && second.fetchedCount == 3 && second.failedCount == 5)
      for ago in 6...8 { #expect(try await rig.record(of: day(ago))?.fetchedAt != nil) }
      #expect(try await !rig.store.breaker(of: UpstreamID("kobis")).isOpen)
    }
  }

  @Test func `says nothing of itself while the upstream is down`() async throws {
    try await withRig { rig async throws in
      rig.upstream.broken = Set((1...40).map(day))
      for _ in 0..<4 {
        let report = await rig.sync(days: 40)
        #expect(report.stoppedBecause == .upstreamUnavailable && report.fetchedCount == 0)
        try await rig.clock.sleep(for: .seconds(3600))
      }
      for ago in 1...40 {
        #expect(try await rig.record(of: day(ago))?.lastFailure?.setAsideUntil == nil, "\(ago)")
      }
      rig.upstream.broken = []
      let report = await rig.sync(days: 40)
      #expect(report.stoppedBecause == nil && report.fetchedCount == 40)
    }
  }
}
