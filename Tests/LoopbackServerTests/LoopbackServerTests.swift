import AsyncHTTPClient
import HTTPTransport
import HTTPTypes
import LoopbackServer
import NIOCore
import NIOHTTP1
import Testing

@Suite(.timeLimit(.minutes(5))) struct `When a loopback server is up` {
  private func get(_ url: String) async throws -> (UInt, String) {
    // The client is shared: a connection kept from before a stop would fail the request after it.
    var request = HTTPClientRequest(url: url)
    request.headers.add(name: "Connection", value: "close")
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
    let body = try await response.body.collect(upTo: 1 << 20)
    return (response.status.code, String(buffer: body))
  }

  @Test func `it answers by its closure and remembers the request`() async throws {
    try await withServer { request, _ in
      HTTPReply(
        head: HTTPResponse(status: .accepted), body: Array("you asked for \(request.path ?? "")".utf8))
    } _: { server in
      let (status, body) = try await get(server.origin + "/a?b=c")
      #expect(status == 202)
      #expect(body == "you asked for /a?b=c")
      #expect(server.requests.map(\.request.path) == ["/a?b=c"])
      #expect(server.requests.map(\.path) == ["/a"])
      #expect(server.requests.first?.request.authority == server.authority)
    }
  }

  @Test func `it breaks off in the middle of a body when it is told to`() async throws {
    try await withServer { _, _ in
      throw BrokenOffReply(HTTPReply(head: HTTPResponse(status: .ok), body: Array("two halves".utf8)))
    } _: { server in
      let response = try await HTTPClient.shared.execute(
        HTTPClientRequest(url: server.origin + "/"), timeout: .seconds(60))
      #expect(response.headers.first(name: "Content-Length") == "10")
      var half = ""
      await #expect(throws: (any Error).self) {
        for try await part in response.body { half += String(buffer: part) }
      }
      #expect("two h".hasPrefix(half))
    }
  }

  @Test func `it refuses while stopped and answers again on the same port`() async throws {
    let server = LoopbackHTTPServer { _, _ in HTTPReply(head: HTTPResponse(status: .ok)) }
    try await server.start()
    let (origin, port) = (server.origin, server.port)
    let before = try await get(origin + "/1").0
    #expect(before == 200)
    await server.stop()
    let client = HTTPClient(
      configuration: .init(timeout: .init(connect: .milliseconds(100))))
    await #expect(throws: (any Error).self) {
      _ = try await client.execute(HTTPClientRequest(url: origin + "/2"), timeout: .seconds(1))
    }
    try await client.shutdown()
    try await server.start()
    #expect(server.port == port)
    let after = try await get(origin + "/3").0
    #expect(after == 200)
    #expect(server.requests.map(\.path) == ["/1", "/3"])
    await server.stop()
  }

  @Test func `it stops with a request under way`() async throws {
    let (arrived, never) = (Gate(), Gate())
    try await withServer { _, _ in
      arrived.open()
      try await never.wait()
      return HTTPReply(head: HTTPResponse(status: .ok))
    } _: { server in
      let origin = server.origin
      let answer = Task { try await get(origin + "/") }
      try await arrived.wait()
      await server.stop()
      await #expect(throws: (any Error).self) { _ = try await answer.value }
    }
  }

  @Test func `it serves any session`() async throws {
    struct Echo: HTTPSession {
      func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
        HTTPReply(
          head: HTTPResponse(status: .ok, headerFields: [.contentEncoding: "gzip", .contentLength: "1"]),
          body: Array("echo".utf8))
      }
    }
    try await withServer(session: Echo()) { server in
      let body = try await get(server.origin + "/").1
      #expect(body == "echo")
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `When a port refuses` {
  @Test func `no connection is made`() async throws {
    let port = RefusingPort()
    let client = HTTPClient(configuration: .init(timeout: .init(connect: .milliseconds(100))))
    await #expect(throws: (any Error).self) {
      _ = try await client.execute(HTTPClientRequest(url: "http://\(port.authority)/"), timeout: .seconds(1))
    }
    try await client.shutdown()
  }
}
