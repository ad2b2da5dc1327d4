import Foundation

/// A value behind a POSIX mutex.
///
/// It is `Synchronization.Mutex` by another means: on Linux that one is a futex of its own inside the standard
/// library, which the thread sanitizer does not see, so that it reports every value so protected as a race. A kit
/// for tests must not make its users' sanitizers cry wolf.
// @unchecked: `value` is touched with `mutex` held alone.
final class Lock<Value>: @unchecked Sendable {
  private let mutex = NSLock()
  private var value: Value

  init(_ value: sending Value) { self.value = value }

  /// Runs `body` with the lock held. Neither nest it nor suspend in it.
  func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    mutex.lock()
    defer { mutex.unlock() }
    return try body(&value)
  }
}
