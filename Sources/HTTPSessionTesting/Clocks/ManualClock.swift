import HTTPTransport

/// A clock that stands still until the test moves it; it drives both sleeps and wall time.
///
/// Sleeps are on the monotonic time, ``now``; ``wallNow`` is the time of day that goes into records. Advancing
/// moves both; ``setWallNow(_:)`` moves the wall alone, as an operator or NTP does, and wakes nobody.
///
/// ```swift
/// let clock = ManualClock()
/// async let retried = client.fetchWithRetries(clock: clock)
/// try await clock.waitForSleepers()       // it has failed once and is backing off
/// clock.advance(by: .seconds(30))
/// ```
public final class ManualClock: Clock, Sendable {
  /// A moment of a ``ManualClock``: the time since it was made.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// The time since the clock was made.
    public let offset: Swift.Duration

    /// Makes the moment `offset` after the clock was made.
    public init(offset: Swift.Duration = .zero) { self.offset = offset }

    /// The moment `duration` later.
    public func advanced(by duration: Swift.Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// How long it is from this moment to `other`.
    public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }

    /// Whether the left moment is the earlier one.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }

    /// The time since the clock was made.
    public var description: String { "\(offset)" }
  }

  private struct Sleeper {
    let ticket: UInt64
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant()
    /// The wall's distance from the monotonic time, so that both advance as one.
    var wallOffset: Swift.Duration
    var sleepers: [Sleeper] = []
    var nextTicket: UInt64 = 0
    var watchers = WaitList()

    var wallNow: Int64 { WallTime.milliseconds(wallOffset + now.offset) }
  }

  private let state: LockedValue<State>

  /// Makes a clock that stands still.
  ///
  /// - Parameter wallNow: The time of day in milliseconds since the Unix epoch, UTC; by default noon of
  ///   2022-01-06 in Korea.
  public init(wallNow: Int64 = WallTime.noonOf20220106InKorea) {
    state = LockedValue(State(wallOffset: .milliseconds(wallNow)))
  }

  /// The monotonic time.
  public var now: Instant { state.withLock { $0.now } }

  /// The finest step that makes a difference: one nanosecond.
  public var minimumResolution: Swift.Duration { .nanoseconds(1) }

  /// The time of day in milliseconds since the Unix epoch, UTC.
  public var wallNow: Int64 { state.withLock { $0.wallNow } }

  /// Sets the time of day, in milliseconds since the Unix epoch, UTC, and leaves the monotonic time alone.
  public func setWallNow(_ milliseconds: Int64) {
    state.withLock { $0.wallOffset = .milliseconds(milliseconds) - $0.now.offset }
  }

  /// How many sleep on this clock now.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// How long it is until the next sleeper is due; `nil` if nobody sleeps.
  public var timeToNextSleeper: Swift.Duration? {
    state.withLock { state in
      state.sleepers.map(\.deadline).min().map { state.now.duration(to: $0) }
    }
  }

  /// Moves both times on and wakes those who are due, in the order of their deadlines.
  ///
  /// A sleeper that sleeps again after it woke counts from the new time: to go through a chain of sleeps,
  /// advance once per sleep, with ``waitForSleepers(count:)`` between.
  public func advance(by duration: Swift.Duration) {
    precondition(
      duration >= .zero, "A monotonic clock does not run backwards; setWallNow(_:) does.")
    let due = state.withLock { state -> [Sleeper] in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      let due = state.sleepers.filter { $0.deadline <= now }
      state.sleepers.removeAll { $0.deadline <= now }
      return due.sorted { ($0.deadline, $0.ticket) < ($1.deadline, $1.ticket) }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Waits until at least `count` sleep at the same time; returns at once if they do.
  ///
  /// - Throws: `CancellationError` if the calling task is cancelled first.
  public func waitForSleepers(count: Int = 1) async throws {
    try await WaitList.wait(
      count: count,
      enter: { waiter in
        state.withLock { $0.sleepers.count >= count ? .ready : $0.watchers.add(waiter) }
      },
      leave: { ticket in self.state.withLock { $0.watchers.remove(ticket) } })
  }

  /// Suspends until the clock is moved to `deadline`; returns at once if it is past.
  ///
  /// - Throws: `CancellationError` if the calling task is cancelled first.
  public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
    try Task.checkCancellation()
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enter(Sleeper(ticket: ticket, deadline: deadline, continuation: continuation))
        // The handler may have run before the sleeper was there: look again.
        if Task.isCancelled { leave(ticket) }
      }
    } onCancel: {
      leave(ticket)
    }
  }

  private func enter(_ sleeper: Sleeper) {
    let ready = state.withLock { state -> WaitList.Ready? in
      guard sleeper.deadline > state.now else { return nil }
      state.sleepers.append(sleeper)
      return state.watchers.takeReady(count: state.sleepers.count)
    }
    guard let ready else { return sleeper.continuation.resume() }
    ready.resumeAll()
  }

  private func leave(_ ticket: UInt64) {
    let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      guard let index = state.sleepers.firstIndex(where: { $0.ticket == ticket }) else {
        return nil
      }
      return state.sleepers.remove(at: index).continuation
    }
    continuation?.resume(throwing: CancellationError())
  }
}
