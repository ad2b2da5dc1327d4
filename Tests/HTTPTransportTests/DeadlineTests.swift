import HTTPTransport
import LoopbackServer
import Synchronization
import Testing

@Suite struct `When an operation races a deadline` {
  @Test func `its value wins if it comes first`() async throws {
    let value = try await withDeadline(after: .seconds(5), on: StoppedClock()) { 42 }
    #expect(value == 42)
  }

  @Test func `its error wins if it comes first`() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await withDeadline(after: .seconds(5), on: StoppedClock()) { throw Failure() }
    }
  }

  @Test func `the deadline cancels it and is thrown`() async throws {
    let (clock, started, never) = (StoppedClock(), Gate(), Gate())
    let wasCancelled = Mutex(false)
    let race = Task {
      try await withDeadline(after: .seconds(5), on: clock) {
        started.open()
        do { try await never.wait() } catch {
          wasCancelled.withLock { $0 = true }
          throw error
        }
      }
    }
    try await started.wait()
    clock.strike()
    await #expect(throws: DeadlinePassed.self) { try await race.value }
    #expect(wasCancelled.withLock { $0 })
    #expect(clock.requested.withLock { $0 } == .seconds(5))
  }

  @Test func `cancellation from outside is no deadline`() async throws {
    let never = Gate()
    let race = Task {
      try await withDeadline(after: .seconds(5), on: StoppedClock()) { try await never.wait() }
    }
    race.cancel()
    await #expect(throws: CancellationError.self) { try await race.value }
  }
}
