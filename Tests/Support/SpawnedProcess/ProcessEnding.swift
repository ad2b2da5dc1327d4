import Foundation
import Glibc

/// The end of a child process, taken note of as soon as it has ended, whether or not anybody waits for it.
///
/// A child that has ended and that nobody has waited for keeps Swift Testing's watch over exit tests busy with it, so that
/// those never end.
// @unchecked: `status` is touched with `condition` locked.
final class ProcessEnding: @unchecked Sendable {
  private let process: pid_t
  // Held to send a signal, too, so that none is sent to a number that was given to another process.
  private let condition = NSCondition()
  private var status: Int32?

  /// Starts to watch a child of this process, on a thread of its own.
  init(of process: pid_t) {
    self.process = process
    Thread.detachNewThread { self.watch() }
  }

  /// Blocks until the process has ended.
  ///
  /// - Returns: Its exit status, or the number of the signal that ended it.
  func wait() -> Int32 {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let status { return status }
      condition.wait()
    }
  }

  var hasEnded: Bool {
    condition.lock()
    defer { condition.unlock() }
    return status != nil
  }

  func send(_ signal: Int32) {
    condition.lock()
    defer { condition.unlock() }
    if status == nil { kill(process, signal) }
  }

  private func watch() {
    // Until it is waited for in earnest the number remains its own.
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    condition.lock()
    defer { condition.unlock() }
    var ended: Int32 = 0
    while waitpid(process, &ended, 0) < 0, errno == EINTR {}
    let signal = ended & 0x7F
    status = signal == 0 ? (ended >> 8) & 0xFF : signal
    condition.broadcast()
  }
}
