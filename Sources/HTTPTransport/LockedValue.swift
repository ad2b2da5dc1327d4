#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A value that is reached under a lock only; `Synchronization.Mutex`, on a `pthread_mutex_t`.
///
/// The thread sanitizer knows the latter. `Mutex` on Linux waits in a part of the standard library that is not
/// instrumented, so under contention the sanitizer reports races between two `withLock` of one mutex, which are
/// none (seen with Swift 6.3.1), and a true report would drown.
// Protected by `lock`.
package final class LockedValue<Value: Sendable>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  /// Makes a lock around `value`.
  package init(_ value: Value) {
    self.value = value
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_mutex_t())
    let status = pthread_mutex_init(lock, nil)
    precondition(status == 0, "a mutex with default attributes cannot be made")
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deinitialize(count: 1)
    lock.deallocate()
  }

  /// Runs `body` with the value, and no one else meanwhile; must not be nested.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value)
  }
}
