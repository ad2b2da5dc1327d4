import HTTPTransport
import HTTPTypes
import KOBIS
import KOBISRecorded

/// A session that answers by a closure and counts its calls.
final class ClosureSession: HTTPSession {
  typealias Responder = @Sendable (KOBISCall) async throws -> HTTPReply

  private let calls = LockedValue<[KOBISCall]>([])
  private let respond: Responder

  init(_ respond: @escaping Responder) { self.respond = respond }

  var callCount: Int { calls.withLock { $0.count } }

  func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
    guard let call = KOBISCall(request) else {
      throw TransportError(.invalidRequest, for: request, detail: "not a call of KOBIS")
    }
    calls.withLock { $0.append(call) }
    return try await respond(call)
  }

  /// Answers what was recorded.
  static func recorded(_ call: KOBISCall) async throws -> HTTPReply {
    try await RecordedSession().send(call.request(under: .official, key: nil))
  }

  /// Refuses every connection.
  static let refusing = ClosureSession { call in
    throw TransportError(
      .connectionRefused, host: "kobis.or.kr", path: call.service.path, detail: "nothing listens there")
  }

  /// Answers every call with the file of this name in `Fixtures/answers`.
  static func answering(_ fixture: String) -> ClosureSession {
    ClosureSession { _ in HTTPReply(head: HTTPResponse(status: .ok), body: try Fixture.body(fixture)) }
  }
}

extension HTTPReply {
  init(status: HTTPResponse.Status = .ok, text: String) {
    self.init(head: HTTPResponse(status: status), body: Array(text.utf8))
  }
}
