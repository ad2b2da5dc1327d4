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
private func noonLongAfter() throws -> ImmediateClock {
  let day = try #require(CalendarDay(number: 20_220_108))
  return ImmediateClock(wallNow: day.startInKorea.millisecondsSinceEpoch + 12 * 3_600_000)
}

private func days(_ first: Int, _ last: Int) throws -> ClosedRange<CalendarDay> {
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
    let outcome = try await backfill.run(in: store, session: upstream, clock: clock)

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
    let outcome = try await backfill.run(in: store, session: session, clock: clock, source: source)
    #expect(outcome.failedCount == 0)
    #expect(outcome.callCount == outcome.resourceCount + outcome.retryCount)
    #expect(outcome.callCount == upstream.callCount)
    try await backfill.check(store, against: upstream)
    await store.close()
    await session.shutdown()
    await server.stop()
  }
}

@Suite struct `A backfill through an upstream that fails every tenth call` {
  /// What is invented once, for all seeds.
  private static let answers = LockedValue<SimulatedUpstream?>(nil)

  private static func sharedAnswers(_ clock: ImmediateClock) -> SimulatedUpstream {
    answers.withLock { answers in
      if let answers { return answers }
      let upstream = SimulatedUpstream(callsPerDayMax: .max, clock: clock)
      answers = upstream
      return upstream
    }
  }

  @Test(arguments: Scale.seeds)
  func `completes, equals the source, and has every call in its ledger`(seed: UInt64) async throws {
    let clock = try noonLongAfter()
    let upstream = SimulatedUpstream(
      callsPerDayMax: 300, clock: clock, sharing: Self.sharedAnswers(try noonLongAfter()))
    let faults = FaultySession(
      wrapping: MangledAnswers(wrapping: upstream, probability: 0.03, seed: seed),
      plan: .random(probability: 0.07, seed: seed), clock: clock)
    let witness = CallWitness(wrapping: faults, clock: clock)
    // Every seed has a month and a half of its own, spread over the four years.
    let first = try #require(CalendarDay(number: 20_170_101)).advanced(by: Int(seed % 34) * 42)
    var backfill = Backfill(days: first...first.advanced(by: 44))
    backfill.concurrentCallCountMax = 1
    backfill.callsPerDayMax = 60
    let store = try await SQLiteMovieStore(.inMemory)
    let outcome = try await backfill.run(in: store, session: witness, clock: clock, seed: seed)

    #expect(outcome.callCount == outcome.resourceCount + outcome.failedCount + outcome.retryCount)
    #expect(outcome.revisedCount == 0)
    #expect(witness.callCounts.values.reduce(0, +) == outcome.callCount)
    for (day, count) in witness.callCounts {
      #expect(count <= 60)
      #expect(try await store.quotaUse(of: UpstreamID("kobis"), on: day).usedCount == count, "\(day)")
      // What failed on its way there was never counted at its end.
      #expect((upstream.callCounts[day] ?? 0) <= count)
    }
    try await backfill.check(store, against: upstream)
    await store.close()
  }
}
