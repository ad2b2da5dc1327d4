import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Matinee
import MatineeTesting
import Testing

@Suite struct `An upstream that cannot be reached` {
  let configuration = CatalogConfiguration(
    syncRetry: .none,
    breaker: BreakerPolicy(consecutiveFailureCountMax: 3, coolDown: .seconds(30), coolDownMax: .seconds(600)))

  /// Reads three days in vain, which opens the breaker.
  func open(_ catalog: MovieCatalog) async {
    for number in 0..<3 {
      #expect(failureCode(await catalog.readResult(Upstream.resource(number))) == .transport)
    }
  }

  @Test func `is left alone after so many failures, and the time of the next attempt is told`() async throws {
    try await withSharedFile(answer: CountingUpstream.refusing) { file async throws in
      let (catalog, store) = try await file.open(configuration)
      let old = FetchedAnswer(
        resource: Upstream.id, value: .boxOffice(try Upstream.storedChart()),
        provenance: .host("kobis.or.kr"),
        fetchedAt: file.clock.wallTime.advanced(by: .seconds(-800 * 86_400)))
      try await store.commit(old, in: nil)
      for number in 1..<4 { _ = await catalog.readResult(Upstream.resource(number)) }
      let reading = try await catalog.read(Upstream.resource)
      #expect(reading.servedBecause?.code == .breakerOpen)
      #expect(reading.nextAttemptAt == file.clock.wallTime.advanced(by: .seconds(30)))
      #expect(reading.lastAttemptAt == old.fetchedAt, "it was not asked")
      #expect(failureCode(await catalog.readResult(Upstream.resource(5))) == .breakerOpen)
      #expect(file.upstream.callCount == 3)
      #expect(try await catalog.summary().quotas.first?.usedCount == 3)
      #expect(try await catalog.summary().breakers.first?.state.isOpen == true)
      await catalog.shutdown()
    }
  }

  @Test func `is left alone after a restart, too, and asked by one call when it is time`() async throws {
    try await withSharedFile(answer: CountingUpstream.refusing) { file async throws in
      let (first, _) = try await file.open(configuration)
      await open(first)
      await first.shutdown()
      let (second, _) = try await file.open(configuration)
      #expect(failureCode(await second.readResult(Upstream.resource)) == .breakerOpen)
      #expect(file.upstream.callCount == 3)
      // A probe that fails doubles the time.
      file.clock.advance(by: .seconds(30))
      #expect(failureCode(await second.readResult(Upstream.resource)) == .transport)
      file.clock.advance(by: .seconds(59))
      #expect(failureCode(await second.readResult(Upstream.resource)) == .breakerOpen)
      #expect(file.upstream.callCount == 4)
      file.clock.advance(by: .seconds(1))
      file.upstream.answers(CountingUpstream.recordedWeek)
      #expect(try await second.read(Upstream.resource).origin == .network)
      #expect(try await second.read(Upstream.resource(1)).origin == .network)
      #expect(try await second.summary().breakers.first?.state == BreakerState())
      await second.shutdown()
    }
  }

  @Test func `costs a reader no write while it is left alone`() async throws {
    let session = StubSession(Stub(.any, Outcome.transportFailure.answer).repeatingLast())
    try await Upstream.withRig(session, configuration: configuration) { rig async throws in
      await open(rig.catalog)
      let store = FailingStore(rig.store, failing: [:])
      let catalog = MovieCatalog(
        store: store, source: Upstream.source, session: session, clock: rig.clock,
        configuration: configuration)
      #expect(failureCode(await catalog.readResult(Upstream.resource)) == .breakerOpen)
      store.fail(.admit, with: StoreError(.full, "the disk is full"))
      store.fail(.recordFailure, with: StoreError(.full, "the disk is full"))
      for number in 0..<5 {
        #expect(failureCode(await catalog.readResult(Upstream.resource(number))) == .breakerOpen)
      }
      #expect(session.journal.count == 3)
    }
  }

  @Test func `is seen to be back by whoever another process told`() async throws {
    try await withSharedFile(answer: CountingUpstream.refusing) { file async throws in
      let (one, _) = try await file.open(configuration)
      let (two, store) = try await file.open(configuration)
      await open(one)
      #expect(failureCode(await two.readResult(Upstream.resource)) == .breakerOpen)
      file.upstream.answers(CountingUpstream.recordedWeek)
      file.clock.advance(by: .seconds(30))
      #expect(try await one.read(Upstream.resource).origin == .network)
      #expect(try await two.read(Upstream.resource(1)).origin == .network)
      #expect(try await store.breaker(of: Upstream.id.upstream) == BreakerState())
      await one.shutdown()
      await two.shutdown()
    }
  }

  @Test func `ends a sync before its first call, which says until when`() async throws {
    try await withSharedFile(answer: CountingUpstream.refusing) { file async throws in
      let (catalog, _) = try await file.open(configuration)
      await open(catalog)
      let report = await SyncEngine(catalog).run(Upstream.dailySync(concurrent: 4))
      #expect(report.stoppedBecause == .upstreamUnavailable)
      #expect(report.callCount == 0 && report.failedCount == 0 && report.skippedCount == 7)
      #expect(report.stopFailure?.nextAttemptAt == file.clock.wallTime.advanced(by: .seconds(30)))
      await catalog.shutdown()
    }
  }

  @Test func `is taken up by a whole sync once its probe succeeds`() async throws {
    let clock = ImmediateClock(
      wallNow: Upstream.day.advanced(by: 1100).startInKorea.millisecondsSinceEpoch)
    try await withSharedFile(clock: clock, answer: CountingUpstream.refusing) { file async throws in
      let (catalog, _) = try await file.open(configuration)
      await open(catalog)
      try await clock.sleep(for: .seconds(30))
      file.upstream.answers(CountingUpstream.recordedWeek)
      let report = await SyncEngine(catalog).run(Upstream.dailySync(concurrent: 4))
      #expect(report.stoppedBecause == nil && report.fetchedCount == 7 && report.callCount == 7)
      await catalog.shutdown()
    }
  }

  @Test(arguments: ["fault", "page", "tooManyRequests"])
  func `is another thing than one that answers badly`(kind: String) async throws {
    try await withSharedFile { file async throws in
      file.upstream.answers { _, _, _ in
        switch kind {
        case "fault": CountingUpstream.fault("320102")
        case "page": HTTPReply(head: .init(status: .ok), body: Array("<html>".utf8))
        default: CountingUpstream.status(.tooManyRequests)
        }
      }
      let (catalog, _) = try await file.open(configuration)
      for number in 0..<7 { _ = await catalog.readResult(Upstream.resource(number)) }
      #expect(file.upstream.callCount == 7)
      #expect(try await catalog.summary().breakers.first?.state == BreakerState())
      await catalog.shutdown()
    }
  }

  @Test func `is never a recorded one that has no such day`() async throws {
    try await withSharedFile { file async throws in
      let (catalog, _) = try await file.open(configuration, source: KOBISSource.recorded)
      for number in 10..<20 {
        #expect(failureCode(await catalog.readResult(Upstream.resource(number))) == .transport)
      }
      #expect(try await catalog.read(Upstream.resource).origin == .network)
      await catalog.shutdown()
    }
  }
}
