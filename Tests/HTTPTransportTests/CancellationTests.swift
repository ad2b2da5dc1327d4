import HTTPTransport
import HTTPTypes
import LoopbackServer
import Testing

@Suite(.timeLimit(.minutes(5))) struct `When the calling task is cancelled` {
  /// Long enough that only cancellation can end the exchange.
  private static let patient = TransportLimits(total: .seconds(3_600), connect: .seconds(3_600))

  @Test(arguments: TransportUnderTest.allCases)
  func `before the request, nothing is sent`(_ transport: TransportUnderTest) async throws {
    try await withServer { _, _ in
      HTTPReply(head: HTTPResponse(status: .ok))
    } _: { server in
      let (request, ready) = (server.request("/"), Gate())
      let error = try await transport.withSession { session in
        let exchange = Task {
          try? await ready.wait()
          return await failure(of: session, request)
        }
        exchange.cancel()
        ready.open()
        return await exchange.value
      }
      #expect(error?.code == .cancelled)
      #expect(server.requestCount == 0)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `while the head is awaited, the request ends`(_ transport: TransportUnderTest) async throws {
    let reached = Gate()
    try await withFaultyServer([.readHead, .open(reached), .hold]) { server in
      let code = try await code(of: transport, server.request("/"), cancelledAt: reached)
      #expect(code == .cancelled)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `while the body is awaited, the request ends`(_ transport: TransportUnderTest) async throws {
    let reached = Gate()
    let script: [ConnectionStep] = [
      .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), .open(reached), .hold,
    ]
    try await withFaultyServer(script) { server in
      let code = try await code(of: transport, server.request("/"), cancelledAt: reached)
      #expect(code == .cancelled)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `the session works on`(_ transport: TransportUnderTest) async throws {
    let (arrived, never) = (Gate(), Gate())
    try await withServer { request, _ in
      if request.path == "/slow" {
        arrived.open()
        try await never.wait()
      }
      return HTTPReply(head: HTTPResponse(status: .ok), body: Array("on".utf8))
    } _: { server in
      let (slow, quick) = (server.request("/slow"), server.request("/quick"))
      let reply = try await transport.withSession { session in
        let exchange = Task { await failure(of: session, slow, limits: Self.patient) }
        try await arrived.wait()
        exchange.cancel()
        let error = await exchange.value
        #expect(error?.code == .cancelled)
        return try await session.send(quick)
      }
      #expect(reply.body == Array("on".utf8))
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `at random among 200 others, each gets a reply or its cancellation`(
    _ transport: TransportUnderTest
  ) async throws {
    try await withServer { request, _ in
      HTTPReply(head: HTTPResponse(status: .ok), body: Array((request.path ?? "").utf8))
    } _: { server in
      var generator = SystemRandomNumberGenerator()
      let requests = (0..<200).map { server.request("/\($0)") }
      let outcomes = try await transport.withSession { session in
        var exchanges: [Task<HTTPReply, any Error>] = []
        for request in requests {
          let exchange = Task { try await session.send(request) }
          exchanges.append(exchange)
          let yields = Int.random(in: 0..<40, using: &generator)
          if Bool.random(using: &generator) {
            Task {
              for _ in 0..<yields { await Task.yield() }
              exchange.cancel()
            }
          }
        }
        var outcomes: [Result<HTTPReply, any Error>] = []
        for exchange in exchanges { outcomes.append(await exchange.result) }
        return outcomes
      }
      for (index, outcome) in outcomes.enumerated() {
        switch outcome {
        case .success(let reply): #expect(reply.body == Array("/\(index)".utf8))
        case .failure(let error): #expect((error as? TransportError)?.code == .cancelled)
        }
      }
    }
  }

  private func code(
    of transport: TransportUnderTest, _ request: HTTPRequest, cancelledAt reached: Gate
  ) async throws -> TransportError.Code? {
    try await transport.withSession { session in
      let exchange = Task { await failure(of: session, request, limits: Self.patient) }
      try await reached.wait()
      exchange.cancel()
      return await exchange.value?.code
    }
  }
}
