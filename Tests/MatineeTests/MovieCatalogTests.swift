import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Matinee
import MatineeTesting
import Testing

@testable import CatalogEngine

@Suite struct `A catalogue` {
  let success = Stub(.any, Outcome.success.answer).repeatingLast()

  @Test func `asks the upstream once for a thousand concurrent readers of a missing day`() async throws {
    let gate = Gate()
    try await Upstream.withRig(StubSession(Stub(.any, Outcome.success.answer.held(at: gate)))) {
      rig async throws in
      try await withThrowingTaskGroup(of: Reading<BoxOffice>.self) { group in
        for _ in 0..<1000 { group.addTask { try await rig.catalog.read(Upstream.resource) } }
        try await gate.waitForWaiting()
        gate.open()
        let chart = try Upstream.freshChart()
        for try await reading in group { #expect(reading.value == chart) }
      }
      #expect(rig.session.journal.count == 1)
    }
  }

  @Test func `makes no second call for a reader who looked before the first had landed`() async throws {
    try await Upstream.withRig(StubSession(Stub(.any, Outcome.success.answer))) { rig async throws in
      let late = try await rig.catalog.lookUp(Upstream.resource, policy: .cacheFirst)
      #expect(late.stored == nil)
      _ = try await rig.catalog.read(Upstream.resource)
      let reading = try await rig.catalog.perform(.fetch(.fail), late)
      #expect(reading.value == (try Upstream.freshChart()))
      #expect(rig.session.journal.count == 1)
    }
  }

  @Test func `does not remember a failure`() async throws {
    let stub = Stub(.any, Outcome.transportFailure.answer, Outcome.success.answer)
    try await Upstream.withRig(StubSession(stub)) { rig async throws in
      let failure = await #expect(throws: CatalogFailure.self) {
        try await rig.catalog.read(Upstream.resource)
      }
      #expect(failure?.code == .transport)
      #expect(try await rig.catalog.read(Upstream.resource).origin == .network)
    }
  }

  @Test func `gives the others their answer when one reader is cancelled`() async throws {
    let gate = Gate()
    try await Upstream.withRig(StubSession(Stub(.any, Outcome.success.answer.held(at: gate)))) {
      rig async throws in
      let cancelled = Task { try await rig.catalog.read(Upstream.resource) }
      try await gate.waitForWaiting()
      let other = Task { try await rig.catalog.read(Upstream.resource) }
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      gate.open()
      #expect(try await other.value.value == (try Upstream.freshChart()))
      #expect(rig.session.journal.count == 1)
    }
  }

  @Test func `refuses an answer that is too old only when it is told to`() async throws {
    let session = StubSession(Stub(.any, Outcome.transportFailure.answer).repeatingLast())
    try await Upstream.withRig(session, stored: .seconds(86_400)) { rig async throws in
      let catalog = rig.catalog
      #expect(try await catalog.read(Upstream.resource, maxAge: .seconds(86_400)).origin == .cache)
      let failure = await #expect(throws: CatalogFailure.self) {
        try await catalog.read(Upstream.resource, maxAge: .seconds(86_399))
      }
      #expect(failure?.code == .tooOld)
      #expect(failure?.detail == "transport")
      let offline = await #expect(throws: CatalogFailure.self) {
        try await catalog.read(Upstream.resource, policy: .cacheOnly, maxAge: .seconds(60))
      }
      #expect(offline?.code == .tooOld)
      #expect(offline?.detail == nil)
      #expect(try await rig.store.entry(for: Upstream.id)?.value == .boxOffice(try Upstream.storedChart()))
    }
  }

  @Test func `shows a recorded sample to a live upstream as stale, and only when that fails`() async throws {
    let stub = Stub(.any, Outcome.transportFailure.answer, Outcome.success.answer)
    try await Upstream.withRig(StubSession(stub), stored: .seconds(60), from: .recorded) { rig async throws in
      let sample = try await rig.catalog.read(Upstream.resource)
      #expect(sample.source == .recorded)
      #expect(sample.freshness == .staleOnError)
      #expect(sample.servedBecause?.code == .transport)
      let live = try await rig.catalog.read(Upstream.resource)
      #expect(live.source == .host("kobis.or.kr"))
      #expect(live.origin == .network)
    }
  }

  @Test func `never puts a recorded sample in the place of live data`() async throws {
    try await Upstream.withRig(StubSession(success), stored: .seconds(60), source: KOBISSource.recorded) {
      rig async throws in
      let reading = try await rig.catalog.read(Upstream.resource, policy: .networkFirst)
      #expect(reading.origin == .cache)
      #expect(reading.source == .host("kobis.or.kr"))
      #expect(reading.value == (try Upstream.storedChart()))
    }
  }

  @Test func `refuses an empty chart where there was one, and keeps it`() async throws {
    let empty = Upstream.answer(
      Array(
        #"{"boxOfficeResult":{"boxofficeType":"일별 박스오피스","showRange":"20190708~20190708","dailyBoxOfficeList":[]}}"#
          .utf8))
    try await Upstream.withRig(StubSession(Stub(.any, empty).repeatingLast()), stored: .seconds(60)) {
      rig async throws in
      let reading = try await rig.catalog.read(Upstream.resource, policy: .networkFirst)
      #expect(reading.servedBecause?.code == .implausible)
      #expect(reading.servedBecause?.detail == "emptied")
      #expect(try await rig.store.entry(for: Upstream.id)?.value == .boxOffice(try Upstream.storedChart()))
    }
  }

  @Test func `forgets "not yet" within minutes`() async throws {
    let day = Upstream.day.advanced(by: 1100)
    let empty = Upstream.answer(
      Array(
        """
        {"boxOfficeResult":{"boxofficeType":"일별 박스오피스","showRange":"\(day.basicFormat)~\(day.basicFormat)",\
        "dailyBoxOfficeList":[]}}
        """.utf8))
    try await Upstream.withRig(StubSession(Stub(.any, empty).repeatingLast())) { rig async throws in
      let today = Resource.dailyBoxOffice(on: .day(day))
      #expect(try await rig.catalog.read(today).value.entries.isEmpty)
      #expect(try await rig.catalog.read(today).origin == .cache)
      rig.clock.advance(by: .seconds(601))
      #expect(try await rig.catalog.read(today).origin == .network)
      #expect(rig.session.journal.count == 2)
    }
  }

  @Test func `asks anew after an invalidation, and serves what is stored if that fails`() async throws {
    let session = StubSession(Stub(.any, Outcome.transportFailure.answer, Outcome.success.answer))
    try await Upstream.withRig(session, stored: .seconds(60)) { rig async throws in
      #expect(try await rig.catalog.read(Upstream.resource).freshness == .fresh)
      #expect(try await rig.catalog.invalidate(Upstream.resource))
      let stale = try await rig.catalog.read(Upstream.resource)
      #expect(stale.freshness == .staleOnError)
      #expect(stale.servedBecause?.code == .transport)
      #expect(try await rig.catalog.read(Upstream.resource).origin == .network)
      #expect(try await rig.catalog.read(Upstream.resource).freshness == .fresh)
    }
  }

  @Test func `takes yesterday from its own clock in Korea`() async throws {
    // Five minutes past midnight in Korea is still the day before in UTC, and two days before for who counts there.
    try await Upstream.withRig(StubSession(success)) { rig async throws in
      rig.clock.setWallTime(Upstream.day.advanced(by: 1).startInKorea.advanced(by: .seconds(300)))
      let reading = try await rig.catalog.read(.dailyBoxOffice(on: .yesterday))
      #expect(reading.value.period.day == Upstream.day)
    }
  }

  @Test func `says that there is no key without calling, and serves what is stored`() async throws {
    try await Upstream.withRig(StubSession(), stored: .seconds(400 * 86_400), source: KOBISSource()) {
      rig async throws in
      let reading = try await rig.catalog.read(Upstream.resource)
      #expect(reading.servedBecause?.code == .keyMissing)
      #expect(rig.session.journal.count == 0)
      #expect(try await rig.store.entry(for: Upstream.id)?.record.lastFailure == nil)
      let other = Resource.dailyBoxOffice(on: .day(Upstream.day.advanced(by: 1)))
      let failure = await #expect(throws: CatalogFailure.self) { try await rig.catalog.read(other) }
      #expect(failure?.code == .keyMissing)
    }
  }

  @Test func `maps the faults of the key and the quota to their codes`() async throws {
    for (number, code) in [
      ("320010", CatalogFailure.Code.keyRefused), ("320011", .quota), ("999999", .fault),
    ] {
      let fault = Upstream.answer(Array(#"{"faultInfo":{"message":"m","errorCode":"\#(number)"}}"#.utf8))
      try await Upstream.withRig(StubSession(Stub(.any, fault)), stored: .seconds(60)) { rig async throws in
        let reading = try await rig.catalog.read(Upstream.resource, policy: .networkFirst)
        #expect(reading.servedBecause?.code == code)
        #expect(reading.servedBecause?.detail == number)
        #expect(reading.value == (try Upstream.storedChart()))
      }
    }
  }

  @Test func `keeps the key out of every failure`() async throws {
    for outcome in Outcome.allCases where outcome != .success {
      try await Upstream.withRig(StubSession(Stub(.any, outcome.answer))) { rig async throws in
        let failure = await #expect(throws: CatalogFailure.self) {
          try await rig.catalog.read(Upstream.resource)
        }
        var dumped = ""
        dump(failure, to: &dumped)
        #expect(!dumped.contains("canary-key-0123456789"))
        #expect(rig.session.journal.last?.description.isEmpty == false)
      }
    }
  }

  @Test func `tells the type alone of an error that is no transport's`() async throws {
    struct Leaky: Error, CustomStringConvertible {
      var description: String { "failed: https://kobis.or.kr/x?key=canary-key-0123456789" }
    }
    try await Upstream.withRig(StubSession(Stub(.any, .failure(Leaky())))) { rig async throws in
      let failure = await #expect(throws: CatalogFailure.self) {
        try await rig.catalog.read(Upstream.resource)
      }
      #expect(failure?.code == .transport)
      #expect(failure?.message.contains("Leaky") == true)
      #expect(failure?.message.contains("canary") == false)
    }
  }

  @Test func `calls a completion exactly once, with the outcome`() async throws {
    try await Upstream.withRig(StubSession(success)) { rig async throws in
      let calls = LockedValue(0)
      let reading = try await withCheckedThrowingContinuation { continuation in
        rig.catalog.read(Upstream.resource) { result in
          calls.withLock { $0 += 1 }
          continuation.resume(with: result)
        }
      }
      #expect(reading.origin == .network)
      await rig.catalog.waitForRefreshes()
      #expect(calls.withLock { $0 } == 1)
    }
  }

  @Test func `calls a completion with the cancellation`() async throws {
    let gate = Gate()
    try await Upstream.withRig(StubSession(Stub(.any, Outcome.success.answer.held(at: gate)))) {
      rig async throws in
      let result: Result<Reading<BoxOffice>, any Error> = await withCheckedContinuation { continuation in
        let task = rig.catalog.read(Upstream.resource) { continuation.resume(returning: $0) }
        task.cancel()
      }
      #expect(throws: CancellationError.self) { try result.get() }
      gate.open()
    }
  }

  @Test func `reads movie details through the same way`() async throws {
    let code = try #require(MovieCode("20196309"))
    try await MovieCatalog.withCatalog(database: .inMemory, source: .recorded) { catalog async throws in
      let reading = try await catalog.read(.movieDetails(code))
      #expect(reading.value.code == code)
      #expect(reading.source == .recorded)
      #expect(try await catalog.read(.movieDetails(code)).value == reading.value)
      #expect(try await catalog.read(.movieDetails(code)).origin == .cache)
    }
  }

  @Test func `serves what is stored when the session is cancelled by somebody else`() async throws {
    let session = StubSession(Stub(.any, .failure(.cancelled)).repeatingLast())
    try await Upstream.withRig(session, stored: .seconds(400 * 86_400)) { rig async throws in
      let reading = try await rig.catalog.read(Upstream.resource)
      #expect(reading.servedBecause?.code == .transport)
      await rig.catalog.waitForRefreshes()
      #expect(try await rig.store.entry(for: Upstream.id)?.record.lastFailure?.detail == "cancelled")
    }
  }

  @Test func `tells those who wait that it was shut down`() async throws {
    let gate = Gate()
    try await Upstream.withRig(StubSession(Stub(.any, Outcome.success.answer.held(at: gate)))) {
      rig async throws in
      let waiting = (0..<10).map { _ in Task { try await rig.catalog.read(Upstream.resource) } }
      try await gate.waitForWaiting()
      while rig.catalog.refresher.waiterCount(of: Upstream.id) < 10 { await Task.yield() }
      await rig.catalog.shutdown()
      for task in waiting {
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.code == .closed)
      }
    }
  }

  @Test func `keeps no more calls under way than it is configured for`() async throws {
    let gate = Gate()
    let session = StubSession(Stub(.any, Outcome.undecodable.answer.held(at: gate)).repeatingLast())
    let configuration = CatalogConfiguration(concurrentCallCountMax: 4)
    try await Upstream.withRig(session, configuration: configuration) { rig async throws in
      let reads = (0..<40).map { offset in
        Task { await rig.catalog.readResult(.dailyBoxOffice(on: .day(Upstream.day.advanced(by: offset)))) }
      }
      try await gate.waitForWaiting(count: 4)
      // One that went before it came would ask for no call.
      let last = ResourceID(
        upstream: Upstream.id.upstream, subject: .boxOffice(.daily(Upstream.day.advanced(by: 39))))
      while rig.catalog.refresher.waiterCount(of: last) == 0 { await Task.yield() }
      reads[39].cancel()
      _ = await reads[39].value
      #expect(gate.waitingCount == 4)
      #expect(session.journal.count == 4)
      gate.open()
      for read in reads { _ = await read.value }
      await rig.catalog.waitForRefreshes()
      #expect(session.journal.count == 40)
    }
  }

  @Test func `answers nothing after it was shut down`() async throws {
    try await Upstream.withRig(StubSession(success), stored: .seconds(60)) { rig async throws in
      await rig.catalog.shutdown()
      let error = await #expect(throws: StoreError.self) { try await rig.catalog.read(Upstream.resource) }
      #expect(error?.code == .closed)
    }
  }
}
