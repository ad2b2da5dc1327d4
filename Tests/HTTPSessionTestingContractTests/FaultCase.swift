import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import LoopbackServer
import Testing

/// One fault as a real network shows it: where to ask, and what a server there does.
///
/// `Fault.offline` has no case: a machine that runs this test has its loopback.
struct FaultCase: Sendable, CustomTestStringConvertible {
  /// Where the request goes.
  enum Place: Sendable {
    case server([ConnectionStep], scheme: String)
    case resettingInBody
    case untrustedServer
    case refusingPort
    case unresolvableHost
  }

  let fault: Fault
  let place: Place
  /// Whether the caller cancels once the request is under way.
  var isCancelled = false

  var testDescription: String { fault.rawValue }

  static let all: [FaultCase] = [
    FaultCase(fault: .hostNotFound, place: .unresolvableHost),
    FaultCase(fault: .connectionRefused, place: .refusingPort),
    FaultCase(fault: .resetBeforeHead, place: .server(.resetBeforeHead, scheme: "http")),
    FaultCase(fault: .resetInBody, place: .resettingInBody),
    FaultCase(fault: .timeout, place: .server(.stallBeforeHead, scheme: "http")),
    FaultCase(fault: .stall, place: .server(.stallDuringBody, scheme: "http")),
    FaultCase(fault: .truncatedBody, place: .server(.truncatedBody, scheme: "http")),
    FaultCase(fault: .malformedChunk, place: .server(.malformedChunk, scheme: "http")),
    FaultCase(fault: .emptyReply, place: .server(.emptyReply, scheme: "http")),
    FaultCase(fault: .notHTTP, place: .server(.notHTTP, scheme: "http")),
    FaultCase(fault: .tlsFailure, place: .server(.tlsGarbage, scheme: "https")),
    FaultCase(fault: .tlsFailure, place: .untrustedServer),
    FaultCase(
      fault: .cancelled, place: .server(.stallBeforeHead, scheme: "http"), isCancelled: true),
  ]

  /// Whether the fault shows only at the deadline, which then should be short.
  var isSlow: Bool { fault == .timeout || fault == .stall }

  /// Runs `ask` against the real thing.
  func withReality<Value: Sendable>(
    _ ask: @escaping @Sendable (HTTPRequest) async throws -> Value
  ) async throws -> Value {
    switch place {
    case .server(let script, let scheme):
      return try await withFaultyServer(script) { server in
        try await ask(
          HTTPRequest(method: .get, scheme: scheme, authority: server.authority, path: "/"))
      }
    case .untrustedServer:
      return try await withServer(secure: true) { _, _ in
        HTTPReply(head: HTTPResponse(status: .ok))
      } _: { server in
        try await ask(
          HTTPRequest(method: .get, scheme: "https", authority: server.authority, path: "/"))
      }
    case .refusingPort:
      let port = RefusingPort()
      return try await ask(
        HTTPRequest(method: .get, scheme: "http", authority: port.authority, path: "/"))
    case .unresolvableHost:
      return try await ask(
        HTTPRequest(method: .get, scheme: "https", authority: UnresolvableHost.name, path: "/"))
    case .resettingInBody:
      // A reset throws away what was not read yet: it must come after the head was.
      let (reached, proceed) = (LoopbackServer.Gate(), LoopbackServer.Gate())
      return try await withFaultyServer(.resetDuringBody(reached: reached, proceed: proceed)) {
        server in
        let request = server.request("/")
        let asking = Task { try await ask(request) }
        try await reached.wait()
        proceed.open()
        return try await asking.value
      }
    }
  }

  /// Runs `operation` and cancels it if that is the fault.
  func cancelling<Value: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task { try await operation() }
    if isCancelled { task.cancel() }
    return try await task.value
  }
}
