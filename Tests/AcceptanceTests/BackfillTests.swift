import AsyncHTTPTransport
import Foundation
import HTTPSessionTesting
import HTTPTransport
import KOBIS
import LoopbackServer
import Matinee
import MatineeTesting
import Testing

/// The 8th of January 2022 at noon in Korea: what lies before 2021 is fixed by then.
func noonLongAfter() throws -> ImmediateClock {
  let day = try #require(CalendarDay(number: 20_220_108))
  return ImmediateClock(wallNow: day.startInKorea.millisecondsSinceEpoch + 12 * 3_600_000)
}

func days(_ first: Int, _ last: Int) throws -> ClosedRange<CalendarDay> {
  try #require(CalendarDay(number: first))...(try #require(CalendarDay(number: last)))
}

@Suite struct `A backfill of four years under 300 calls a day` {
  @Test func `completes over the days with not one call more than its resources, every figure in place`()
    async throws
  {
    let clock = try noonLongAfter()
    let upstream = SimulatedUpstream(callsPerDayMax: 300, clock: clock)
    let backfill = Backfill(days: try days(20_170_101, 20_201_231))
    let store = try await SQLiteMovieStore(.inMemory)
    let outcome = try await backfill.run(
      backfill.catalog(in: store, session: upstream, clock: clock), clock: clock)

    #expect(outcome.failedCount == 0 && outcome.retryCount == 0 && outcome.revisedCount == 0)
    #expect(outcome.callCount == outcome.resourceCount)
    #expect(outcome.callCount == upstream.callCount)
    #expect(upstream.callCountsByPath.values.allSatisfy { $0 == 1 })
    #expect(outcome.reports.dropLast().allSatisfy { $0.stoppedBecause == .quota && $0.callCount == 300 })
    #expect(outcome.reports.count == (outcome.callCount + 299) / 300)
    for (day, count) in upstream.callCounts {
      #expect(try await store.quotaUse(of: UpstreamID("kobis"), on: day).usedCount == count)
    }

    let charts = backfill.charts(of: upstream)
    #expect(charts.count { $0.period.kind == .daily } == 1461)
    #expect(charts.contains { Set($0.entries.map(\.rank)).count < $0.entries.count }, "no chart has a tie")
    try await backfill.check(store, against: upstream)
    await store.close()
  }

  @Test func `does so over a real connection`() async throws {
    let clock = try noonLongAfter()
    let upstream = SimulatedUpstream(callsPerDayMax: 300, clock: clock)
    let server = LoopbackHTTPServer { request, _ in
      try await upstream.send(request, body: [], limits: .default)
    }
    try await server.start()
    let backfill = Backfill(
      days: try Scale.isWhole ? days(20_170_101, 20_201_231) : days(20_200_701, 20_201_231))
    let session = AsyncHTTPSession()
    let store = try await SQLiteMovieStore(.inMemory)
    let source = KOBISSource(
      key: try APIKey(SimulatedUpstream.key),
      base: try KOBISBase(server.origin + "/kobisopenapi/webservice/rest"))
    let outcome = try await backfill.run(
      backfill.catalog(in: store, session: session, clock: clock, source: source), clock: clock)
    #expect(outcome.failedCount == 0)
    #expect(outcome.callCount == outcome.resourceCount + outcome.retryCount)
    #expect(outcome.callCount == upstream.callCount)
    try await backfill.check(store, against: upstream)
    await store.close()
    await session.shutdown()
    await server.stop()
  }
}
