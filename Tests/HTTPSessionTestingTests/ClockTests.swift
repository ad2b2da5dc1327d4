import HTTPSessionTesting
import HTTPTransport
import Testing

@Suite struct `When time is manual` {
  @Test func `sleepers wake in the order of their deadlines, and not before`() async throws {
    let clock = ManualClock()
    let woken = RequestJournal()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seconds in [3, 1, 2] {
        group.addTask {
          try await clock.sleep(for: .seconds(seconds))
          woken.record(SentRequest(get("/\(seconds)")))
        }
      }
      try await clock.waitForSleepers(count: 3)
      #expect(clock.timeToNextSleeper == .seconds(1))
      for count in 1...3 {
        clock.advance(by: .milliseconds(999))
        #expect(clock.sleeperCount == 4 - count)
        clock.advance(by: .milliseconds(1))
        try await woken.waitForRequests(count: count)
      }
      try await group.waitForAll()
    }
    #expect(woken.requests.map(\.path) == ["/1", "/2", "/3"])
    #expect(clock.now.offset == .seconds(3))
  }

  @Test func `a sleep into the past returns at once`() async throws {
    let clock = ManualClock()
    try await clock.sleep(until: clock.now, tolerance: nil)
    #expect(clock.sleeperCount == 0)
  }

  @Test func `a cancelled sleeper wakes with CancellationError and leaves no trace`() async throws {
    let clock = ManualClock()
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    try await clock.waitForSleepers()
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test func `a cancelled waiter for sleepers wakes`() async throws {
    let clock = ManualClock()
    let waiter = Task { try await clock.waitForSleepers() }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
  }

  @Test func `wall time advances with it and may jump alone`() {
    let clock = ManualClock(wallNow: 1_000)
    clock.advance(by: .milliseconds(500))
    #expect(clock.wallNow == 1_500)
    clock.setWallNow(-7)
    #expect(clock.wallNow == -7 && clock.now.offset == .milliseconds(500))
    clock.advance(by: .milliseconds(8))
    #expect(clock.wallNow == 1)
  }

  @Test func `wall time goes by Korean days`() {
    let clock = ManualClock(koreanYear: 2022, month: 1, day: 5, hour: 23)
    #expect(clock.wallNow == 1_641_391_200_000)
    clock.advanceToNextKoreanMidnight()
    #expect(clock.wallNow == WallTime.startOfDay(year: 2022, month: 1, day: 6))
    #expect(clock.now.offset == .seconds(3_600))
    clock.advanceToNextKoreanMidnight()
    #expect(clock.wallNow == WallTime.startOfDay(year: 2022, month: 1, day: 7))
    #expect(
      WallTime.noonOf20220106InKorea == WallTime.startOfDay(year: 2022, month: 1, day: 6)
        + 43_200_000)
    #expect(WallTime.startOfDay(year: 1970, month: 1, day: 1, offset: .zero) == 0)
    #expect(WallTime.startOfDay(year: 2024, month: 2, day: 29, offset: .zero) == 1_709_164_800_000)
    #expect(WallTime.startOfNextDay(after: -1, offset: .zero) == 0)
  }

  @Test func `an immediate clock passes sleeps on to the time`() async throws {
    let clock = ImmediateClock(wallNow: 0)
    try await clock.sleep(for: .seconds(2))
    #expect(clock.wallNow == 2_000 && clock.sleeps == [.seconds(2)])
  }
}

@Suite struct `When a gate is held` {
  @Test func `those who wait go one by one as they are released`() async throws {
    let gate = Gate()
    let passed = RequestJournal()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          try await gate.pass()
          passed.record(SentRequest(get("/")))
        }
      }
      try await gate.waitForWaiting(count: 3)
      gate.release()
      try await passed.waitForRequests(count: 1)
      #expect(gate.waitingCount == 2)
      gate.open()
      try await group.waitForAll()
    }
    try await gate.pass()
  }

  @Test func `a release before anyone waits is kept`() async throws {
    let gate = Gate()
    gate.release(2)
    try await gate.pass()
    try await gate.pass()
    let third = Task { try await gate.pass() }
    try await gate.waitForWaiting()
    third.cancel()
    await #expect(throws: CancellationError.self) { try await third.value }
    #expect(gate.waitingCount == 0)
  }

  @Test func `it can be shut again`() async throws {
    let gate = Gate(isOpen: true)
    try await gate.pass()
    gate.close()
    let waiting = Task { try await gate.pass() }
    try await gate.waitForWaiting()
    gate.open()
    try await waiting.value
  }
}

@Suite struct `When a journal is full` {
  @Test func `it keeps the latest requests and goes on counting`() {
    let journal = RequestJournal(requestCountMax: 4)
    for number in 0..<10 { journal.record(SentRequest(get("/\(number)"))) }
    #expect(journal.count == 10)
    #expect(journal.requests.count <= 4 && journal.last?.path == "/9")
    #expect(journal.count(matching: .path("/9")) == 1)
  }
}
