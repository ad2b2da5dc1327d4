public import HTTPTypes

/// The seam to the network: sends one request and returns its whole answer.
///
/// Whatever dials out, and whatever stands in for it in a test, is an `HTTPSession`, and is handed to its
/// user by initializer. An implementation follows these rules:
///
/// - It returns a reply for **every** status, 3xx included: it follows no redirects, and judging a status is
///   the caller's work.
/// - It throws a ``TransportError`` when there is no whole reply, and no part of the request's query is in that
///   error: a query may carry a key.
/// - It honours cancellation of the calling task by throwing a ``TransportError`` of code
///   ``TransportError/Code/cancelled``.
/// - It holds to the ``TransportLimits`` it is given, over head **and** body.
public protocol HTTPSession: Sendable {
  /// Sends `request` with `body` and waits for the whole reply.
  ///
  /// - Parameters:
  ///   - request: Method, scheme, authority, path and header fields
  ///     ([RFC 9110](https://www.rfc-editor.org/rfc/rfc9110)).
  ///   - body: The content to send; empty for none.
  ///   - limits: What this exchange may cost in time and memory.
  /// - Returns: The response's head and its whole, decoded content.
  /// - Throws: ``TransportError``; a stand-in may throw what its user told it to.
  func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply
}

extension HTTPSession {
  /// Sends a request without content under the default limits.
  public func send(_ request: HTTPRequest) async throws -> HTTPReply {
    try await send(request, body: [], limits: .default)
  }

  /// Sends a request with content under the default limits.
  public func send(_ request: HTTPRequest, body: [UInt8]) async throws -> HTTPReply {
    try await send(request, body: body, limits: .default)
  }
}
