import Glibc
import HTTPTransport

/// A file descriptor of the process, written to without a buffer.
///
/// The process has to ignore SIGPIPE, so that a reader that has gone is an error and no sudden death.
package final class FileDescriptorOutput: ByteOutput {
  private let descriptor: Int32
  // What two tasks write must not be mixed, even where the system takes a part of it only.
  private let turn = LockedValue(())

  /// Writes to `descriptor`, which stays its owner's to close.
  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  package func write(_ bytes: [UInt8]) throws(OutputError) {
    let result = turn.withLock { _ in writeAll(bytes) }
    try result.get()
  }

  private func writeAll(_ bytes: [UInt8]) -> Result<Void, OutputError> {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
          continue
        }
        switch errno {
        case EINTR: continue
        case EAGAIN:
          // Someone we share the descriptor with made it non-blocking.
          var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&waited, 1, -1)
        case EPIPE: return .failure(.closed)
        default: return .failure(.failed(String(cString: strerror(errno))))
        }
      }
      return .success(())
    }
  }
}
