import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import KOBIS
import Matinee
import MatineeTesting
import Testing

/// Which days are whose, whatever the machine's zone: `make zones` runs these under several.
@Suite struct `At midnight somewhere` {
  struct Midnight: CustomTestStringConvertible, Sendable {
    let place: String
    /// The midnight, in milliseconds since 1970 UTC.
    let instant: Int64
    /// The Korean day that is yesterday a minute before it, and a minute after.
    let before: Int
    let after: Int

    var testDescription: String { place }
  }

  /// 5 January 2022, 15:00 UTC; 6 January, 00:00 UTC; 6 January, 08:00 UTC.
  static let midnights = [
    Midnight(place: "Korea", instant: 1_641_394_800_000, before: 20_220_104, after: 20_220_105),
    Midnight(place: "UTC", instant: 1_641_427_200_000, before: 20_220_105, after: 20_220_105),
    Midnight(place: "Los Angeles", instant: 1_641_456_000_000, before: 20_220_105, after: 20_220_105),
  ]

  @Test(arguments: midnights)
  func `a sync stays with the days it set out for, and the next one takes those that are new`(
    midnight: Midnight
  ) async throws {
    let clock = ManualClock(wallNow: midnight.instant - 60_000)
    let simulator = KOBISSimulator(seed: 3) { clock.wallTime }
    let gate = Gate()
    let session = HeldBackSession(wrapping: simulator, gate: gate)
    let catalog = MovieCatalog(
      store: try await SQLiteMovieStore(.inMemory),
      source: KOBISSource(key: try APIKey("a-test-key-of-no-use")),
      session: session, clock: clock)
    #expect(catalog.availableDays.upperBound.number == midnight.before)

    let yesterday = catalog.availableDays.upperBound
    let request = SyncRequest(days: yesterday.advanced(by: -2)...yesterday.advanced(by: 2), streams: [.daily])
    let sync = Task { await SyncEngine(catalog).run(request) }
    // The first call went alone, before midnight.
    try await gate.waitForWaiting(count: 2)
    clock.advance(by: .seconds(120))
    gate.open()
    let report = await sync.value
    #expect(report.fetchedCount == 3 && report.failedCount == 0 && report.callCount == 3)
    #expect(session.days == [yesterday.advanced(by: -2), yesterday.advanced(by: -1), yesterday])

    #expect(catalog.availableDays.upperBound.number == midnight.after)
    let next = await SyncEngine(catalog).run(request)
    let turned = midnight.after == midnight.before ? 0 : 1
    #expect(next.fetchedCount == turned && next.callCount == turned)
    let shown = try await catalog.read(.dailyBoxOffice(on: .yesterday), policy: .cacheOnly)
    #expect(shown.value.period.day.number == midnight.after)
    #expect(shown.value == simulator.chart(of: shown.value.period))

    // The ledger's day is Korean, and a call under way when it turns is charged to both.
    let quota = try #require(try await catalog.summary().quotas.first)
    #expect(quota.day.number == midnight.after + 1)
    #expect(quota.usedCount == (turned == 1 ? 2 + 1 : 3))
    await catalog.shutdown()
  }
}

/// A session whose calls but the first wait at a gate, and which knows the days that it was asked for.
private final class HeldBackSession: HTTPSession {
  private let wrapped: any HTTPSession
  private let gate: Gate
  private let asked = LockedValue<Set<CalendarDay>>([])

  init(wrapping wrapped: any HTTPSession, gate: Gate) {
    self.wrapped = wrapped
    self.gate = gate
  }

  /// The days asked for, in order.
  var days: [CalendarDay] { asked.withLock { $0.sorted() } }

  func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
    let day = try #require(KOBISCall(request)?["targetDt"].flatMap { CalendarDay($0) })
    let count = asked.withLock { days in
      days.insert(day)
      return days.count
    }
    if count > 1 { try await gate.pass() }
    return try await wrapped.send(request, body: body, limits: limits)
  }
}
