import LoopbackServer
import Synchronization

/// A clock on which nothing passes until it is told to, and then all at once.
final class StoppedClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private let elapsed = Gate()
  private let origin = ContinuousClock.now
  let requested = Mutex<Duration?>(nil)

  var now: Instant { origin }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    requested.withLock { $0 = deadline - origin }
    try await elapsed.wait()
  }

  func strike() { elapsed.open() }
}
