import Glibc

/// The write gate of a database, held as another process would.
final class FileGate: Sendable {
  private let descriptor: Int32

  init(ofDatabase path: String) throws {
    descriptor = open(path + "-gate", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw SystemFailure(call: "flock", number: errno)
    }
  }

  func release() {
    flock(descriptor, LOCK_UN)
  }

  deinit {
    close(descriptor)
  }
}
