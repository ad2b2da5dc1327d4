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

/// When an answer comes, on the session's clock.
struct AnswerTiming: Sendable {
  /// The wait before the reply or the error.
  var delay: Duration = .zero
  /// How fast the body comes; `nil` for at once.
  var throttle: Throttle?
  /// Where the answer is held after its delay.
  var gate: Gate?
  /// Whether it comes at the request's deadline.
  var awaitsDeadline = false
}

/// A body that comes in pieces, one after each interval.
struct Throttle: Hashable, Sendable {
  let pieceByteCount: Int
  let interval: Duration

  /// How long `byteCount` bytes take.
  func duration(byteCount: Int) -> Duration {
    interval * ((byteCount + pieceByteCount - 1) / pieceByteCount)
  }
}

extension Answer {
  /// The same answer, after `duration` on the session's clock.
  public func delayed(by duration: Duration) -> Answer {
    var answer = self
    if duration < .zero {
      answer.problem = .init(.contradictoryStub, "A delay of \(duration) is negative.")
    }
    answer.timing.delay = duration
    return answer
  }

  /// The same answer, its body coming in pieces of `pieceByteCount` bytes, one after each `interval` on the
  /// session's clock.
  public func throttled(pieceByteCount: Int, every interval: Duration) -> Answer {
    var answer = self
    if pieceByteCount < 1 || interval < .zero {
      answer.problem = .init(
        .contradictoryStub,
        "A body cannot come in pieces of \(pieceByteCount) bytes every \(interval).")
    } else {
      answer.timing.throttle = Throttle(pieceByteCount: pieceByteCount, interval: interval)
    }
    return answer
  }

  /// The same answer, held at `gate` after its delay until the test releases it.
  public func held(at gate: Gate) -> Answer {
    var answer = self
    answer.timing.gate = gate
    return answer
  }
}
