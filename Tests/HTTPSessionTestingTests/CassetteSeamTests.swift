import Foundation
import HTTPSessionTesting
import HTTPSessionTestingTraits
import HTTPTransport
import HTTPTypes
import Testing
import URLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct `When a cassette stands behind a seam of callbacks` {
  let answers = RequestJournal()

  /// A cassette with 50 replies to one request.
  private func recorded() throws -> TemporaryFile {
    let file = try TemporaryFile()
    let exchanges = (0..<50).map { number in
      RecordedExchange(
        SentRequest(get("/a")),
        .reply(HTTPReply(head: HTTPResponse(status: .ok), body: Array("\(number)".utf8))))
    }
    try Cassette(exchanges: exchanges).write(to: file.url)
    return file
  }

  /// What is done with a task's answer: it is written down as `/task/answer`.
  private func note(_ number: Int) -> @Sendable (Data?, URLResponse?, (any Error)?) -> Void {
    { [answers] data, _, _ in
      let text = data.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
      answers.record(SentRequest(get("/\(number)/\(text)")))
    }
  }

  @Test func `data tasks get its replies in the order of their resumes`() async throws {
    let file = try recorded()
    let session = StubDataTaskSession(try CassetteSession(file: file.url))
    let url = try #require(URL(string: "https://a.example/a"))
    for number in 0..<50 { session.dataTask(with: url, completionHandler: note(number)).resume() }
    try await answers.waitForRequests(count: 50)
    #expect(Set(answers.requests.map(\.path)) == Set((0..<50).map { "/\($0)/\($0)" }))
  }

  @Test func `each load of a URLSession gets another reply, and no reply is played twice`() async throws {
    let file = try recorded()
    let cassette = try CassetteSession(file: file.url)
    let configuration = URLSessionConfiguration.stubbed(by: cassette)
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    let url = try #require(URL(string: "https://a.example/a"))
    for number in 0..<50 { session.dataTask(with: url, completionHandler: note(number)).resume() }
    try await answers.waitForRequests(count: 50)
    #expect(Set(answers.requests.map { $0.path.split(separator: "/").last }).count == 50)
    try cassette.verify()
  }

  @Test(.noNetwork) func `the trait noNetwork holds on URLSession's threads`() async throws {
    let file = try TemporaryFile()
    let upstream = StubSession(Stub(.any, .text("from the network")))
    let cassette = try CassetteSession(
      file: file.url, mode: .all, upstream: upstream, unmatched: .throwOnly)
    let session = URLSession(configuration: .stubbed(by: cassette))
    defer { session.finishTasksAndInvalidate() }
    let received = try await session.load("https://a.example/a?key=0123456789")
    #expect(received.response == nil)
    #expect(upstream.journal.count == 0)
    #expect(cassette.failures.map(\.code) == [.networkForbidden])
    #expect(cassette.failures.first?.detail.contains("0123456789") == false)
  }

  @Test func `a HAR file's IPv6 address keeps its brackets`() throws {
    let har = """
      {"log": {"entries": [{"request": {"method": "GET", "url": "http://[::1]:8080/a"}, "response": {"status": 204}}]}}
      """
    let cassette = try Cassette(har: har.utf8, fileName: "a.har")
    #expect(cassette.exchanges.first?.request.request.authority == "[::1]:8080")
  }
}
