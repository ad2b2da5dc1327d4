import HTTPTransport
import HTTPTypes
import LoopbackServer
import Testing

@Suite(.timeLimit(.minutes(5))) struct `When the upstream answers` {
  @Test(arguments: TransportUnderTest.allCases)
  func `status, header fields and body arrive as they were sent`(_ transport: TransportUnderTest) async throws
  {
    try await withServer { _, _ in
      HTTPReply(
        head: HTTPResponse(
          status: .ok, headerFields: [.contentType: "text/plain", HTTPField.Name("X-Day")!: "20220105"]),
        body: Array("영화 box office".utf8))
    } _: { server in
      let reply = try await transport.withSession { try await $0.send(server.request("/chart?key=1&day=2")) }
      #expect(reply.status == .ok)
      #expect(reply.head.headerFields[.contentType] == "text/plain")
      #expect(reply.head.headerFields[HTTPField.Name("X-Day")!] == "20220105")
      #expect(reply.body == Array("영화 box office".utf8))
      #expect(server.requests.map(\.request.path) == ["/chart?key=1&day=2"])
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    [200, 201, 202, 203, 204, 205, 206, 300, 304, 400, 401, 403, 404, 409, 418, 429, 500, 502, 503, 504, 599])
  func `every status is a reply`(_ transport: TransportUnderTest, code: Int) async throws {
    let body = [204, 205, 304].contains(code) ? [] : Array("content".utf8)
    try await withServer { _, _ in
      HTTPReply(head: HTTPResponse(status: .init(code: code)), body: body)
    } _: { server in
      let reply = try await transport.withSession { try await $0.send(server.request("/")) }
      #expect(reply.status.code == code)
      #expect(reply.body == body)
    }
  }

  @Test(arguments: TransportUnderTest.streaming, [301, 302, 303, 307, 308])
  func `a redirect is returned and not followed`(_ transport: TransportUnderTest, code: Int) async throws {
    try await withServer { _, _ in
      HTTPReply(
        head: HTTPResponse(status: .init(code: code), headerFields: [.location: "/elsewhere"]),
        body: Array("moved".utf8))
    } _: { server in
      let reply = try await transport.withSession { try await $0.send(server.request("/here")) }
      #expect(reply.status.code == code)
      #expect(reply.head.headerFields[.location] == "/elsewhere")
      #expect(reply.body == Array("moved".utf8))
      #expect(server.requests.map(\.path) == ["/here"])
    }
  }

  @Test(arguments: TransportUnderTest.streaming)
  func `a 401 that asks for credentials is returned`(_ transport: TransportUnderTest) async throws {
    try await withFaultyServer(.unauthorized) { server in
      let reply = try await transport.withSession { try await $0.send(server.request("/")) }
      #expect(reply.status == .unauthorized)
      #expect(reply.body == Array("no".utf8))
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `the content of a POST arrives`(_ transport: TransportUnderTest) async throws {
    let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    try await withServer { request, body in
      HTTPReply(head: HTTPResponse(status: .created), body: Array("\(request.method) \(body.count)".utf8))
    } _: { server in
      let request = server.request(
        "/films", method: .post, headerFields: [.contentType: "application/octet-stream"])
      let reply = try await transport.withSession { try await $0.send(request, body: content) }
      #expect(reply.status == .created)
      #expect(reply.body == Array("POST 100000".utf8))
      #expect(server.requests.first?.body == content)
      #expect(server.requests.first?.request.headerFields[.contentType] == "application/octet-stream")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a HEAD request gets the header fields and no body`(_ transport: TransportUnderTest) async throws {
    try await withServer { _, _ in
      HTTPReply(
        head: HTTPResponse(status: .ok, headerFields: [.contentLength: "99999999"]),
        body: [])
    } _: { server in
      let reply = try await transport.withSession { try await $0.send(server.request("/", method: .head)) }
      #expect(reply.status == .ok)
      #expect(reply.head.headerFields[.contentLength] == "99999999")
      #expect(reply.body == [])
      #expect(server.requests.first?.request.method == .head)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `gzip is undone`(_ transport: TransportUnderTest) async throws {
    let text = Array(String(repeating: "the show goes on. ", count: 9_000).utf8)
    try await withFaultyServer(.gzip(text)) { server in
      let reply = try await transport.withSession { try await $0.send(server.request("/")) }
      #expect(reply.body == text)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `the sender introduces itself, unless the request does`(_ transport: TransportUnderTest) async throws {
    try await withServer { _, _ in
      HTTPReply(head: HTTPResponse(status: .ok))
    } _: { server in
      try await transport.withSession { session in
        _ = try await session.send(server.request("/1"))
        _ = try await session.send(server.request("/2", headerFields: [.userAgent: "someone else/2"]))
      }
      #expect(
        server.requests.map { $0.request.headerFields[.userAgent] } == [UserAgent.value, "someone else/2"])
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `two requests of one session are in flight at once`(_ transport: TransportUnderTest) async throws {
    let arrived = [Gate(), Gate()]
    try await withServer { request, _ in
      // Each answer waits for the other request, so one after the other would never end.
      let index = request.path == "/0" ? 0 : 1
      arrived[index].open()
      try await arrived[1 - index].wait()
      return HTTPReply(head: HTTPResponse(status: .ok), body: Array((request.path ?? "").utf8))
    } _: { server in
      let requests = [server.request("/0"), server.request("/1")]
      let replies = try await transport.withSession { session in
        async let first = session.send(requests[0])
        async let second = session.send(requests[1])
        return try await [first, second]
      }
      #expect(replies.map(\.body) == [Array("/0".utf8), Array("/1".utf8)])
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a body of just the limit is no byte too large`(_ transport: TransportUnderTest) async throws {
    try await withServer { _, _ in
      HTTPReply(head: HTTPResponse(status: .ok), body: [UInt8](repeating: 1, count: 5_000))
    } _: { server in
      let limits = TransportLimits(responseByteCountMax: 5_000, decodedByteCountMax: 5_000)
      let reply = try await transport.withSession {
        try await $0.send(server.request("/"), body: [], limits: limits)
      }
      #expect(reply.body.count == 5_000)
    }
  }
}
