import CoreMetrics
import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Logging
import Matinee
import MatineeTesting
import MetricsTestKit
import Testing

@testable import CatalogEngine

@Suite struct `What a catalogue reports` {
  let success = Stub(.any, Outcome.success.answer).repeatingLast()
  let failure = Stub(.any, Outcome.transportFailure.answer).repeatingLast()

  /// The counter of these values of dimensions, in their order.
  private func count(_ metrics: TestMetrics, _ definition: MetricDefinition, _ values: String...) throws
    -> Int64
  {
    let dimensions = Array(zip(definition.dimensions, ["kobis.or.kr"] + values))
    return try metrics.expectCounter(definition.name, dimensions).totalValue
  }

  private func last(_ metrics: TestMetrics, _ definition: MetricDefinition) throws -> Double? {
    try metrics.expectMeter(definition.name, [("upstream", "kobis.or.kr")]).lastValue
  }

  @Test func `has the names, kinds and dimensions that the documents tell, and no others`() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Matinee/Matinee.docc/MetricsAndLogs.md").standardized
    let rows = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").filter {
      $0.hasPrefix("| `matinee_")
    }
    let told = rows.map { row in
      row.split(separator: "|").prefix(3).map {
        $0.replacing("`", with: "").trimmingCharacters(in: .whitespaces)
      }
    }
    #expect(
      told == MetricDefinition.all.map { [$0.name, $0.kind.rawValue, $0.dimensions.joined(separator: ", ")] })
  }

  @Test func `is made once, under these names and dimensions`() async throws {
    let metrics = TestMetrics()
    try await Upstream.withRig(StubSession(success), metrics: metrics) { rig async throws in
      _ = try await rig.catalog.read(Upstream.resource)
      let before = metrics.counters.count + metrics.meters.count + metrics.timers.count
      for _ in 0..<3 { _ = try await rig.catalog.read(Upstream.resource, policy: .networkFirst) }
      #expect(metrics.counters.count + metrics.meters.count + metrics.timers.count == before)
    }
    func shape(_ label: String, _ dimensions: [(String, String)]) -> [String] {
      [label] + dimensions.map(\.0)
    }
    func expected(_ kind: MetricDefinition.Kind) -> Set<[String]> {
      Set(MetricDefinition.all.filter { $0.kind == kind }.map { [$0.name] + $0.dimensions })
    }
    #expect(Set(metrics.counters.map { shape($0.label, $0.dimensions) }) == expected(.counter))
    #expect(Set(metrics.meters.map { shape($0.label, $0.dimensions) }) == expected(.meter))
    #expect(Set(metrics.timers.map { shape($0.label, $0.dimensions) }) == expected(.timer))
    let upstreams = Set(metrics.counters.map { $0.dimensions.first?.1 })
    #expect(upstreams == ["kobis.or.kr"])
  }

  @Test func `tells hits, misses and stale answers apart`() async throws {
    let metrics = TestMetrics()
    let session = StubSession(
      Stub(.any, Outcome.success.answer, Outcome.transportFailure.answer).repeatingLast())
    try await Upstream.withRig(session, metrics: metrics) { rig async throws in
      await #expect(throws: CatalogFailure.self) {
        try await rig.catalog.read(Upstream.resource, policy: .cacheOnly)
      }
      #expect(try await rig.catalog.read(Upstream.resource).origin == .network)
      for _ in 0..<5 { _ = try await rig.catalog.read(Upstream.resource) }
      _ = try await rig.catalog.read(Upstream.resource, policy: .networkFirst)
      rig.clock.advance(by: .seconds(400 * 86_400))
      _ = try await rig.catalog.read(Upstream.resource)
      for try await _ in rig.catalog.readings(of: Upstream.resource) {}
      #expect(try count(metrics, .reads, "cache-only", "failed", "none") == 1)
      #expect(try count(metrics, .reads, "cache-first", "miss", "fresh") == 1)
      #expect(try count(metrics, .reads, "cache-first", "hit", "fresh") == 5)
      #expect(try count(metrics, .reads, "network-first", "stale", "fresh") == 1)
      #expect(try count(metrics, .reads, "cache-first", "stale", "staleOnError") == 1)
      #expect(try count(metrics, .reads, "cache-and-network", "stale", "staleOnError") == 1)
      #expect(metrics.counterTotal(label: MetricDefinition.reads.name) == 10)
    }
  }

  @Test func `counts each call by what came of it, and how long it took`() async throws {
    let metrics = TestMetrics()
    try await Upstream.withRig(StubSession(success), metrics: metrics) { rig async throws in
      _ = try await rig.catalog.read(Upstream.resource)
      _ = try await rig.catalog.read(Upstream.resource)
      #expect(rig.session.journal.count == 1)
      #expect(try count(metrics, .calls, "success") == 1)
      #expect(try count(metrics, .commits, "fetched") == 1)
      #expect(
        try metrics.expectTimer(MetricDefinition.callDuration.name, [("upstream", "kobis.or.kr")]).values == [
          0
        ])
      #expect(try last(metrics, .quotaLeft) == 2999)
      #expect(try last(metrics, .breakerOpen) == 0)
    }
  }

  @Test(arguments: [Outcome.transportFailure, .statusFailure, .faultBody, .undecodable])
  func `tells failures by their code`(outcome: Outcome) async throws {
    let metrics = TestMetrics()
    let session = StubSession(Stub(.any, outcome.answer).repeatingLast())
    try await Upstream.withRig(session, metrics: metrics) { rig async throws in
      await #expect(throws: CatalogFailure.self) { try await rig.catalog.read(Upstream.resource) }
      let code = try #require(outcome.failureCode)
      #expect(try count(metrics, .calls, code.rawValue) == 1)
      #expect(metrics.counterTotal(label: MetricDefinition.calls.name) == 1)
      #expect(metrics.counterTotal(label: MetricDefinition.commits.name) == 0)
    }
  }

  @Test func `counts those who joined the call of another`() async throws {
    let metrics = TestMetrics()
    let gate = Gate()
    let session = StubSession(Stub(.any, Outcome.success.answer.held(at: gate)))
    try await Upstream.withRig(session, metrics: metrics) { rig async throws in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<20 { group.addTask { _ = try await rig.catalog.read(Upstream.resource) } }
        try await gate.waitForWaiting()
        while rig.catalog.refresher.waiterCount(of: Upstream.id) < 20 { await Task.yield() }
        gate.open()
        try await group.waitForAll()
      }
      #expect(try count(metrics, .calls, "success") == 1)
      #expect(metrics.counterTotal(label: MetricDefinition.joinedRefreshes.name) == 19)
      #expect(try count(metrics, .reads, "cache-first", "miss", "fresh") == 20)
    }
  }

  @Test func `has as many calls and retries as a sync reports, its resources and its end`() async throws {
    let metrics = TestMetrics()
    let configuration = CatalogConfiguration(
      quota: QuotaPolicy(dailyCallCountMax: 8, reservedCallCount: 2), syncRetry: RetryPolicy(delay: .zero))
    let clock = ImmediateClock(
      wallNow: Upstream.day.advanced(by: 1100).startInKorea.millisecondsSinceEpoch)
    let upstream = CountingUpstream { number, request, limits in
      guard number != 1 else { return CountingUpstream.status(.badGateway) }
      return try await CountingUpstream.recordedWeek(number, request, limits)
    }
    let catalog = MovieCatalog(
      store: try await SQLiteMovieStore(.inMemory), source: Upstream.source, session: upstream, clock: clock,
      configuration: configuration, metrics: metrics)
    let report = await SyncEngine(catalog).run(Upstream.dailySync())
    await catalog.shutdown()
    #expect(report.stoppedBecause == .quota && report.callCount == 6 && report.retryCount == 1)
    #expect(metrics.counterTotal(label: MetricDefinition.calls.name) == Int64(upstream.callCount))
    #expect(try count(metrics, .calls, "success") == 5)
    #expect(try count(metrics, .calls, "status") == 1)
    #expect(metrics.counterTotal(label: MetricDefinition.retries.name) == 1)
    #expect(try count(metrics, .syncResources, "fetched") == 5)
    #expect(try count(metrics, .syncRuns, "quota") == 1)
    #expect(metrics.counterTotal(label: MetricDefinition.syncRuns.name) == 1)
    #expect(try last(metrics, .quotaLeft) == 2)
  }

  @Test func `tells that an upstream is down, and that it is back, once each in the log`() async throws {
    let metrics = TestMetrics()
    let log = CapturedLog()
    let configuration = CatalogConfiguration(
      breaker: BreakerPolicy(consecutiveFailureCountMax: 2, coolDown: .seconds(30)))
    let session = StubSession(
      Stub(
        .any, Outcome.transportFailure.answer, Outcome.transportFailure.answer, Outcome.success.answer))
    try await Upstream.withRig(
      session, configuration: configuration, logger: log.logger, metrics: metrics
    ) { rig async throws in
      for _ in 0..<4 { _ = await rig.catalog.readResult(Upstream.resource) }
      #expect(rig.session.journal.count == 2)
      #expect(try last(metrics, .breakerOpen) == 1)
      rig.clock.advance(by: .seconds(31))
      _ = try await rig.catalog.read(Upstream.resource)
      #expect(try last(metrics, .breakerOpen) == 0)
    }
    let failures = log.events.filter { $0.message == "a call failed" }
    #expect(failures.count == 2)
    #expect(failures.allSatisfy { $0.level == .notice })
    #expect(failures.first?.metadata["resource"] == "\(Upstream.id)")
    #expect(failures.first?.metadata["code"] == "transport")
    #expect(failures.first?.metadata["detail"] == "connectionRefused")
    #expect(failures.first?.metadata["calls"] == "1")
    let down = log.events.filter { $0.message == "the upstream is taken to be down" }
    #expect(down.count == 1)
    #expect(down.first?.level == .warning)
    #expect(down.first?.metadata["consecutiveFailures"] == "2")
    #expect(log.events.filter { $0.message == "the upstream is back" }.count == 1)
    #expect(log.events.filter { $0.message == "an answer was stored" }.count == 1)
  }

  @Test func `costs no look into the ledger where nobody looks`() async throws {
    try await Upstream.withRig(StubSession(success)) { rig async throws in
      #expect(!rig.catalog.refresher.metrics.isWatched)
    }
  }
}

/// The events of a logger, as they came.
private final class CapturedLog: Sendable {
  struct Event: Sendable {
    var level: Logger.Level
    var message: String
    var metadata: [String: String]
  }

  private let captured = LockedValue<[Event]>([])

  var events: [Event] { captured.withLock { $0 } }

  var logger: Logger {
    var logger = Logger(label: "test") { _ in Handler(log: self) }
    logger.logLevel = .trace
    return logger
  }

  private struct Handler: LogHandler {
    let log: CapturedLog
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let metadata = (event.metadata ?? [:]).mapValues { "\($0)" }
      log.captured.withLock {
        $0.append(Event(level: event.level, message: "\(event.message)", metadata: metadata))
      }
    }
  }
}
