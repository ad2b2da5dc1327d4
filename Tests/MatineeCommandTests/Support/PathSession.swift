import HTTPTransport
import HTTPTypes
import KOBIS

/// A working upstream for a loopback server: any day's chart, and the recorded movies.
struct PathSession: HTTPSession {
  func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
    guard let call = KOBISCall(request) else { return HTTPReply(status: .notFound, text: "") }
    return try await RepeatedWeek.reply(to: call)
  }
}
