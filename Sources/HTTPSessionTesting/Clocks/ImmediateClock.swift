import HTTPTransport

/// A clock whose sleeps end at once, each moving the time on by what was slept.
///
/// For code whose waiting does not matter to the test; to hold it at a sleep, use ``ManualClock``.
public final class ImmediateClock: Clock, Sendable {
  /// A moment of an ``ImmediateClock``; the same type as ``ManualClock``'s.
  public typealias Instant = ManualClock.Instant

  private struct State {
    var now = Instant()
    var wallOffset: Swift.Duration
    var slept: [Swift.Duration] = []
  }

  /// The most sleeps that ``sleeps`` keeps.
  public static let sleepCountMax = 65_536

  private let state: LockedValue<State>

  /// Makes a clock.
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
  public var wallNow: Int64 {
    state.withLock { WallTime.milliseconds($0.wallOffset + $0.now.offset) }
  }

  /// How long each sleep was, in order; the first ``sleepCountMax`` of them.
  public var sleeps: [Swift.Duration] { state.withLock { $0.slept } }

  /// Moves the time to `deadline` and gives other tasks a turn.
  ///
  /// - Throws: `CancellationError` if the calling task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      let duration = state.now.duration(to: deadline)
      if state.slept.count < Self.sleepCountMax { state.slept.append(max(duration, .zero)) }
      state.now = max(state.now, deadline)
    }
    await Task.yield()
  }
}
