import Glibc

/// The machine's own clocks: `CLOCK_REALTIME` for what day it is, `CLOCK_MONOTONIC` for waits.
public struct SystemClock: CatalogClock {
  /// Makes the machine's clock.
  public init() {}

  /// The machine's wall time, to the millisecond.
  public var wallTime: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(millisecondsSinceEpoch: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// Waits by the continuous clock.
  public func sleep(for duration: Duration) async throws {
    try await ContinuousClock().sleep(for: duration)
  }
}
