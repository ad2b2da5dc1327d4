import HTTPTransport
import MatineeCommand

/// An output that keeps what is written to it, and can fail from a certain byte on.
final class CapturedOutput: ByteOutput {
  private struct State {
    var bytes: [UInt8] = []
    var writeCount = 0
    var failure: OutputError?
    var failsAfterWriteCount = Int.max
  }

  private let state = LockedValue(State())

  private let onFirstWrite: @Sendable () -> Void

  init(
    failing failure: OutputError? = nil, afterWriteCount count: Int = 0,
    onFirstWrite: @escaping @Sendable () -> Void = {}
  ) {
    self.onFirstWrite = onFirstWrite
    guard let failure else { return }
    state.withLock { state in
      state.failure = failure
      state.failsAfterWriteCount = count
    }
  }

  var text: String { String(decoding: state.withLock { $0.bytes }, as: UTF8.self) }

  var lines: [String] { text.split(separator: "\n").map(String.init) }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    let (failure, isFirst) = state.withLock { state -> (OutputError?, Bool) in
      guard state.writeCount < state.failsAfterWriteCount else { return (state.failure, false) }
      state.writeCount += 1
      state.bytes += bytes
      return (nil, state.writeCount == 1)
    }
    if let failure { throw failure }
    if isFirst { onFirstWrite() }
  }
}
