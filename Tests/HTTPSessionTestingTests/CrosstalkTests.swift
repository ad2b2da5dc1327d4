import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends 250 requests through a stub that answers only to `name`, in groups that are in flight at once.
private func exchange(
  _ name: String, through seam: @escaping @Sendable (StubSession) -> any HTTPSession
) async throws {
  let stub = StubSession(
    Stub(.path(matching: "/\(name)/*"), .computed { .json(["path": .string($0.path)]) }))
  let session = seam(stub)
  try await withThrowingTaskGroup(of: Void.self) { group in
    for number in 0..<250 {
      group.addTask {
        let reply = try await session.send(get("/\(name)/\(number)"))
        #expect(try JSONValue(parsing: reply.body) == ["path": .string("/\(name)/\(number)")])
      }
    }
    try await group.waitForAll()
  }
  #expect(stub.journal.count == 250)
  #expect(Set(stub.journal.requests.map(\.path)).count == 250)
  try stub.verify()
}

/// A `URLSession` of the user's own behind the seam, for a test only.
private struct StubbedURLSession: HTTPSession {
  let session: URLSession

  func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws
    -> HTTPReply
  {
    let received = try await session.load("https://a.example\(request.path ?? "/")")
    if let error = received.error { throw error }
    return HTTPReply(
      head: HTTPResponse(status: .init(code: received.response?.statusCode ?? 0)),
      body: received.body.map { [UInt8]($0) } ?? [])
  }
}

@Suite struct `When suites run in parallel (first)` {
  @Test(arguments: 0..<4) func `250 requests of a stub session meet no others`(number: Int)
    async throws
  {
    try await exchange("first-\(number)") { $0 }
  }
}

@Suite struct `When suites run in parallel (second)` {
  @Test(arguments: 0..<4) func `250 requests of a URLSession meet no others`(number: Int)
    async throws
  {
    try await exchange("second-\(number)") { stub in
      StubbedURLSession(session: URLSession(configuration: .stubbed(by: stub)))
    }
  }
}

@Suite struct `When suites run in parallel (third)` {
  @Test(arguments: 0..<4) func `250 requests behind faults meet no others`(number: Int) async throws {
    try await exchange("third-\(number)") { FaultySession(wrapping: $0, plan: .script([])) }
  }
}
