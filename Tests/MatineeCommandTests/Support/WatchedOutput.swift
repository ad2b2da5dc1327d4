import HTTPTransport
import MatineeCommand

/// An output whose lines a test can wait for; one waiter at a time.
final class WatchedOutput: ByteOutput {
  private let bytes = LockedValue<[UInt8]>([])
  private let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  var lines: [String] {
    String(decoding: bytes.withLock { $0 }, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func write(_ more: [UInt8]) throws(OutputError) {
    bytes.withLock { $0 += more }
    change.yield()
  }

  /// Waits until `count` lines hold `text`; returns at once if they do.
  ///
  /// - Throws: `CancellationError` if the task is cancelled first.
  func waitForLines(_ count: Int, with text: String) async throws {
    func isThere() -> Bool { lines.count { $0.contains(text) } >= count }
    if isThere() { return }
    for await _ in changes where isThere() { return }
    throw CancellationError()
  }
}
