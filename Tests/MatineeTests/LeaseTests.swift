import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Matinee
import MatineeTesting
import Testing

@Suite struct `Two catalogues on one file` {
  let kobis = Upstream.id.upstream

  /// A holder whose process is known to have ended: the number is this process's, and the start another's.
  var deadHolder: LeaseHolder {
    var parts = LeaseHolder().rawValue.split(separator: " ").map(String.init)
    parts[2] = "1"
    return LeaseHolder(rawValue: parts.joined(separator: " "))
  }

  /// Answers with `body` once the gate lets it.
  static func held(at gate: Gate) -> CountingUpstream.Answering {
    { number, request, limits in
      try await gate.pass()
      return try await CountingUpstream.recordedWeek(number, request, limits)
    }
  }

  @Test func `ask the upstream once for readers of both`() async throws {
    let gate = Gate()
    try await withSharedFile(answer: Self.held(at: gate)) { file async throws in
      let (one, store) = try await file.open()
      let (two, _) = try await file.open()
      let first = Task { try await one.read(Upstream.resource) }
      try await gate.waitForWaiting()
      let second = Task { try await two.read(Upstream.resource) }
      try await file.clock.waitForSleepers()
      gate.open()
      let reading = try await first.value
      file.clock.advance(by: .milliseconds(50))
      #expect(try await second.value.value == reading.value)
      #expect(file.upstream.callCount == 1)
      #expect(try await store.entry(for: Upstream.id)?.record.revision == 1)
      await one.shutdown()
      await two.shutdown()
    }
  }

  @Test func `share a failure with the reader who waited for it`() async throws {
    let gate = Gate()
    try await withSharedFile { file async throws in
      file.upstream.answers { _, _, _ in
        try await gate.pass()
        return CountingUpstream.status(.serviceUnavailable)
      }
      let (one, _) = try await file.open()
      let (two, _) = try await file.open()
      let first = Task { await one.readResult(Upstream.resource) }
      try await gate.waitForWaiting()
      let second = Task { await two.readResult(Upstream.resource) }
      try await file.clock.waitForSleepers()
      gate.open()
      #expect(failureCode(await first.value) == .status)
      file.clock.advance(by: .milliseconds(50))
      #expect(failureCode(await second.value) == .status)
      #expect(file.upstream.callCount == 1)
      await one.shutdown()
      await two.shutdown()
    }
  }

  @Test func `refuse what one brings that was stopped past its lease`() async throws {
    let gate = Gate()
    try await withSharedFile { file async throws in
      file.upstream.answers { number, request, limits in
        // The first call is stopped, and comes back with what the chart said before it was corrected.
        guard number == 0 else { return try await CountingUpstream.recordedWeek(number, request, limits) }
        try await gate.pass()
        let reply = try await CountingUpstream.recordedWeek(number, request, limits)
        let text = String(decoding: reply.body, as: UTF8.self)
        let scrnCnt = try #require(text.firstMatch(of: /"scrnCnt":"[0-9]+"/))
        return HTTPReply(
          head: reply.head, body: Array(text.replacing(scrnCnt.output, with: #""scrnCnt":"9999""#).utf8))
      }
      let (stopped, store) = try await file.open()
      let (other, _) = try await file.open()
      let late = Task { try await stopped.read(Upstream.resource) }
      try await gate.waitForWaiting()
      file.clock.advance(by: .seconds(51))
      let reading = try await other.read(Upstream.resource)
      gate.open()
      // It gets the answer of whoever took over, rather than its own.
      #expect(try await late.value.value == reading.value)
      let entry = try #require(try await store.entry(for: Upstream.id))
      #expect(entry.value == .boxOffice(reading.value) && entry.record.revision == 1)
      #expect(reading.value.entries.first?.screens != 9999)
      #expect(file.upstream.callCount == 2)
      await stopped.shutdown()
      await other.shutdown()
    }
  }

  @Test func `wait for each other no longer than a bound`() async throws {
    let gate = Gate()
    try await withSharedFile(answer: Self.held(at: gate)) { file async throws in
      let (one, store) = try await file.open()
      let (two, _) = try await file.open()
      let first = Task { try await one.read(Upstream.resource) }
      try await gate.waitForWaiting()
      let second = Task { await two.readResult(Upstream.resource) }
      // The wall stands still, so that the lease holds; only the waiting goes on.
      let wall = file.clock.wallTime
      for _ in 0..<400 {
        try await file.clock.waitForSleepers()
        file.clock.advance(by: .milliseconds(50))
        file.clock.setWallTime(wall)
      }
      #expect(failureCode(await second.value) == .timeout)
      gate.open()
      #expect(try await first.value.origin == .network)
      #expect(try await store.entry(for: Upstream.id)?.record.revision == 1)
      await one.shutdown()
      await two.shutdown()
    }
  }

  @Test func `sync one after the other, and fetch nothing twice`() async throws {
    let gate = Gate()
    try await withSharedFile(answer: Self.held(at: gate)) { file async throws in
      let (one, _) = try await file.open()
      let (two, _) = try await file.open()
      let first = Task { await SyncEngine(one).run(Upstream.dailySync()) }
      try await gate.waitForWaiting()
      let leaves = await SyncEngine(two).run(Upstream.dailySync(waits: false))
      #expect(leaves.stoppedBecause == .anotherSync)
      #expect(leaves.callCount == 0 && leaves.failedCount == 0)
      let waits = Task { await SyncEngine(two).run(Upstream.dailySync()) }
      try await file.clock.waitForSleepers()
      gate.open()
      #expect(await first.value.fetchedCount == 7)
      file.clock.advance(by: .milliseconds(500))
      let report = await waits.value
      #expect(report.stoppedBecause == nil && report.callCount == 0 && report.skippedCount == 7)
      #expect(file.upstream.callCount == 7)
      await one.shutdown()
      await two.shutdown()
    }
  }

  @Test func `end a sync that another one took over from`() async throws {
    let gate = Gate()
    try await withSharedFile { file async throws in
      file.upstream.answers { number, request, limits in
        if number == 0 { try await gate.pass() }
        return try await CountingUpstream.recordedWeek(number, request, limits)
      }
      let (stopped, _) = try await file.open()
      let (other, _) = try await file.open()
      let first = Task { await SyncEngine(stopped).run(Upstream.dailySync()) }
      try await gate.waitForWaiting()
      file.clock.advance(by: .seconds(71))
      #expect(await SyncEngine(other).run(Upstream.dailySync(dayCount: 1)).fetchedCount == 1)
      gate.open()
      let report = await first.value
      #expect(report.stoppedBecause == .anotherSync)
      // Nobody had come after it at its one resource.
      #expect(report.callCount == 1 && report.fetchedCount == 1 && report.skippedCount == 6)
      #expect(file.upstream.callCount == 2)
      await stopped.shutdown()
      await other.shutdown()
    }
  }

  @Test func `fetch nothing again that another sync fetched meanwhile`() async throws {
    let gate = Gate()
    try await withSharedFile { file async throws in
      file.upstream.answers { number, request, limits in
        if number == 0 { try await gate.pass() }
        return try await CountingUpstream.recordedWeek(number, request, limits)
      }
      let (stopped, store) = try await file.open()
      let (other, _) = try await file.open()
      let first = Task { await SyncEngine(stopped).run(Upstream.dailySync()) }
      try await gate.waitForWaiting()
      file.clock.advance(by: .seconds(71))
      #expect(await SyncEngine(other).run(Upstream.dailySync()).fetchedCount == 7)
      gate.open()
      let report = await first.value
      #expect(report.stoppedBecause == nil && report.failedCount == 0)
      #expect(report.callCount == 1 && report.unchangedCount == 7)
      #expect(file.upstream.callCount == 8)
      #expect(try await store.records(of: .dailyBoxOffice, upstream: kobis, keys: "2"..."3").count == 7)
      await stopped.shutdown()
      await other.shutdown()
    }
  }

  @Test func `take over at once from a process that has died`() async throws {
    try await withSharedFile { file async throws in
      let (catalog, store) = try await file.open()
      let dead = deadHolder
      #expect(dead.isKnownDead)
      let now = file.clock.wallTime
      _ = try await store.grantLease(
        LeaseRequest(name: "sync/kobis", holder: dead, instant: now, duration: .seconds(70)))
      _ = try await store.admit(
        CallRequest(resource: Upstream.id, holder: dead, instant: now, leaseDuration: .seconds(50)))
      // The clock stands still: whatever waited for a lease would never come back.
      let report = await SyncEngine(catalog).run(Upstream.dailySync())
      #expect(report.stoppedBecause == nil && report.fetchedCount == 7)
      await catalog.shutdown()
    }
  }

  @Test func `leave no lease behind`() async throws {
    try await withSharedFile { file async throws in
      file.upstream.answers { number, request, limits in
        if number % 2 == 0 { throw TransportError(.tls, host: "kobis.or.kr", path: nil, detail: "no") }
        return try await CountingUpstream.recordedWeek(number, request, limits)
      }
      let (catalog, store) = try await file.open()
      _ = await SyncEngine(catalog).run(Upstream.dailySync())
      let now = file.clock.wallTime
      for name in ["sync/kobis"] + (0..<7).map({ "kobis/daily-box-office/2019070\(8 + $0)" }) {
        let grant = try await store.grantLease(
          LeaseRequest(name: name, holder: LeaseHolder(), instant: now, duration: .seconds(1)))
        guard case .granted = grant else {
          Issue.record("\(name) is still leased")
          continue
        }
      }
      await catalog.shutdown()
    }
  }
}
