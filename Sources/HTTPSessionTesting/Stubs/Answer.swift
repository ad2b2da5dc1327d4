public import HTTPTransport
public import HTTPTypes

/// What a stub answers to one request: a reply or an error, and when.
public struct Answer: Sendable {
  /// Makes the reply, or throws what becomes the session's error.
  let produce: @Sendable (SentRequest) async throws -> HTTPReply

  /// When the answer comes.
  var timing = AnswerTiming()

  /// Why the answer can never be given; `nil` if it can.
  var problem: HTTPTestingError?

  init(_ produce: @escaping @Sendable (SentRequest) async throws -> HTTPReply) {
    self.produce = produce
  }

  init(problem: HTTPTestingError) {
    produce = { _ in throw problem }
    self.problem = problem
  }

  /// A whole reply.
  public static func reply(_ reply: HTTPReply) -> Answer { Answer { _ in reply } }

  /// A status, with header fields and bytes if you give them.
  public static func status(
    _ status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = []
  ) -> Answer {
    .reply(HTTPReply(head: HTTPResponse(status: status, headerFields: headers), body: body))
  }

  /// Bytes.
  public static func data(
    _ bytes: some Sequence<UInt8>, contentType: String = "application/octet-stream",
    status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Answer {
    .content(Array(bytes), contentType, status, headers)
  }

  /// Text in UTF-8.
  public static func text(
    _ text: String, contentType: String = "text/plain; charset=utf-8",
    status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Answer {
    .content(Array(text.utf8), contentType, status, headers)
  }

  /// A JSON document, written as a Swift literal.
  public static func json(
    _ value: JSONValue, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Answer {
    .content(value.encoded(), "application/json", status, headers)
  }

  /// `304 Not Modified`, without content.
  public static func notModified(headers: HTTPFields = [:]) -> Answer {
    .status(.notModified, headers: headers)
  }

  /// An error instead of a reply.
  public static func failure(_ error: any Error) -> Answer { Answer { _ in throw error } }

  /// A `TransportError` of that code, placed where the request was going, as a transport throws it.
  public static func failure(_ code: TransportError.Code) -> Answer {
    Answer { request in
      throw TransportError(code, for: request.request, detail: "A stub answered with this failure.")
    }
  }

  /// An answer computed from the request; what `make` throws becomes the session's error.
  public static func computed(_ make: @escaping @Sendable (SentRequest) async throws -> HTTPReply)
    -> Answer
  {
    Answer(make)
  }

  static func content(
    _ body: [UInt8], _ contentType: String, _ status: HTTPResponse.Status, _ headers: HTTPFields
  ) -> Answer {
    var fields = headers
    if !fields.contains(.contentType) { fields[.contentType] = contentType }
    return .status(status, headers: fields, body: body)
  }
}
