import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Testing
import URLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct `When a data task is stubbed` {
  let stub = StubSession(Stub(.any, .text("there")))
  let completions = RequestJournal()

  /// Makes a task whose every completion is written down as `/body` or `/code`.
  private func task(of session: StubDataTaskSession) throws -> any DataTask {
    let url = try #require(URL(string: "https://a.example/"))
    return session.dataTask(with: url) { [completions] data, _, error in
      let text = data.map { String(decoding: $0, as: UTF8.self) } ?? "\((error as? URLError)?.errorCode ?? 0)"
      completions.record(SentRequest(get("/\(text)")))
    }
  }

  @Test func `a second resume asks nothing more`() async throws {
    let session = StubDataTaskSession(stub)
    let task = try task(of: session)
    task.resume()
    task.resume()
    try await completions.waitForRequests(count: 1)
    #expect(stub.journal.count == 1)
    #expect(session.tasks.map(\.resumeCount) == [2])
  }

  @Test func `it completes once, also when it is cancelled afterwards`() async throws {
    let session = StubDataTaskSession(stub)
    let first = try task(of: session)
    first.resume()
    try await completions.waitForRequests(count: 1)
    first.cancel()
    // Another task goes the same way, so that the cancellation has its turn before the count is looked at.
    let second = try task(of: session)
    second.cancel()
    try await completions.waitForRequests(count: 2)
    #expect(completions.requests.map(\.path) == ["/there", "/-999"])
    #expect(session.tasks.map(\.cancelCount) == [1, 1])
  }

  @Test func `one that is cancelled before it was resumed asks nothing`() async throws {
    let session = StubDataTaskSession(stub)
    let task = try task(of: session)
    task.cancel()
    try await completions.waitForRequests(count: 1)
    task.resume()
    #expect(completions.requests.map(\.path) == ["/-999"])
    #expect(stub.journal.count == 0)
  }

  @Test func `an IPv6 address keeps its brackets`() async throws {
    let url = try #require(URL(string: "http://[::1]:8080/users"))
    let task = StubDataTaskSession(stub).dataTask(with: url) { [completions] _, _, _ in
      completions.record(SentRequest(get("/")))
    }
    task.resume()
    try await completions.waitForRequests(count: 1)
    #expect(stub.journal.last?.request.authority == "[::1]:8080")
    #expect(stub.journal.last?.host == "[::1]")
  }

  @Test func `a request's method, fields and body are sent`() async throws {
    var request = URLRequest(url: try #require(URL(string: "https://a.example/users")))
    request.httpMethod = "DELETE"
    request.setValue("1", forHTTPHeaderField: "X-Number")
    request.httpBody = Data("x".utf8)
    let task = StubDataTaskSession(stub).dataTask(with: request) { [completions] _, _, _ in
      completions.record(SentRequest(get("/")))
    }
    task.resume()
    try await completions.waitForRequests(count: 1)
    let sent = try #require(stub.journal.last)
    #expect(sent.method == .delete && sent.bodyText == "x")
    #expect(sent.request.headerFields[try #require(HTTPField.Name("X-Number"))] == "1")
  }
}
