import Dispatch
import Glibc
import HTTPTransport

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
  package func interruptions() -> AsyncStream<Interruption> {
    let (stream, continuation) = AsyncStream.makeStream(of: Interruption.self)
    let queue = DispatchQueue(label: "matinee.signals")
    for (number, interruption) in [(SIGINT, Interruption.interrupt), (SIGTERM, .terminate)] {
      // Dispatch is told of a signal that is ignored; one with its default action would end the process first.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        // The handler holds its source, which would be gone at the end of this function otherwise.
        self.received(source.handle, number: number, on: queue)
        continuation.yield(interruption)
      }
      source.resume()
    }
    return stream
  }

  private func received(_ handle: UInt, number: Int32, on queue: DispatchQueue) {
    let count = signalCount.withLock { count in
      count += 1
      return count
    }
    guard count == 1 else { _exit(128 + number) }
    queue.asyncAfter(deadline: .now() + Self.graceSeconds) { _exit(ExitStatus.stoppedEarly.rawValue) }
  }
}
