import CatalogEngine
import HTTPSessionTesting
import HTTPTransport
import Testing

@Suite struct `Single flight` {
  let flights = SingleFlight<String, Int>()
  let gate = Gate()
  let startCount = StartCount()

  final class StartCount: Sendable {
    private let count = LockedValue(0)
    func next() -> Int {
      count.withLock {
        $0 += 1
        return $0
      }
    }
    var value: Int { count.withLock { $0 } }
  }

  /// Work that counts its starts and lands when the gate is opened.
  var work: @Sendable () async -> Int {
    { [gate, startCount] in
      let number = startCount.next()
      try? await gate.pass()
      return number
    }
  }

  @Test func `starts one piece of work for a thousand askers`() async throws {
    try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
      for _ in 0..<1000 { group.addTask { try await flights.landing(of: "a", work: work) } }
      try await gate.waitForWaiting()
      while flights.waiterCount(of: "a") < 1000 { await Task.yield() }
      gate.open()
      var ownCount = 0
      for try await (landing, isOwn) in group {
        #expect(landing == 1)
        ownCount += isOwn ? 1 : 0
      }
      #expect(ownCount == 1)
    }
    #expect(startCount.value == 1)
  }

  @Test func `a cancelled asker harms no other`() async throws {
    let first = Task { try await flights.landing(of: "a", work: work) }
    try await gate.waitForWaiting()
    let second = Task { try await flights.landing(of: "a", work: work) }
    while flights.waiterCount(of: "a") < 2 { await Task.yield() }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    #expect(try await second.value.landing == 1)
  }

  @Test func `an asker that takes its work down is told what it came to, and the next one starts anew`()
    async throws
  {
    let first = Task { try await flights.landing(of: "a", takesDown: true, work: work) }
    try await gate.waitForWaiting()
    first.cancel()
    // The gate, which stays closed, lets cancelled work through.
    #expect(try await first.value == (1, true))
    gate.open()
    #expect(try await flights.landing(of: "a", work: work).landing == 2)
  }

  @Test func `an asker takes no work down that another one waits for`() async throws {
    let first = Task { try await flights.landing(of: "a", takesDown: true, work: work) }
    try await gate.waitForWaiting()
    let second = Task { try await flights.landing(of: "a", work: work) }
    while flights.waiterCount(of: "a") < 2 { await Task.yield() }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(gate.waitingCount == 1)
    gate.open()
    #expect(try await second.value.landing == 1)
  }

  @Test func `an asker that was cancelled before it asked starts nothing`() async {
    let asker = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await flights.landing(of: "a", work: work)
    }
    await #expect(throws: CancellationError.self) { try await asker.value }
    #expect(startCount.value == 0)
  }

  @Test func `forgets what it landed with`() async throws {
    gate.open()
    #expect(try await flights.landing(of: "a", work: work).landing == 1)
    #expect(try await flights.landing(of: "a", work: work).landing == 2)
  }

  @Test func `sends those away who do not wait to the end, and goes on for the others`() async throws {
    let patient = Task { try await flights.landing(of: "a", work: work) }
    try await gate.waitForWaiting()
    let impatient = Task { try await flights.landing(of: "a", isPatient: false, work: work) }
    while flights.waiterCount(of: "a") < 2 { await Task.yield() }
    flights.dismiss("a", with: -1)
    #expect(try await impatient.value == (-1, false))
    #expect(flights.waiterCount(of: "a") == 1)
    gate.open()
    #expect(try await patient.value == (1, true))
    #expect(startCount.value == 1)
  }

  @Test func `keeps keys apart`() async throws {
    gate.open()
    async let a = flights.landing(of: "a", work: work)
    async let b = flights.landing(of: "b", work: work)
    let landings = try await [a.landing, b.landing]
    #expect(Set(landings) == [1, 2])
  }

  @Test func `lets nothing start after a shutdown, which waits for what is under way`() async throws {
    flights.start("a", work: work)
    try await gate.waitForWaiting()
    // The gate lets cancelled work through, so the shutdown can end.
    await flights.shutdown()
    await #expect(throws: CancellationError.self) { try await flights.landing(of: "b", work: work) }
    #expect(startCount.value == 1)
  }
}
