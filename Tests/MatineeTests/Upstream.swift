import CoreMetrics
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import KOBISFixtures
import Logging
import Matinee
import MatineeTesting

/// What the scripted upstream does when it is asked.
enum Outcome: String, CaseIterable, Sendable {
  case success
  case transportFailure
  case statusFailure
  case faultBody
  case undecodable

  /// The failure's code; `nil` for success.
  var failureCode: CatalogFailure.Code? {
    switch self {
    case .success: nil
    case .transportFailure: .transport
    case .statusFailure: .status
    case .faultBody: .fault
    case .undecodable: .undecodable
    }
  }

  var answer: Answer {
    switch self {
    case .success: Upstream.answer(Upstream.freshBody)
    case .transportFailure: .failure(.connectionRefused)
    case .statusFailure: .status(.serviceUnavailable)
    case .faultBody:
      Upstream.answer(Array(#"{"faultInfo":{"message":"날짜 오류","errorCode":"320103"}}"#.utf8))
    case .undecodable: Upstream.answer(Array(Upstream.freshBody.dropLast(40)))
    }
  }
}

/// One day's chart at a scripted KOBIS, and the catalogue that asks it.
enum Upstream {
  static let day = RecordedSession.recordedDays.lowerBound
  static let resource = Resource.dailyBoxOffice(on: .day(day))
  static let id = ResourceID(upstream: UpstreamID("kobis"), subject: .boxOffice(.daily(day)))
  static let source = KOBISSource(key: try? APIKey("canary-key-0123456789"))

  /// What KOBIS answers to the day.
  static let freshBody = RecordedWeek.dailyBodies[day.basicFormat] ?? []

  static func answer(_ body: [UInt8]) -> Answer {
    .reply(HTTPReply(head: HTTPResponse(status: .ok), body: body))
  }

  /// The chart in ``freshBody``.
  static func freshChart() throws -> BoxOffice {
    let value = try source.value(from: freshBody, for: id.subject)
    guard let chart = BoxOffice(value) else { throw CatalogFailure(.undecodable, "no chart") }
    return chart
  }

  /// The same chart before KOBIS corrected a figure.
  static func storedChart() throws -> BoxOffice {
    let chart = try freshChart()
    var entries = chart.entries
    entries[0].audienceTotal -= 270
    return BoxOffice(period: chart.period, entries: entries)
  }

  /// A catalogue in memory over a scripted session, and what to look at.
  struct Rig: Sendable {
    let catalog: MovieCatalog
    let store: SQLiteMovieStore
    let session: StubSession
    let clock: ManualClock
  }

  /// Lends a catalogue; `stored` is how old the day's stored answer is, `nil` for none.
  static func withRig<Result>(
    _ session: StubSession, stored age: Duration? = nil, from provenance: Provenance = .host("kobis.or.kr"),
    source: any MovieSource = source, configuration: CatalogConfiguration = CatalogConfiguration(),
    logger: Logger = Logger(label: "test"), metrics: any MetricsFactory = NOOPMetricsHandler.instance,
    _ body: (Rig) async throws -> Result
  ) async throws -> Result {
    // Three years after the chart's day, so that it was fixed whenever it was fetched.
    let clock = ManualClock(inKorea: day.advanced(by: 1100))
    let store = try await SQLiteMovieStore(.inMemory)
    let catalog = MovieCatalog(
      store: store, source: source, session: session, clock: clock, configuration: configuration,
      logger: logger,
      metrics: metrics)
    do {
      if let age {
        let answer = FetchedAnswer(
          resource: id, value: .boxOffice(try storedChart()), provenance: provenance,
          fetchedAt: clock.wallTime.advanced(by: .zero - age))
        _ = try await store.commit(answer, in: nil)
      }
      let result = try await body(Rig(catalog: catalog, store: store, session: session, clock: clock))
      await catalog.shutdown()
      return result
    } catch {
      await catalog.shutdown()
      throw error
    }
  }
}
