import Foundation
import HTTPTransport
import Testing
import URLSessionTransport

@testable import HTTPSessionTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct `When a data task is cancelled` {
  let journal = RequestJournal()
  let url = URL(string: "https://a.example/")

  private func note(_ text: String) { journal.record(SentRequest(get("/\(text)"))) }

  @Test func `and resumed at once, it sends nothing`() async throws {
    let url = try #require(url)
    let stub = StubSession(Stub(.any, .text("there")))
    let session = StubDataTaskSession(stub)
    for _ in 0..<200 {
      let task = session.dataTask(with: url) { [self] _, _, error in
        note("\((error as? URLError)?.errorCode ?? 0)")
      }
      task.cancel()
      task.resume()
    }
    try await journal.waitForRequests(count: 200)
    #expect(stub.journal.count == 0)
    #expect(Set(journal.requests.map(\.path)) == ["/-999"])
  }

  @Test(.timeLimit(.minutes(5))) func `while its request starts, the work is cancelled too`() async throws {
    let started = LockedValue<StubDataTask?>(nil)
    let task = StubDataTask(request: URLRequest(url: try #require(url))) { [self] _ in
      started.withLock { $0 }?.cancel()
      return {
        // A gate that nobody opens: only the cancellation ends this.
        try? await Gate().pass()
        self.note(Task.isCancelled ? "cancelled" : "running")
        return StubDataTaskSession.Outcome()
      }
    } completion: { [self] _, _, _ in
      note("completed")
    }
    started.withLock { $0 = task }
    task.resume()
    try await journal.waitForRequests(count: 2)
    #expect(Set(journal.requests.map(\.path)) == ["/cancelled", "/completed"])
    #expect(journal.count == 2)
    started.withLock { $0 = nil }
  }
}
