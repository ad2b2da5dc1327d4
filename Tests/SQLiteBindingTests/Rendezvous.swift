import Glibc

/// A point at which one process waits for another: a named pipe.
///
/// Both calls block the thread, so they are for the bodies of exit tests.
struct Rendezvous: Sendable {
  let path: String

  /// - Parameter path: Where nothing is yet.
  static func make(at path: String) throws {
    guard mkfifo(path, 0o600) == 0, chmod(path, 0o666) == 0 else {
      throw SystemFailure(call: "mkfifo \(path)", number: errno)
    }
  }

  /// Returns once the other process has arrived.
  func arrive() throws { try meet(O_WRONLY) }

  /// Returns once the other process has arrived.
  func expect() throws { try meet(O_RDONLY) }

  /// The opening of either end waits for that of the other.
  private func meet(_ direction: Int32) throws {
    let descriptor = open(path, direction | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure(call: "open \(path)", number: errno) }
    close(descriptor)
  }
}
