import Foundation
import HTTPTransport
import HTTPTypes
import LoopbackServer
import Testing
import URLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Answers every request from its URL's path, without a network.
private final class StubProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func stopLoading() {}

  override func startLoading() {
    guard let url = request.url else { return }
    switch url.path {
    case "/not-http":
      let response = URLResponse(
        url: url, mimeType: "text/plain", expectedContentLength: 2, textEncodingName: nil)
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: Data("no".utf8))
      client?.urlProtocolDidFinishLoading(self)
    case "/fails":
      client?.urlProtocol(self, didFailWithError: URLError(.notConnectedToInternet))
    case "/silent":
      break
    default:
      guard
        let response = HTTPURLResponse(
          url: url, statusCode: 200, httpVersion: nil, headerFields: ["X-Stub": "yes"])
      else { return }
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      for part in ["in ", "several ", "parts"] { client?.urlProtocol(self, didLoad: Data(part.utf8)) }
      client?.urlProtocolDidFinishLoading(self)
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `When the configuration brings a stub` {
  private static func stubbed() -> FoundationHTTPSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [StubProtocol.self]
    return FoundationHTTPSession(configuration: configuration)
  }

  private func request(_ path: String) -> HTTPRequest {
    HTTPRequest(method: .get, scheme: "https", authority: "nowhere.invalid", path: path)
  }

  @Test func `the stub answers, and no part of its body is lost`() async throws {
    let reply = try await Self.stubbed().send(request("/"))
    #expect(reply.status == .ok)
    #expect(reply.head.headerFields[HTTPField.Name("X-Stub")!] == "yes")
    #expect(reply.body == Array("in several parts".utf8))
  }

  @Test func `a response that is not HTTP is malformed`() async throws {
    let session = Self.stubbed()
    let error = await #expect(throws: TransportError.self) {
      _ = try await session.send(request("/not-http"))
    }
    #expect(error?.code == .malformedResponse)
  }

  @Test func `its error has its code`() async throws {
    let session = Self.stubbed()
    let error = await #expect(throws: TransportError.self) { _ = try await session.send(request("/fails")) }
    #expect(error?.code == .offline)
  }

  @Test func `a stub that never answers runs into the deadline`() async throws {
    let session = Self.stubbed()
    let limits = TransportLimits(total: .milliseconds(100))
    let error = await #expect(throws: TransportError.self) {
      _ = try await session.send(request("/silent"), body: [], limits: limits)
    }
    #expect(error?.code == .timeout)
  }
}

@Suite(.timeLimit(.minutes(5))) struct `When a Foundation session is shut down` {
  @Test func `a later request is told so`() async throws {
    let session = FoundationHTTPSession()
    session.shutdown()
    session.shutdown()
    let request = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:1", path: "/")
    let error = await #expect(throws: TransportError.self) { _ = try await session.send(request) }
    #expect(error?.code == .shutDown)
  }

  @Test func `a request under way is told so`() async throws {
    let reached = Gate()
    try await withFaultyServer([.readHead, .open(reached), .hold]) { server in
      let session = FoundationHTTPSession()
      let request = server.request("/")
      let exchange = Task { try await session.send(request) }
      try await reached.wait()
      session.shutdown()
      let error = await #expect(throws: TransportError.self) { _ = try await exchange.value }
      #expect(error?.code == .shutDown)
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `When Foundation would keep something` {
  @Test func `nothing is cached, whatever the configuration says`() async throws {
    try await withServer { request, _ in
      HTTPReply(
        head: HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=3600"]),
        body: Array((request.path ?? "").utf8))
    } _: { server in
      let configuration = URLSessionConfiguration.default
      configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
      let session = FoundationHTTPSession(configuration: configuration)
      for path in ["/chart?day=20220105", "/chart?day=20220106", "/chart?day=20220106"] {
        let reply = try await session.send(server.request(path))
        #expect(reply.body == Array(path.utf8))
      }
      #expect(server.requestCount == 3)
      #expect(configuration.urlCache != nil)
    }
  }

  @Test func `no cookie comes back`() async throws {
    try await withServer { _, _ in
      HTTPReply(head: HTTPResponse(status: .ok, headerFields: [.setCookie: "seen=1; Path=/"]))
    } _: { server in
      let session = FoundationHTTPSession(configuration: .default)
      for _ in 0..<2 { _ = try await session.send(server.request("/")) }
      #expect(server.requests.map { $0.request.headerFields[.cookie] } == [nil, nil])
    }
  }

  @Test func `content with GET is refused, as Foundation would drop it`() async throws {
    let session = FoundationHTTPSession()
    let request = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:1", path: "/")
    let error = await #expect(throws: TransportError.self) { _ = try await session.send(request, body: [1]) }
    #expect(error?.code == .invalidRequest)
  }
}
