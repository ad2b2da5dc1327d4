public import HTTPTransport

/// One exchange on a cassette: what was asked and what came of it, errors included.
public struct RecordedExchange: Hashable, Sendable {
  /// What came of a request.
  public enum Outcome: Hashable, Sendable {
    /// A whole reply.
    case reply(HTTPReply)
    /// No reply, for that reason.
    case failure(TransportError)
  }

  /// What was asked, secrets replaced.
  public var request: SentRequest

  /// What came of it, secrets replaced.
  public var outcome: Outcome

  /// Makes an exchange.
  public init(_ request: SentRequest, _ outcome: Outcome) {
    self.request = request
    self.outcome = outcome
  }
}
