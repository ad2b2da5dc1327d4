import AsyncHTTPTransport
import Foundation
import HTTPTransport
import HTTPTypes
import Testing
import URLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The transports that keep the contract of `HTTPSession`.
enum TransportUnderTest: String, CaseIterable, Sendable {
  case asyncHTTPClient
  case foundation
  case dataTask

  /// Those whose limits hold while a body arrives; a completion handler sees it too late.
  static let streaming: [TransportUnderTest] = [.asyncHTTPClient, .foundation]

  /// Runs `body` with a session of this transport, which has patience unless a test sets limits.
  ///
  /// - Parameter clock: What measures the deadlines.
  func withSession<Result: Sendable>(
    clock: any Clock<Duration> = ContinuousClock(), _ body: (any HTTPSession) async throws -> Result
  ) async throws -> Result {
    switch self {
    case .asyncHTTPClient:
      return try await withAsyncHTTPSession(clock: clock) { try await body(PatientSession(base: $0)) }
    case .foundation:
      let session = FoundationHTTPSession(clock: clock)
      defer { session.shutdown() }
      return try await body(PatientSession(base: session))
    case .dataTask:
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      let session = URLSession(configuration: configuration)
      defer { session.finishTasksAndInvalidate() }
      return try await body(PatientSession(base: DataTaskHTTPSession(session, clock: clock)))
    }
  }
}

/// Gives exchanges without times of their own long ones, so that a busy machine fails no test.
private struct PatientSession: HTTPSession {
  let base: any HTTPSession

  func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
    var patient = limits
    if limits.total == TransportLimits.default.total { patient.total = .seconds(120) }
    if limits.connect == TransportLimits.default.connect { patient.connect = .seconds(120) }
    return try await base.send(request, body: body, limits: patient)
  }
}

/// Sends and expects a `TransportError`.
func failure(
  of session: any HTTPSession, _ request: HTTPRequest, limits: TransportLimits = .default,
  sourceLocation: SourceLocation = #_sourceLocation
) async -> TransportError? {
  await #expect(throws: TransportError.self, sourceLocation: sourceLocation) {
    _ = try await session.send(request, body: [], limits: limits)
  }
}
