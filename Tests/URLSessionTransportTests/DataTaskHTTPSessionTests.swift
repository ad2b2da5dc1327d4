import Foundation
import HTTPTransport
import HTTPTypes
import LoopbackServer
import Synchronization
import Testing
import URLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A double of the classic seam: what a test of code written to it would use.
private final class ScriptedSession: DataTaskSession {
  /// What the completion handler gets; `nil` for a call that never comes.
  typealias Outcome = @Sendable (URLRequest) -> (Data?, URLResponse?, (any Error)?)?

  final class ScriptedTask: DataTask {
    let isCancelled = Mutex(false)
    let cancelled = Gate()
    private let start: @Sendable () -> Void

    init(start: @escaping @Sendable () -> Void) { self.start = start }
    func resume() { start() }
    func cancel() {
      isCancelled.withLock { $0 = true }
      cancelled.open()
    }
  }

  let tasks = Mutex<[ScriptedTask]>([])
  let resumed = Gate()
  private let outcome: Outcome

  init(outcome: @escaping Outcome) { self.outcome = outcome }

  func dataTask(with url: URL, completionHandler: @escaping Completion) -> any DataTask {
    dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
  }

  func dataTask(with request: URLRequest, completionHandler: @escaping Completion) -> any DataTask {
    let task = ScriptedTask { [outcome, resumed] in
      resumed.open()
      if let (data, response, error) = outcome(request) {
        completionHandler(data, response, error)
        // One call too many, which must do no harm.
        completionHandler(nil, nil, URLError(.unknown))
      }
    }
    tasks.withLock { $0.append(task) }
    return task
  }
}

private func ok(_ request: URLRequest, _ body: String) -> (Data?, URLResponse?, (any Error)?)? {
  guard let url = request.url else { return nil }
  return (
    Data(body.utf8), HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:]), nil
  )
}

private func request(_ path: String) -> HTTPRequest {
  HTTPRequest(method: .get, scheme: "https", authority: "kobis.example", path: path)
}

@Suite(.timeLimit(.minutes(5))) struct `When a double of the classic seam is bridged` {
  @Test func `its answer is the reply, and a second call is ignored`() async throws {
    let session = DataTaskHTTPSession(ScriptedSession { ok($0, $0.url?.absoluteString ?? "") })
    let reply = try await session.send(request("/a?b=c"))
    #expect(reply.status == .ok)
    #expect(reply.body == Array("https://kobis.example/a?b=c".utf8))
  }

  @Test(arguments: [
    (URLError.Code.notConnectedToInternet, TransportError.Code.offline),
    (.cannotFindHost, .hostNotFound), (.dnsLookupFailed, .hostNotFound),
    (.cannotConnectToHost, .connectionRefused), (.networkConnectionLost, .connectionLost),
    (.badServerResponse, .connectionLost), (.timedOut, .timeout),
    (.httpTooManyRedirects, .unexpectedRedirect),
    (.cancelled, .cancelled), (.unsupportedURL, .malformedResponse), (.badURL, .invalidRequest),
    (.serverCertificateUntrusted, .tls), (.secureConnectionFailed, .tls), (.unknown, .other),
    (.dataLengthExceedsMaximum, .tooLarge), (.fileDoesNotExist, .other),
  ])
  func `an error has its code, and the key in its URL stays behind`(
    code: URLError.Code, expected: TransportError.Code
  ) async throws {
    let key = "canary-key-0123456789"
    let session = DataTaskHTTPSession(
      ScriptedSession { request in
        (nil, nil, URLError(code, userInfo: [NSURLErrorFailingURLErrorKey: request.url as Any]))
      })
    let error = try #require(
      await #expect(throws: TransportError.self) { _ = try await session.send(request("/chart?key=\(key)")) })
    #expect(error.code == expected)
    var dumped = ""
    dump(error, to: &dumped)
    #expect(![dumped, "\(error)", String(reflecting: error)].contains { $0.contains(key) })
  }

  @Test func `an error of another domain is other`() async throws {
    struct Odd: Error {}
    let session = DataTaskHTTPSession(ScriptedSession { _ in (nil, nil, Odd()) })
    let error = await #expect(throws: TransportError.self) { _ = try await session.send(request("/")) }
    #expect(error?.code == .other)
  }

  @Test func `nothing at all, or what is not HTTP, is malformed`() async throws {
    for outcome in [
      { _ in (nil, nil, nil) },
      { request in
        let url = request.url ?? URL(fileURLWithPath: "/")
        return (
          Data(), URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil), nil
        )
      },
    ] as [ScriptedSession.Outcome] {
      let session = DataTaskHTTPSession(ScriptedSession(outcome: outcome))
      let error = await #expect(throws: TransportError.self) { _ = try await session.send(request("/")) }
      #expect(error?.code == .malformedResponse)
    }
  }

  @Test func `the task is let go when the reply is there`() async throws {
    let scripted = ScriptedSession { ok($0, "") }
    let session = DataTaskHTTPSession(scripted)
    _ = try await session.send(request("/"))
    weak var task: ScriptedSession.ScriptedTask?
    do {
      let last = scripted.tasks.withLock { $0.removeLast() }
      task = last
    }
    #expect(task == nil)
  }

  @Test func `an answer from another place is an unexpected redirect`() async throws {
    let session = DataTaskHTTPSession(
      ScriptedSession { _ in ok(URLRequest(url: URL(string: "https://elsewhere.example/")!), "moved") })
    let error = await #expect(throws: TransportError.self) { _ = try await session.send(request("/")) }
    #expect(error?.code == .unexpectedRedirect)
  }

  @Test func `cancellation ends the wait and cancels the task`() async throws {
    let scripted = ScriptedSession { _ in nil }
    let session = DataTaskHTTPSession(scripted)
    let exchange = Task {
      try await session.send(request("/"), body: [], limits: TransportLimits(total: .seconds(3_600)))
    }
    try await scripted.resumed.wait()
    exchange.cancel()
    let error = await #expect(throws: TransportError.self) { _ = try await exchange.value }
    #expect(error?.code == .cancelled)
    let task = try #require(scripted.tasks.withLock { $0.first })
    try await task.cancelled.wait()
    #expect(task.isCancelled.withLock { $0 })
  }

  @Test func `the deadline ends the wait and cancels the task`() async throws {
    let scripted = ScriptedSession { _ in nil }
    let session = DataTaskHTTPSession(scripted)
    let error = await #expect(throws: TransportError.self) {
      _ = try await session.send(request("/"), body: [], limits: TransportLimits(total: .milliseconds(50)))
    }
    #expect(error?.code == .timeout)
    let task = try #require(scripted.tasks.withLock { $0.first })
    try await task.cancelled.wait()
  }
}

@Suite(.timeLimit(.minutes(5))) struct `When a URLSession is used by the classic seam` {
  private func withSession<Result>(_ body: (any DataTaskSession) async throws -> Result) async rethrows
    -> Result
  {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    return try await body(session)
  }

  @Test func `it gets a URL and sends a request by completion handler`() async throws {
    try await withServer { request, _ in
      HTTPReply(head: HTTPResponse(status: .ok), body: Array("\(request.method) \(request.path ?? "")".utf8))
    } _: { server in
      let url = try #require(URL(string: server.origin + "/url"))
      var urlRequest = URLRequest(url: try #require(URL(string: server.origin + "/request")))
      urlRequest.httpMethod = "DELETE"
      try await withSession { session in
        let first = try await withCheckedThrowingContinuation { continuation in
          session.dataTask(with: url) { data, _, error in
            continuation.resume(with: error.map { .failure($0) } ?? .success(data))
          }.resume()
        }
        #expect(first == Data("GET /url".utf8))
        let second = try await withCheckedThrowingContinuation { continuation in
          session.dataTask(with: urlRequest) { data, _, error in
            continuation.resume(with: error.map { .failure($0) } ?? .success(data))
          }.resume()
        }
        #expect(second == Data("DELETE /request".utf8))
      }
    }
  }

  @Test func `a redirect that it follows is noticed`() async throws {
    try await withServer { request, _ in
      request.path == "/here"
        ? HTTPReply(head: HTTPResponse(status: .found, headerFields: [.location: "/there"]))
        : HTTPReply(head: HTTPResponse(status: .ok), body: Array("another place".utf8))
    } _: { server in
      let request = server.request("/here")
      let error = await withSession { session in
        await #expect(throws: TransportError.self) {
          _ = try await DataTaskHTTPSession(session).send(request)
        }
      }
      #expect(error?.code == .unexpectedRedirect)
    }
  }

  @Test func `a redirect loop is noticed`() async throws {
    try await withServer { _, _ in
      HTTPReply(head: HTTPResponse(status: .found, headerFields: [.location: "/loop"]))
    } _: { server in
      let request = server.request("/loop")
      let error = await withSession { session in
        await #expect(throws: TransportError.self) {
          _ = try await DataTaskHTTPSession(session).send(request)
        }
      }
      #expect(error?.code == .unexpectedRedirect)
    }
  }
}
