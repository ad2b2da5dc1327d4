import HTTPTransport
import HTTPTypes
import KOBIS
import Matinee
import MatineeTesting
import Recordings
import Testing

/// Recorded days, answered as they were recorded.
private struct RecordedDays: HTTPSession {
  let bodies: [CalendarDay: [UInt8]]
  let callCounts = LockedValue<[CalendarDay: Int]>([:])

  func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
    let day = KOBISCall(request)?["targetDt"].flatMap { CalendarDay($0) }
    guard let day, let body = bodies[day] else {
      return HTTPReply(head: HTTPResponse(status: .notFound))
    }
    callCounts.withLock { $0[day, default: 0] += 1 }
    return HTTPReply(head: HTTPResponse(status: .ok), body: body)
  }
}

/// This runs in addition where recordings of the real KOBIS are; see `Recordings`.
@Suite(.enabled(if: Recordings.areThere, "the recordings are not here"))
struct `A backfill of four recorded years` {
  /// The days on which ranks are known to tie.
  static let tiedDays = [
    20_170_731, 20_190_326, 20_190_613, 20_200_422, 20_200_427, 20_200_718, 20_201_024,
  ]

  @Test func `holds what was recorded, in every figure and in order, tied ranks among it`() async throws {
    var charts: [RecordedChart] = []
    var bodies: [CalendarDay: [UInt8]] = [:]
    for year in 2017...2020 {
      for body in try await Recordings.history(of: year) {
        let chart = try RecordedChart(body)
        charts.append(chart)
        bodies[chart.period.day] = body
      }
    }
    try #require(bodies.count == 1461 && charts.count == 1461)

    let clock = try noonLongAfter()
    let session = RecordedDays(bodies: bodies)
    let backfill = Backfill(days: try days(20_170_101, 20_201_231), streams: [.daily])
    let store = try await SQLiteMovieStore(.inMemory)
    let outcome = try await backfill.run(
      backfill.catalog(in: store, session: session, clock: clock), clock: clock)
    #expect(outcome.failedCount == 0 && outcome.retryCount == 0)
    #expect(outcome.callCount == 1461 && outcome.reports.count == 5)
    #expect(session.callCounts.withLock { $0.count == 1461 && $0.values.allSatisfy { $0 == 1 } })

    for chart in charts {
      let id = ResourceID(upstream: UpstreamID("kobis"), subject: .boxOffice(chart.period))
      let value = try #require(try await store.entry(for: id)?.value)
      let stored = try #require(BoxOffice(value))
      if RecordedChart.rows(of: stored) != chart.rows {
        Issue.record("\(id) is stored otherwise than it was recorded")
      }
    }
    #expect(charts.filter(\.hasTie).map(\.period.day.number) == Self.tiedDays)
    await store.close()
  }
}
