import Foundation
import HTTPSessionTesting
import HTTPTransport
import Logging
import Matinee
import MatineeTesting
import Testing

/// A backfill over as many days as its quota takes, the days turned by a clock of the test's.
struct Backfill {
  let days: ClosedRange<CalendarDay>
  var streams = SyncRequest.Stream.ofDays
  var callsPerDayMax = 300
  /// The most days that it may take.
  var dayCountMax = 400

  /// What came of it.
  struct Outcome {
    var reports: [SyncReport] = []
    var callCount: Int { reports.reduce(0) { $0 + $1.callCount } }
    var retryCount: Int { reports.reduce(0) { $0 + $1.retryCount } }
    var failedCount: Int { reports.reduce(0) { $0 + $1.failedCount } }
    var revisedCount: Int { reports.reduce(0) { $0 + $1.revisedCount } }
    /// How many resources were fetched and found new, the same or corrected.
    var resourceCount: Int {
      reports.reduce(0) { $0 + $1.fetchedCount + $1.unchangedCount + $1.revisedCount }
    }
  }

  /// How many calls are under way at once: one where a seed is to give the same run again.
  var concurrentCallCountMax = SyncRequest.concurrentCallCountDefault

  var request: SyncRequest {
    SyncRequest(days: days, streams: streams, concurrentCallCountMax: concurrentCallCountMax)
  }

  var configuration: CatalogConfiguration {
    CatalogConfiguration(quota: QuotaPolicy(dailyCallCountMax: callsPerDayMax, reservedCallCount: 0))
  }

  /// The log of some hundred thousand calls that fail on purpose would bury what tests have to say.
  private static let silence = Logger(label: "matinee", factory: { _ in SwiftLogNoOpLogHandler() })

  /// A catalogue to sync into `store`.
  ///
  /// - Parameter seed: What the waits before retries are drawn from.
  func catalog(
    in store: SQLiteMovieStore, session: any HTTPSession, clock: ImmediateClock,
    source: KOBISSource? = nil, seed: UInt64 = 1
  ) throws -> MovieCatalog {
    let random = LockedValue(SeededRandom(seed: seed))
    return MovieCatalog(
      store: store, source: try source ?? KOBISSource(key: APIKey(SimulatedUpstream.key)), session: session,
      clock: clock, configuration: configuration, random: { random.withLock { $0.nextUnit() } },
      logger: Self.silence)
  }

  /// Syncs, a run a day, until nothing is due and nothing set aside.
  func run(
    _ catalog: MovieCatalog, clock: ImmediateClock,
    onEvent: @escaping @Sendable (SyncEvent) async -> Void = { _ in }
  ) async throws -> Outcome {
    var outcome = Outcome()
    for _ in 0..<dayCountMax {
      let report = await SyncEngine(catalog).run(request, onEvent: onEvent)
      outcome.reports.append(report)
      try #require(report.storeError == nil, "\(String(describing: report.storeError))")
      let plan = try await SyncEngine(catalog).plan(request)
      // What failed is set aside, and tried again on a later day.
      let failureCount = try await catalog.summary(failureLimit: 0).failureCount
      if plan.due.isEmpty && failureCount == 0 && report.stoppedBecause == nil { return outcome }
      try await clock.sleep(for: Duration.seconds(86_400))
    }
    Issue.record("the backfill did not end within \(dayCountMax) days")
    return outcome
  }

  /// Syncs for one day more, after so long that every chart is due again.
  func revisit(
    _ catalog: MovieCatalog, clock: ImmediateClock, adding outcome: inout Outcome,
    onEvent: @escaping @Sendable (SyncEvent) async -> Void
  ) async throws {
    try await clock.sleep(for: LifetimePolicy().fixed.fresh + .seconds(86_400))
    let report = await SyncEngine(catalog).run(request, onEvent: onEvent)
    try #require(report.storeError == nil, "\(String(describing: report.storeError))")
    outcome.reports.append(report)
  }

  /// Every chart of its days, as the upstream has it.
  func charts(of upstream: SimulatedUpstream) -> [BoxOffice] {
    streams.flatMap { stream -> [BoxOffice] in
      guard case .boxOffice(let kind, _) = stream else { return [] }
      var periods: Set<BoxOfficePeriod> = []
      var day = days.lowerBound
      while day <= days.upperBound {
        let period = BoxOfficePeriod(kind, containing: day)
        if period.through <= days.upperBound { periods.insert(period) }
        day = day.advanced(by: 1)
      }
      return periods.sorted().map { upstream.chart(of: $0) }
    }
  }

  /// Holds what is stored against what the upstream has: every figure, every row, in order, and the details of every
  /// movie that stands in a chart.
  func check(_ store: SQLiteMovieStore, against upstream: SimulatedUpstream) async throws {
    var movies: Set<MovieCode> = []
    for chart in charts(of: upstream) {
      let id = ResourceID(upstream: UpstreamID("kobis"), subject: .boxOffice(chart.period))
      let entry = try #require(try await store.entry(for: id), "\(id) is missing")
      guard entry.value == .boxOffice(chart), entry.record.revision == 1 else {
        Issue.record("\(id) is stored otherwise than the upstream has it")
        continue
      }
      movies.formUnion(chart.entries.map(\.movieCode))
    }
    guard streams.contains(.details) else { return }
    for movie in movies {
      let id = ResourceID(upstream: UpstreamID("kobis"), subject: .movieDetails(movie))
      let details = try #require(upstream.details(of: movie))
      #expect(try await store.entry(for: id)?.value == .movieDetails(details), "\(id)")
    }
  }
}
