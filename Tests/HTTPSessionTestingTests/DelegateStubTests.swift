import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Testing
import URLSessionTransport

@Suite struct `When a URLSession reports to a delegate` {
  @Test func `it gets head, body and end, or the error`() async throws {
    let stub = StubSession(
      Stub(.post("/users"), .json(["id": 1], status: .created)),
      Stub(.get("/gone"), .fault(.connectionRefused)))
    let transport = FoundationHTTPSession(configuration: .stubbed(by: stub))
    defer { transport.shutdown() }
    let reply = try await transport.send(post("/users"), body: Array("Ada".utf8))
    #expect(reply.status == .created && reply.text == #"{"id":1}"#)
    #expect(stub.journal.last?.bodyText == "Ada")
    let error = await #expect(throws: TransportError.self) { try await transport.send(get("/gone")) }
    #expect(error?.code == .connectionRefused)
  }
}
