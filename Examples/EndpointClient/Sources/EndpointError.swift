public import Foundation

/// Why an endpoint gave no value.
public enum EndpointError: Error, Sendable {
  /// Base and path make no http URL.
  case invalidURL(String)
  /// The body could not be written as JSON; nothing was sent.
  case encoding(any Error)
  /// No response came.
  case transport(any Error)
  /// A response came that is not HTTP's.
  case notHTTP
  /// A status other than 2xx, with the body that came along.
  case status(code: Int, body: Data)
  /// A 2xx without the content that was promised.
  case noData
  /// Content that is not what was promised.
  case decoding(any Error)
  /// The caller gave up.
  case cancelled
}
