import AsyncHTTPTransport
import HTTPTransport
import HTTPTypes
import LoopbackServer
import NIOSSL
import Testing

/// Sends and expects a `TransportError`.
private func failure(
  of session: AsyncHTTPSession, _ request: HTTPRequest, limits: TransportLimits = patient,
  sourceLocation: SourceLocation = #_sourceLocation
) async -> TransportError? {
  await #expect(throws: TransportError.self, sourceLocation: sourceLocation) {
    _ = try await session.send(request, body: [], limits: limits)
  }
}

private let patient = TransportLimits(total: .seconds(3_600), connect: .seconds(3_600))

@Suite(.timeLimit(.minutes(5))) struct `When a session is shut down` {
  @Test func `a later request is told so`() async throws {
    try await withServer { _, _ in
      HTTPReply(head: HTTPResponse(status: .ok))
    } _: { server in
      let session = AsyncHTTPSession()
      _ = try await session.send(server.request("/"))
      await session.shutdown()
      let error = await failure(of: session, server.request("/"))
      #expect(error?.code == .shutDown)
      #expect(server.requestCount == 1)
    }
  }

  @Test func `before it was used, that is no trap`() async {
    let session = AsyncHTTPSession()
    await session.shutdown()
    await session.shutdown()
    let request = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:1", path: "/")
    #expect(await failure(of: session, request)?.code == .shutDown)
  }

  @Test(arguments: [
    [ConnectionStep](), [.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")],
  ])
  func `a request under way is told so`(before: [ConnectionStep]) async throws {
    let reached = Gate()
    try await withFaultyServer([.readHead] + before + [.open(reached), .hold]) { server in
      let session = AsyncHTTPSession()
      let request = server.request("/")
      let exchange = Task { await failure(of: session, request, limits: patient) }
      try await reached.wait()
      await session.shutdown()
      let error = await exchange.value
      #expect(error?.code == .shutDown)
    }
  }

  @Test func `by its scope, that happens on the way out of a failure too`() async throws {
    struct Failure: Error {}
    try await withServer { _, _ in
      HTTPReply(head: HTTPResponse(status: .ok))
    } _: { server in
      let request = server.request("/")
      var escaped: AsyncHTTPSession?
      await #expect(throws: Failure.self) {
        try await withAsyncHTTPSession { session in
          _ = try await session.send(request)
          escaped = session
          throw Failure()
        }
      }
      let session = try #require(escaped)
      #expect(await failure(of: session, request)?.code == .shutDown)
    }
  }

  @Test func `by being released only, nothing traps and its connections are closed`() async throws {
    let closed = Gate()
    try await withFaultyServer(
      [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .hold, .open(closed)]
    ) { server in
      var session: AsyncHTTPSession? = AsyncHTTPSession()
      let reply = try await session?.send(server.request("/"))
      #expect(reply?.body == Array("ok".utf8))
      session = nil
      // The peer sees the kept connection closed.
      try await closed.wait()
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `When a session connects` {
  @Test func `a handshake that stalls ends with the connect timeout`() async throws {
    try await withFaultyServer([.hold]) { server in
      try await withAsyncHTTPSession { session in
        let limits = TransportLimits(total: .seconds(3_600), connect: .milliseconds(100))
        let error = await failure(of: session, server.request("/", scheme: "https"), limits: limits)
        #expect(error?.code == .timeout)
      }
    }
  }

  @Test func `more connect timeouts than it has clients are served all the same`() async throws {
    try await withServer { _, _ in
      HTTPReply(head: HTTPResponse(status: .ok))
    } _: { server in
      try await withAsyncHTTPSession { session in
        for seconds in [67, 66, 65, 64, 63, 62, 68, 69] {
          let limits = TransportLimits(total: .seconds(120), connect: .seconds(seconds))
          let reply = try await session.send(server.request("/"), body: [], limits: limits)
          #expect(reply.status == .ok)
        }
      }
      #expect(server.connectionCount == 4)
    }
  }

  @Test func `its connection is kept for the next request`() async throws {
    try await withServer { _, _ in
      HTTPReply(head: HTTPResponse(status: .ok), body: [1])
    } _: { server in
      try await withAsyncHTTPSession { session in
        for _ in 0..<5 { _ = try await session.send(server.request("/")) }
      }
      #expect(server.requestCount == 5)
      #expect(server.connectionCount == 1)
    }
  }

  @Test func `a trusted certificate of the right name is accepted`() async throws {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = .certificates([try LoopbackCertificate.certificate()])
    try await withServer(secure: true) { _, _ in
      HTTPReply(head: HTTPResponse(status: .ok), body: Array("secret".utf8))
    } _: { server in
      let session = AsyncHTTPSession(tls: tls)
      var request = server.request("/")
      request.authority = "localhost:\(server.port)"
      let reply = try await session.send(request)
      await session.shutdown()
      #expect(reply.body == Array("secret".utf8))
    }
  }

  @Test func `a trusted certificate of another name is refused`() async throws {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = .certificates([try LoopbackCertificate.certificate()])
    try await withServer(secure: true) { _, _ in
      HTTPReply(head: HTTPResponse(status: .ok))
    } _: { server in
      let session = AsyncHTTPSession(tls: tls)
      // The certificate is for localhost, and the server is asked for as 127.0.0.1.
      let refused = await failure(of: session, server.request("/"))
      await session.shutdown()
      #expect(refused?.code == .tls)
      #expect(server.requestCount == 0)
    }
  }

  @Test func `plain http goes to this machine only, unless allowed`() async {
    let request = HTTPRequest(method: .get, scheme: "http", authority: UnresolvableHost.name, path: "/")
    let strict = AsyncHTTPSession()
    #expect(await failure(of: strict, request)?.code == .invalidRequest)
    await strict.shutdown()
    let lenient = AsyncHTTPSession(configuration: .init(allowsPlainHTTP: true))
    #expect(await failure(of: lenient, request)?.code == .hostNotFound)
    await lenient.shutdown()
  }
}

@Suite(.timeLimit(.minutes(5))) struct `When a body is coded` {
  private static let text = Array("the show goes on".utf8)

  @Test func `the limit on the wire counts bytes as they came`() async throws {
    let body = GzipBody.stored([UInt8](repeating: 7, count: 1_000))
    try await withFaultyServer(.coded("gzip", body)) { server in
      try await withAsyncHTTPSession { session in
        let limits = TransportLimits(
          total: .seconds(120), connect: .seconds(120), responseByteCountMax: body.count - 1)
        #expect(await failure(of: session, server.request("/"), limits: limits)?.code == .tooLarge)
      }
    }
  }

  @Test func `the limit on the wire holds where no length is announced`() async throws {
    let body = GzipBody.stored([UInt8](repeating: 7, count: 1_000))
    let script: [ConnectionStep] = [
      .readHead, .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"), .send(body),
      .close,
    ]
    try await withFaultyServer(script) { server in
      try await withAsyncHTTPSession { session in
        let limits = TransportLimits(
          total: .seconds(120), connect: .seconds(120), responseByteCountMax: body.count - 1)
        #expect(await failure(of: session, server.request("/"), limits: limits)?.code == .tooLarge)
        let reply = try await session.send(server.request("/"))
        #expect(reply.body.count == 1_000)
      }
    }
  }

  @Test func `a gzip body that ends too early is truncated`() async throws {
    let body = Array(GzipBody.stored(Self.text).dropLast(12))
    try await withFaultyServer(.coded("gzip", body)) { server in
      try await withAsyncHTTPSession { session in
        #expect(await failure(of: session, server.request("/"))?.code == .truncatedBody)
      }
    }
  }

  @Test func `bytes after the end are refused`() async throws {
    try await withFaultyServer(.coded("gzip", GzipBody.stored(Self.text) + [1, 2, 3])) { server in
      try await withAsyncHTTPSession { session in
        #expect(await failure(of: session, server.request("/"))?.code == .malformedResponse)
      }
    }
  }

  @Test(arguments: ["identity", "x-gzip", "GZIP", "gzip, identity"])
  func `the coding's name may be spelled in other ways`(coding: String) async throws {
    let body = coding == "identity" ? Self.text : GzipBody.stored(Self.text)
    try await withFaultyServer(.coded(coding, body)) { server in
      try await withAsyncHTTPSession { session in
        let reply = try await session.send(server.request("/"))
        #expect(reply.body == Self.text)
        #expect(reply.head.headerFields[.contentEncoding] == coding)
      }
    }
  }

  @Test(arguments: ["br", "zstd", "gzip, gzip"])
  func `a coding that was not asked for is refused`(coding: String) async throws {
    try await withFaultyServer(.coded(coding, Self.text)) { server in
      try await withAsyncHTTPSession { session in
        #expect(await failure(of: session, server.request("/"))?.code == .malformedResponse)
      }
    }
  }

  @Test func `no body is no broken body`() async throws {
    try await withServer { _, _ in
      HTTPReply(head: HTTPResponse(status: .ok, headerFields: [.contentEncoding: "gzip"]))
    } _: { server in
      try await withAsyncHTTPSession { session in
        let head = try await session.send(server.request("/", method: .head))
        let get = try await session.send(server.request("/"))
        #expect(head.body == [])
        #expect(get.body == [])
      }
    }
  }

  @Test func `gzip and deflate are asked for, unless the request says otherwise`() async throws {
    try await withServer { _, _ in
      HTTPReply(head: HTTPResponse(status: .ok))
    } _: { server in
      try await withAsyncHTTPSession { session in
        _ = try await session.send(server.request("/"))
        _ = try await session.send(server.request("/", headerFields: [.acceptEncoding: "identity"]))
      }
      #expect(
        server.requests.map { $0.request.headerFields[.acceptEncoding] } == ["gzip, deflate", "identity"])
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `When the clock is injected` {
  /// A clock whose every sleep is over at once.
  private struct HastyClock: Clock {
    var now: ContinuousClock.Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
  }

  @Test func `the deadline is that clock's`() async throws {
    try await withFaultyServer(.stallBeforeHead) { server in
      let session = AsyncHTTPSession(clock: HastyClock())
      let error = await failure(of: session, server.request("/"), limits: patient)
      await session.shutdown()
      #expect(error?.code == .timeout)
    }
  }
}
