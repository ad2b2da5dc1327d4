import HTTPSessionTesting
import HTTPTransport
import Testing

@Suite struct `When faults strike` {
  let upstream = StubSession(Stub(.any, .text("fine")))

  @Test func `a script is followed in order and then all goes well`() async throws {
    let session = FaultySession(
      wrapping: upstream, plan: .script([.offline, nil, .tlsFailure]), clock: ImmediateClock())
    var codes: [TransportError.Code?] = []
    for _ in 0..<5 {
      do {
        _ = try await session.send(get("/"))
        codes.append(nil)
      } catch let error as TransportError { codes.append(error.code) }
    }
    #expect(codes == [.offline, nil, .tls, nil, nil])
    #expect(session.injected == [.offline, nil, .tlsFailure, nil, nil])
  }

  @Test(arguments: Fault.all) func `each is the TransportError of a transport`(fault: Fault)
    async throws
  {
    let session = FaultySession(wrapping: upstream, plan: .always(fault), clock: ImmediateClock())
    let error = await #expect(throws: TransportError.self) {
      try await session.send(get("/a?key=abc"))
    }
    #expect(error?.code == fault.transportCode && fault.transportCode != .other)
    #expect(error?.host == "a.example" && error?.path == "/a")
  }

  @Test func `one that strikes after sending has reached the upstream, and one before has not`()
    async throws
  {
    for (fault, count) in [
      (Fault.resetInBody, 1), (.connectionRefused, 1), (.truncatedBody, 2), (.offline, 2),
    ] {
      let session = FaultySession(wrapping: upstream, plan: .always(fault), clock: ImmediateClock())
      await #expect(throws: TransportError.self) { try await session.send(get("/")) }
      #expect(upstream.journal.count == count, "\(fault)")
    }
  }

  @Test(arguments: [Fault.timeout, .stall]) func `a slow one comes at the caller's deadline`(
    fault: Fault
  ) async throws {
    let clock = ManualClock()
    let session = FaultySession(wrapping: upstream, plan: .always(fault), clock: clock)
    let call = Task {
      try await session.send(get("/"), body: [], limits: TransportLimits(total: .seconds(7)))
    }
    try await clock.waitForSleepers()
    #expect(clock.timeToNextSleeper == .seconds(7))
    clock.advance(by: .seconds(7))
    let error = await #expect(throws: TransportError.self) { try await call.value }
    #expect(error?.code == .timeout)
  }

  @Test func `a stall ends at the caller's deadline, however long the answer takes to start`() async throws {
    let clock = ManualClock()
    let slow = StubSession(Stub(.any, .text("late").delayed(by: .seconds(5))), clock: clock)
    let session = FaultySession(wrapping: slow, plan: .always(.stall), clock: clock)
    let call = Task {
      try await session.send(get("/"), body: [], limits: TransportLimits(total: .seconds(7)))
    }
    try await clock.waitForSleepers(count: 2)
    clock.advance(by: .seconds(7))
    let error = await #expect(throws: TransportError.self) { try await call.value }
    #expect(error?.code == .timeout)
    #expect(slow.journal.count == 1)
  }

  @Test func `draws of one seed are replayed, and the seed stands in the error`() async throws {
    func run(seed: UInt64) async -> ([Fault?], String) {
      let session = FaultySession(
        wrapping: upstream, plan: .random(probability: 0.5, seed: seed), clock: ImmediateClock())
      var detail = ""
      for _ in 0..<40 {
        do { _ = try await session.send(get("/")) } catch { detail = "\(error)" }
      }
      return (session.injected, detail)
    }
    let (first, detail) = await run(seed: 42)
    #expect(await run(seed: 42).0 == first)
    #expect(await run(seed: 43).0 != first)
    #expect(first.contains(nil) && first.contains { $0 != nil })
    #expect(detail.contains("Seed 42."))
  }

  @Test func `the generator gives the published numbers of SplitMix64`() {
    var random = SeededRandom(seed: 1_234_567)
    let numbers = (0..<3).map { _ in random.next() }
    #expect(
      numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
    #expect((0..<100).allSatisfy { _ in (0..<1).contains(random.nextUnit()) })
  }
}
