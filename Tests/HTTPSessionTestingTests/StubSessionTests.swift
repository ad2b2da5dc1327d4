import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Testing

@Suite struct `When a session is stubbed` {
  let request = HTTPRequest(
    method: .get, scheme: "https", authority: "a.example", path: "/users/1?page=2")

  @Test func `the answer of the stub comes back and the request stands in the journal`()
    async throws
  {
    let session = StubSession(Stub(.get("/users/1"), .json(["name": "Ada"])))
    let reply = try await session.send(request)
    #expect(reply.status == .ok)
    #expect(try JSONValue(parsing: reply.body) == ["name": "Ada"])
    #expect(session.journal.requests.map(\.path) == ["/users/1"])
  }
}
