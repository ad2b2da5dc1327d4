internal import Glibc

/// A value behind a POSIX mutex.
///
/// It is `Synchronization.Mutex` by another means. On Linux that one is a futex of its own inside the standard
/// library, which the thread sanitizer does not see: it reports every value so protected as a race, and with
/// such reports about a real one would go unnoticed. It also spins and inherits priorities, which costs more
/// when contended (https://github.com/swiftlang/swift/issues/88440).
// @unchecked: `value` is touched with `mutex` held alone.
final class Lock<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    // Fails for want of memory in systems other than this; here it cannot.
    let result = pthread_mutex_init(mutex, nil)
    precondition(result == 0, "cannot make a mutex: \(SystemError(number: result))")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with the lock held. Neither nest it nor suspend in it.
  func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
