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
  func withSession<Result: Sendable>(_ body: (any HTTPSession) async throws -> Result) async throws -> Result
  {
    switch self {
    case .asyncHTTPClient:
      return try await withAsyncHTTPSession { try await body(PatientSession(base: $0)) }
    case .foundation:
      let session = FoundationHTTPSession()
      defer { session.shutdown() }
      return try await body(PatientSession(base: session))
    case .dataTask:
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      let session = URLSession(configuration: configuration)
      defer { session.finishTasksAndInvalidate() }
      return try await body(PatientSession(base: DataTaskHTTPSession(session)))
    }
  }
}

/// Gives exchanges without limits of their own a long time, so that a busy machine fails no test.
private struct PatientSession: HTTPSession {
  let base: any HTTPSession

  func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
    let patient = TransportLimits(total: .seconds(120), connect: .seconds(120))
    return try await base.send(request, body: body, limits: limits == .default ? patient : limits)
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
