import HTTPTransport
import HTTPTypes
import LoopbackServer
import Testing

/// What a connection does, and the codes it may come to.
struct Fault: Sendable, CustomTestStringConvertible {
  var name: String
  var script: [ConnectionStep]
  var code: TransportError.Code
  /// The code from `URLSession`, where that knows less.
  var foundationCode: TransportError.Code?
  /// The code from a completion handler, where that knows still less.
  var dataTaskCode: TransportError.Code?
  /// Whether `URLSession` on Linux ends the process on it, whatever code is around it.
  var isFatalToURLSession = false

  var testDescription: String { name }

  static let all: [Fault] = [
    Fault(name: "empty reply", script: .emptyReply, code: .connectionLost),
    Fault(name: "half a head", script: .halfHead, code: .connectionLost, isFatalToURLSession: true),
    Fault(name: "reset before the head", script: .resetBeforeHead, code: .connectionLost),
    Fault(
      name: "truncated body", script: .truncatedBody, code: .truncatedBody, dataTaskCode: .malformedResponse),
    Fault(
      name: "truncated chunked body", script: .truncatedChunkedBody, code: .truncatedBody,
      foundationCode: .malformedResponse),
    Fault(name: "malformed chunk", script: .malformedChunk, code: .malformedResponse),
    Fault(name: "not HTTP", script: .notHTTP, code: .malformedResponse),
    Fault(name: "gzip that is none", script: .coded("gzip", Array("plain".utf8)), code: .malformedResponse),
  ]

  /// Every transport with every fault that it can survive.
  static let survivable: [(TransportUnderTest, Fault)] = TransportUnderTest.allCases.flatMap { transport in
    all.filter { transport == .asyncHTTPClient || !$0.isFatalToURLSession }.map { (transport, $0) }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `When the upstream misbehaves` {
  @Test(arguments: Fault.survivable)
  func `the fault has its code`(_ transport: TransportUnderTest, fault: Fault) async throws {
    try await withFaultyServer(fault.script) { server in
      let request = server.request("/chart?key=\(canary)")
      let error = try await transport.withSession { await failure(of: $0, request) }
      let expected =
        switch transport {
        case .asyncHTTPClient: fault.code
        case .foundation: fault.foundationCode ?? fault.code
        case .dataTask: fault.dataTaskCode ?? fault.foundationCode ?? fault.code
        }
      #expect(error?.code == expected)
      #expect(error?.host == server.authority)
      #expect(error?.path == "/chart")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a refused connection is refused at once`(_ transport: TransportUnderTest) async throws {
    let port = RefusingPort()
    let request = HTTPRequest(method: .get, scheme: "http", authority: port.authority, path: "/")
    let error = try await transport.withSession { await failure(of: $0, request) }
    #expect(error?.code == .connectionRefused)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a reset in the body loses the connection`(_ transport: TransportUnderTest) async throws {
    let (reached, proceed) = (Gate(), Gate())
    try await withFaultyServer(.resetDuringBody(reached: reached, proceed: proceed)) { server in
      let request = server.request("/")
      let error = try await transport.withSession { session in
        let exchange = Task { await failure(of: session, request) }
        try await reached.wait()
        proceed.open()
        return await exchange.value
      }
      #expect(error?.code == .connectionLost)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a name that does not exist is not found`(_ transport: TransportUnderTest) async throws {
    let request = HTTPRequest(method: .get, scheme: "https", authority: UnresolvableHost.name, path: "/")
    let error = try await transport.withSession { await failure(of: $0, request) }
    #expect(error?.code == .hostNotFound)
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    [
      [ConnectionStep].stallBeforeHead, .stallDuringBody, .drippingBody, .drippingHead,
    ])
  func `the deadline covers head and body`(
    _ transport: TransportUnderTest, script: [ConnectionStep]
  ) async throws {
    let (clock, reached) = (StoppedClock(), Gate())
    let limits = TransportLimits(total: .seconds(60), connect: .seconds(60))
    try await withFaultyServer(script.dropLast() + [.open(reached)] + script.suffix(1)) { server in
      let request = server.request("/?key=\(canary)")
      let error = try await transport.withSession(clock: clock) { session in
        let exchange = Task { await failure(of: session, request, limits: limits) }
        try await reached.wait()
        clock.strike()
        return await exchange.value
      }
      #expect(error?.code == .timeout)
      // It is this deadline that struck, and not one of the client below.
      #expect(error?.detail == "no whole reply within \(limits.total)")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `the deadline strikes by itself`(_ transport: TransportUnderTest) async throws {
    try await withFaultyServer(.stallBeforeHead) { server in
      let request = server.request("/")
      let limits = TransportLimits(total: .milliseconds(200))
      let error = try await transport.withSession { await failure(of: $0, request, limits: limits) }
      #expect(error?.code == .timeout)
    }
  }

  @Test(
    arguments: TransportUnderTest.streaming,
    [
      [ConnectionStep].endlessChunkedBody, .endlessUnframedBody, .enormousContentLength, .gzipBomb,
    ])
  func `a body without measure is cut off`(
    _ transport: TransportUnderTest, script: [ConnectionStep]
  ) async throws {
    try await withFaultyServer(script) { server in
      let request = server.request("/")
      let error = try await transport.withSession { await failure(of: $0, request) }
      #expect(error?.code == .tooLarge)
    }
  }

  @Test(arguments: [[ConnectionStep].endlessHeaderField, .endlessHeaderFields])
  func `a head without measure is cut off`(script: [ConnectionStep]) async throws {
    try await withFaultyServer(script) { server in
      let request = server.request("/")
      let error = try await TransportUnderTest.asyncHTTPClient.withSession { await failure(of: $0, request) }
      #expect(error?.code == .tooLarge)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a body one byte too large is refused`(_ transport: TransportUnderTest) async throws {
    try await withServer { _, _ in
      HTTPReply(head: HTTPResponse(status: .ok), body: [UInt8](repeating: 1, count: 5_001))
    } _: { server in
      let limits = TransportLimits(responseByteCountMax: 5_000)
      let request = server.request("/")
      let error = try await transport.withSession { await failure(of: $0, request, limits: limits) }
      #expect(error?.code == .tooLarge)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a gzip body too large once decoded is refused`(_ transport: TransportUnderTest) async throws {
    try await withFaultyServer(.coded("gzip", GzipBody.bomb(decodedByteCount: 1 << 20))) { server in
      let limits = TransportLimits(decodedByteCountMax: 1 << 16)
      let request = server.request("/")
      let error = try await transport.withSession { await failure(of: $0, request, limits: limits) }
      // The stream's checksum is wrong, which a transport that sees the whole first may say as well.
      #expect(error?.code == .tooLarge || transport == .dataTask && error?.code == .malformedResponse)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a certificate that no one vouches for is refused`(_ transport: TransportUnderTest) async throws {
    try await withServer(secure: true) { _, _ in
      HTTPReply(head: HTTPResponse(status: .ok))
    } _: { server in
      let request = server.request("/?key=\(canary)")
      let error = try await transport.withSession { await failure(of: $0, request) }
      #expect(error?.code == (transport == .dataTask ? .other : .tls))
      #expect(server.requestCount == 0)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a handshake answered with garbage fails`(_ transport: TransportUnderTest) async throws {
    try await withFaultyServer(.tlsGarbage) { server in
      let request = server.request("/", scheme: "https")
      let error = try await transport.withSession { await failure(of: $0, request) }
      #expect(error?.code == (transport == .dataTask ? .other : .tls))
    }
  }

  @Test(arguments: Fault.survivable)
  func `the key in the query is in no error`(_ transport: TransportUnderTest, fault: Fault) async throws {
    try await withFaultyServer(fault.script) { server in
      let request = server.request("/chart?key=\(canary)&day=20220105")
      let error = try await transport.withSession { await failure(of: $0, request) }
      let texts = renderings(of: try #require(error))
      #expect(texts.allSatisfy { !$0.contains(canary) && !$0.contains("day=") && !$0.isEmpty })
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `the session works on after a failure`(_ transport: TransportUnderTest) async throws {
    try await withFaultyServer(.emptyReply) { faulty in
      try await withServer { _, _ in
        HTTPReply(head: HTTPResponse(status: .ok), body: Array("still here".utf8))
      } _: { server in
        let (bad, good) = (faulty.request("/"), server.request("/"))
        let reply = try await transport.withSession { session in
          _ = await failure(of: session, bad)
          return try await session.send(good)
        }
        #expect(reply.body == Array("still here".utf8))
      }
    }
  }
}
