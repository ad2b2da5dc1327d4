/// Where the command writes: a file descriptor, or a test's buffer.
package protocol ByteOutput: Sendable {
  /// Writes all of `bytes`; when it returns, they have left the process.
  func write(_ bytes: [UInt8]) throws(OutputError)
}

/// Why something could not be written.
package enum OutputError: Error, Hashable, Sendable {
  /// The reader of a pipe has gone.
  case closed
  /// Anything else, in the system's words.
  case failed(String)
}

extension ByteOutput {
  func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }
}
