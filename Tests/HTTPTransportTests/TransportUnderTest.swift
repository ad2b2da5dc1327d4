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

  /// Runs `body` with a session of this transport.
  func withSession<Result: Sendable>(_ body: (any HTTPSession) async throws -> Result) async throws -> Result
  {
    switch self {
    case .asyncHTTPClient:
      return try await withAsyncHTTPSession { try await body($0) }
    case .foundation:
      let session = FoundationHTTPSession()
      defer { session.shutdown() }
      return try await body(session)
    case .dataTask:
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      let session = URLSession(configuration: configuration)
      defer { session.finishTasksAndInvalidate() }
      return try await body(DataTaskHTTPSession(session))
    }
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
