import Foundation
import HTTPTransport
import HTTPTypes
import LoopbackServer
import Testing
import URLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct `When the environment names a proxy` {
  /// Both sessions, made with `environment`.
  private func withSessions(
    environment: [String: String], allowsPlainHTTP: Bool = false,
    _ body: (any HTTPSession) async throws -> Void
  ) async throws {
    let foundation = FoundationHTTPSession(allowsPlainHTTP: allowsPlainHTTP, environment: environment)
    defer { foundation.shutdown() }
    try await body(foundation)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    try await body(
      DataTaskHTTPSession(session, allowsPlainHTTP: allowsPlainHTTP, environment: environment))
  }

  private func withUpstreamAndProxy(
    _ body: (_ upstream: LoopbackHTTPServer, _ proxy: LoopbackHTTPServer) async throws -> Void
  ) async throws {
    try await withServer { _, _ in
      HTTPReply(head: HTTPResponse(status: .ok))
    } _: { upstream in
      try await withServer { _, _ in
        HTTPReply(head: HTTPResponse(status: .badGateway))
      } _: { proxy in
        try await body(upstream, proxy)
      }
    }
  }

  @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
  func `plain http is refused before anything is dialled`(_ variable: String) async throws {
    try await withUpstreamAndProxy { upstream, proxy in
      let request = upstream.request("/chart?key=canary-key-0123456789")
      try await withSessions(environment: [variable: proxy.origin]) { session in
        let error = await #expect(throws: TransportError.self) { _ = try await session.send(request) }
        #expect(error?.code == .invalidRequest)
        #expect(
          error?.detail
            == "plain http would go through the proxy that the environment names (\(variable)); unset it or use https"
        )
        #expect(error.map { "\($0)".contains("canary") } == false)
      }
      #expect(upstream.connectionCount == 0)
      #expect(proxy.connectionCount == 0)
    }
  }

  @Test func `plain http that is allowed everywhere is sent`() async throws {
    try await withUpstreamAndProxy { upstream, proxy in
      let request = upstream.request("/")
      try await withSessions(environment: ["http_proxy": proxy.origin], allowsPlainHTTP: true) { session in
        let reply = try await session.send(request)
        #expect(reply.status == .ok)
      }
      #expect(upstream.requestCount == 2)
    }
  }

  @Test(arguments: [
    [:], ["http_proxy": ""], ["HTTP_PROXY": "http://127.0.0.1:1"], ["https_proxy": "http://127.0.0.1:1"],
  ])
  func `an environment without one for plain http changes nothing`(_ environment: [String: String])
    async throws
  {
    try await withUpstreamAndProxy { upstream, _ in
      let request = upstream.request("/")
      try await withSessions(environment: environment) { session in
        let reply = try await session.send(request)
        #expect(reply.status == .ok)
      }
    }
  }

  @Test func `https goes on`() async throws {
    let request = HTTPRequest(method: .get, scheme: "https", authority: "127.0.0.1:1", path: "/")
    try await withSessions(environment: ["http_proxy": "http://127.0.0.1:1"]) { session in
      let error = await #expect(throws: TransportError.self) { _ = try await session.send(request) }
      #expect(error?.code == .connectionRefused)
    }
  }

  @Test func `no variable's value is shown by the session`() async throws {
    let secret = "canary-key-0123456789"
    try await withSessions(environment: ["KOBIS_API_KEY": secret, "http_proxy": "http://\(secret)@proxy"]) {
      session in
      var shown = String(reflecting: session)
      dump(session, to: &shown)
      #expect(!shown.contains(secret))
    }
  }
}
