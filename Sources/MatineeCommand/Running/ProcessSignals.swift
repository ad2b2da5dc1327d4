import Dispatch
import Glibc
import HTTPTransport
import Synchronization

/// Where the signal handler writes the number of a signal: a handler may do little more, see signal-safety(7).
private let signalPipe = Atomic<Int32>(-1)

/// The signals that ask this process to end.
///
/// The first is told to whoever listens, who has ``graceSeconds`` to end in good order; after that, and at a second
/// signal, the process ends where it stands. That loses nothing: what was acknowledged is in the database.
package final class ProcessSignals: Sendable {
  /// How long the process may take to end after the first signal: less than the 5 s that are promised.
  package static let graceSeconds = 4.5

  private let signalCount = LockedValue(0)

  package init() {}

  /// Takes over SIGINT and SIGTERM for as long as the process lives, and tells the first of them.
  ///
  /// From its return on no signal is lost, and before it they have their default action: a handler takes that one's
  /// place at once, and what it writes into a pipe stays there until it is read. Dispatch's own sources of signals need
  /// them ignored while they are being registered, and one that comes then is gone.
  ///
  /// Where there is no descriptor for a pipe the default action stays, which ends the process where it stands.
  package func interruptions() -> AsyncStream<Interruption> {
    let (stream, continuation) = AsyncStream.makeStream(of: Interruption.self)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      continuation.finish()
      return stream
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    signalPipe.store(ends[1], ordering: .sequentiallyConsistent)
    let queue = DispatchQueue(label: "matinee.signals")
    let source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: queue)
    source.setEventHandler { [readEnd = ends[0]] in
      // The handler holds its source, which would be gone at the end of this function otherwise.
      _ = source
      var number: UInt8 = 0
      while read(readEnd, &number, 1) == 1 {
        self.received(Int32(number), on: queue)
        continuation.yield(Int32(number) == SIGINT ? .interrupt : .terminate)
      }
    }
    source.resume()
    for number in [SIGINT, SIGTERM] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        let interruptedError = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(signalPipe.load(ordering: .relaxed), &byte, 1)
        errno = interruptedError
      }
      action.sa_flags = SA_RESTART
      sigaction(number, &action, nil)
    }
    return stream
  }

  private func received(_ number: Int32, on queue: DispatchQueue) {
    let count = signalCount.withLock { count in
      count += 1
      return count
    }
    guard count == 1 else { _exit(128 + number) }
    queue.asyncAfter(deadline: .now() + Self.graceSeconds) { _exit(ExitStatus.stoppedEarly.rawValue) }
  }
}
