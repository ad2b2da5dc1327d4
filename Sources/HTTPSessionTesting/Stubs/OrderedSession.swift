import HTTPTransport

/// The rest of an exchange whose request is in the journal already.
typealias PendingReply = @Sendable () async throws -> HTTPReply

/// A session that records a request and picks its answer at once, so that requests started one after another
/// from callbacks keep their order, and waits later.
protocol OrderedSession: HTTPSession {
  func begin(_ request: SentRequest) -> PendingReply
}

extension HTTPSession {
  /// Starts an exchange: in order if the session can, otherwise when the reply is awaited.
  func start(_ request: SentRequest) -> PendingReply {
    if let ordered = self as? any OrderedSession { return ordered.begin(request) }
    return { try await self.send(request.request, body: request.body, limits: request.limits) }
  }
}
