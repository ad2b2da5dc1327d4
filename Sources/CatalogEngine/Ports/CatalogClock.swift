/// The engine's time: what day it is, and how to wait.
///
/// Wall time may jump; the engine computes ages and days from it and never waits by it.
public protocol CatalogClock: Sendable {
  /// The present instant of wall time.
  var wallTime: Timestamp { get }

  /// Waits for `duration` of continuous time.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func sleep(for duration: Duration) async throws
}
