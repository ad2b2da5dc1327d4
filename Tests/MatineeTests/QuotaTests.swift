import HTTPSessionTesting
import HTTPTransport
import Matinee
import MatineeTesting
import Testing

@Suite struct `The quota` {
  let small = CatalogConfiguration(quota: QuotaPolicy(dailyCallCountMax: 5, reservedCallCount: 2))
  let kobis = Upstream.id.upstream

  @Test func `is kept in part for readers, whom a sync leaves it to`() async throws {
    try await withSharedFile { file async throws in
      let (catalog, _) = try await file.open(small)
      let report = await SyncEngine(catalog).run(Upstream.dailySync(concurrent: 4))
      #expect(report.stoppedBecause == .quota)
      #expect(report.fetchedCount == 3 && report.callCount == 3)
      #expect(report.failedCount == 0 && report.skippedCount == 4)
      #expect(report.stopFailure?.code == .quota)
      let quota = try #require(try await catalog.summary().quotas.first)
      #expect(quota.usedCount == 3 && quota.leftCount == 2 && quota.reservedCount == 2)
      #expect(report.stopFailure?.nextAttemptAt == quota.resetsAt)
      for number in 0..<2 { #expect(try await catalog.read(Upstream.resource(number)).origin == .network) }
      for _ in 0..<2 { #expect(failureCode(await catalog.readResult(Upstream.resource(2))) == .quota) }
      #expect(file.upstream.callCount == 5)
      #expect(try await catalog.summary().quotas.first?.leftCount == 0)
      await catalog.shutdown()
    }
  }

  @Test func `begins anew at midnight in Korea, and a sync goes on where it was`() async throws {
    try await withSharedFile { file async throws in
      let (catalog, store) = try await file.open(small)
      let today = CalendarDay(inKoreaAt: file.clock.wallTime)
      var fetched = 0
      for dayNumber in 0..<3 {
        // One millisecond before midnight nothing has changed.
        file.clock.setWallTime(today.advanced(by: dayNumber + 1).startInKorea.advanced(by: .milliseconds(-1)))
        fetched += await SyncEngine(catalog).run(Upstream.dailySync()).fetchedCount
        #expect(fetched == min(7, 3 * (dayNumber + 1)))
        #expect(await SyncEngine(catalog).run(Upstream.dailySync()).callCount == 0)
        file.clock.setWallTime(today.advanced(by: dayNumber + 1).startInKorea)
        #expect(try await catalog.summary().quotas.first?.usedCount == 0)
      }
      #expect(file.upstream.callCount == 7)
      var entered = 0
      for dayNumber in 0..<3 {
        entered += try await store.quotaUse(of: kobis, on: today.advanced(by: dayNumber)).usedCount
      }
      #expect(entered == 7)
      await catalog.shutdown()
    }
  }

  @Test func `is entered in both days where a call is under way at midnight`() async throws {
    try await withSharedFile { file async throws in
      let clock = file.clock
      let today = CalendarDay(inKoreaAt: clock.wallTime)
      file.upstream.answers { number, request, limits in
        clock.setWallTime(today.advanced(by: 1).startInKorea)
        return try await CountingUpstream.recordedWeek(number, request, limits)
      }
      let (catalog, store) = try await file.open()
      _ = try await catalog.read(Upstream.resource)
      #expect(try await store.quotaUse(of: kobis, on: today).usedCount == 1)
      #expect(try await store.quotaUse(of: kobis, on: today.advanced(by: 1)).usedCount == 1)
      await catalog.shutdown()
    }
  }

  @Test func `is known to be spent once the upstream says so, until the reset`() async throws {
    try await withSharedFile { file async throws in
      file.upstream.answers { _, _, _ in CountingUpstream.fault("320011") }
      let (catalog, store) = try await file.open()
      let day = CalendarDay(inKoreaAt: file.clock.wallTime)
      let reset = day.advanced(by: 1).startInKorea
      let failure = await #expect(throws: CatalogFailure.self) { try await catalog.read(Upstream.resource) }
      #expect(failure?.code == .quota && failure?.detail == "320011" && failure?.nextAttemptAt == reset)
      for number in 1...3 {
        let next = await #expect(throws: CatalogFailure.self) {
          try await catalog.read(Upstream.resource(number))
        }
        #expect(next?.code == .quota && next?.nextAttemptAt == reset)
      }
      let report = await SyncEngine(catalog).run(Upstream.dailySync())
      #expect(report.stoppedBecause == .quota && report.callCount == 0)
      #expect(file.upstream.callCount == 1)
      #expect(try await store.quotaUse(of: kobis, on: day).usedCount == 3000)
      await catalog.shutdown()
      // Another process knows it from the store.
      let (other, _) = try await file.open()
      #expect(failureCode(await other.readResult(Upstream.resource(4))) == .quota)
      #expect(file.upstream.callCount == 1)
      file.clock.setWallTime(reset)
      file.upstream.answers(CountingUpstream.recordedWeek)
      #expect(try await other.read(Upstream.resource).origin == .network)
      await other.shutdown()
    }
  }

  @Test func `lets a reader have what is stored, and tells when it ends`() async throws {
    let session = StubSession(Stub(.any, Upstream.answer(CountingUpstream.fault("320011").body)))
    try await Upstream.withRig(session, stored: .seconds(400 * 86_400)) { rig async throws in
      _ = try await rig.catalog.read(Upstream.resource)
      let reading = try await rig.catalog.read(Upstream.resource)
      #expect(reading.servedBecause?.code == .quota)
      #expect(
        reading.nextAttemptAt == CalendarDay(inKoreaAt: rig.clock.wallTime).advanced(by: 1).startInKorea)
      #expect(session.journal.count == 1)
    }
  }

  @Test func `is no less for a reader who joined a sync that had used up its share`() async throws {
    let gate = Gate()
    try await withSharedFile { file async throws in
      file.upstream.answers { number, request, limits in
        if number == 1 { try await gate.pass() }
        return try await CountingUpstream.recordedWeek(number, request, limits)
      }
      // A sync may make two calls, the first of which goes alone; its third resource waits for a slot, and is joined by a
      // reader.
      let configuration = CatalogConfiguration(
        concurrentCallCountMax: 1, quota: QuotaPolicy(dailyCallCountMax: 4, reservedCallCount: 2))
      let (catalog, _) = try await file.open(configuration)
      let sync = Task { await SyncEngine(catalog).run(Upstream.dailySync(concurrent: 2, dayCount: 3)) }
      try await gate.waitForWaiting()
      let ids = (0..<2).map {
        ResourceID(upstream: kobis, subject: .boxOffice(.daily(Upstream.day.advanced(by: $0))))
      }
      while ids.contains(where: { catalog.refresher.waiterCount(of: $0) == 0 }) { await Task.yield() }
      let reads = (0..<2).map { number in Task { await catalog.readResult(Upstream.resource(number)) } }
      while ids.contains(where: { catalog.refresher.waiterCount(of: $0) < 2 }) { await Task.yield() }
      gate.open()
      for read in reads { #expect(try await read.value.get().origin == .network) }
      #expect(await sync.value.stoppedBecause == .quota)
      #expect(file.upstream.callCount == 3)
      await catalog.shutdown()
    }
  }

  @Test func `is not charged without a key, nor by samples`() async throws {
    try await withSharedFile { file async throws in
      let (keyless, store) = try await file.open(source: KOBISSource())
      #expect(failureCode(await keyless.readResult(Upstream.resource)) == .keyMissing)
      #expect(try await keyless.summary().quotas.map(\.usedCount) == [0])
      await keyless.shutdown()
      _ = store
      let (recorded, samples) = try await file.open(
        CatalogConfiguration(quota: QuotaPolicy(dailyCallCountMax: 1)), source: KOBISSource.recorded)
      #expect(await SyncEngine(recorded).run(Upstream.dailySync()).fetchedCount == 7)
      #expect(try await recorded.summary().quotas.isEmpty)
      let day = CalendarDay(inKoreaAt: file.clock.wallTime)
      #expect(try await samples.quotaUse(of: kobis, on: day) == QuotaUse())
      await recorded.shutdown()
    }
  }

  @Test func `keeps a call that cannot be entered from being made`() async throws {
    let session = StubSession(Stub(.any, Outcome.success.answer).repeatingLast())
    try await Upstream.withRig(session, stored: .seconds(400 * 86_400)) { rig async throws in
      let store = FailingStore(rig.store, failing: [.admit: StoreError(.full, "the disk is full")])
      let catalog = MovieCatalog(store: store, source: Upstream.source, session: session, clock: rig.clock)
      let reading = try await catalog.read(Upstream.resource)
      #expect(reading.origin == .cache && reading.servedBecause?.code == .quota)
      let error = await #expect(throws: StoreError.self) { try await catalog.read(Upstream.resource(1)) }
      #expect(error?.code == .full)
      #expect(session.journal.count == 0)
    }
  }

  @Test func `loses a unit in a crash between the entry and the call, and never overspends one`() async throws
  {
    let gate = Gate()
    try await withSharedFile { file async throws in
      file.upstream.answers { number, request, limits in
        try await gate.pass()
        return try await CountingUpstream.recordedWeek(number, request, limits)
      }
      let day = CalendarDay(inKoreaAt: file.clock.wallTime)
      let (killed, store) = try await file.open()
      let read = Task { try await killed.read(Upstream.resource) }
      try await gate.waitForWaiting()
      // From here on it can write nothing any more, as if it had been killed.
      await store.close()
      await killed.shutdown()
      _ = await read.result
      gate.open()
      let (catalog, reopened) = try await file.open()
      #expect(try await reopened.quotaUse(of: kobis, on: day).usedCount == 1)
      #expect(file.upstream.callCount == 1)
      #expect(try await reopened.entry(for: Upstream.id) == nil)
      // The lease of the dead one runs out; in this process it cannot be seen to be dead.
      file.clock.advance(by: .seconds(51))
      #expect(try await catalog.read(Upstream.resource).origin == .network)
      #expect(try await reopened.quotaUse(of: kobis, on: day).usedCount == file.upstream.callCount)
      await catalog.shutdown()
    }
  }

  @Test func `is spent to the last call, and never one more, by two catalogues at once`() async throws {
    let clock = ManualClock(inKorea: Upstream.day.advanced(by: 1100))
    let simulator = KOBISSimulator(now: { clock.wallTime })
    try await withSharedFile(clock: clock) { file async throws in
      file.upstream.answers { _, request, limits in
        try await simulator.send(request, body: [], limits: limits)
      }
      let configuration = CatalogConfiguration(quota: QuotaPolicy(dailyCallCountMax: 13))
      let catalogs = [try await file.open(configuration), try await file.open(configuration)]
      let answered = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<40 {
          let catalog = catalogs[number % 2].catalog
          group.addTask { (try? await catalog.read(Upstream.resource(number)))?.origin == .network }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(answered == 13 && file.upstream.callCount == 13 && simulator.callCount == 13)
      #expect(try await catalogs[0].catalog.summary().quotas.first?.usedCount == 13)
      for (catalog, _) in catalogs { await catalog.shutdown() }
    }
  }
}
