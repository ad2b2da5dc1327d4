import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct `When code owns a URLSession` {
  @Test func `its requests reach the stub with method, URL, fields and body`() async throws {
    let stub = StubSession(
      Stub(.post("https://a.example/users?page=2"), .json(["id": 7], status: .created)))
    let session = URLSession(configuration: .stubbed(by: stub))
    var request = URLRequest(url: try #require(URL(string: "https://a.example/users?page=2")))
    request.httpMethod = "POST"
    request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data("Ada".utf8)

    let received = await session.load(request)

    #expect(received.response?.statusCode == 201)
    #expect(received.text == #"{"id":7}"#)
    let sent = try #require(stub.journal.requests.first)
    #expect(sent.method == .post && sent.host == "a.example" && sent.path == "/users")
    #expect(sent.queryValue("page") == "2")
    #expect(sent.request.headerFields[.contentType] == "text/plain")
    #expect(sent.bodyText == "Ada")
  }

  @Test func `data(for:) gets the whole body`() async throws {
    let body = [UInt8](repeating: 7, count: 20_000_000)
    let stub = StubSession(
      Stub(.any, .data(body).throttled(pieceByteCount: 4_194_304, every: .seconds(1))),
      clock: ImmediateClock())
    let session = URLSession(configuration: .stubbed(by: stub))
    let (data, response) = try await session.data(
      from: try #require(URL(string: "https://a.example/big")))
    #expect([UInt8](data) == body)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
  }

  @Test func `a session made in one task and used in another keeps its stub`() async throws {
    let sessions = (0..<20).map { number in
      URLSession(configuration: .stubbed(by: StubSession(Stub(.any, .text("\(number)")))))
    }
    await withTaskGroup(of: (Int, String?).self) { group in
      for (number, session) in sessions.enumerated() {
        group.addTask {
          await Task.detached { (number, try? await session.load("https://a.example/").text) }.value
        }
      }
      for await (number, text) in group { #expect(text == "\(number)") }
    }
  }

  @Test func `a copied configuration keeps its stub`() async throws {
    let copy = URLSessionConfiguration.stubbed(by: StubSession(Stub(.any, .text("kept")))).copy()
    let session = URLSession(configuration: try #require(copy as? URLSessionConfiguration))
    #expect(try await session.load("https://a.example/").text == "kept")
  }

  @Test func `a delayed answer comes when the clock is moved and not before`() async throws {
    let clock = ManualClock()
    let stub = StubSession(Stub(.any, .text("late").delayed(by: .seconds(30))), clock: clock)
    let session = URLSession(configuration: .stubbed(by: stub))
    async let received = session.load("https://a.example/")
    try await clock.waitForSleepers()
    #expect(clock.timeToNextSleeper == .seconds(30))
    clock.advance(by: .seconds(30))
    #expect(try await received.text == "late")
  }

  @Test func `an answer later than the request's timeout is a timeout`() async throws {
    let clock = ManualClock()
    let stub = StubSession(Stub(.any, .text("late").delayed(by: .seconds(90))), clock: clock)
    let session = URLSession(configuration: .stubbed(by: stub))
    async let received = session.load("https://a.example/")
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(60))
    #expect(try await received.urlErrorCode == .timedOut)
  }

  @Test func `3xx, 304 and 401 come through as they are`() async throws {
    let stub = StubSession(
      Stub(.get("/moved"), .status(.found, headers: [.location: "https://b.example/"])),
      Stub(.get("/same"), .notModified(headers: [.eTag: "\"1\""])),
      Stub(
        .get("/secret"), .status(.unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"a\""])))
    let session = URLSession(configuration: .stubbed(by: stub))
    let moved = try await session.load("https://a.example/moved")
    #expect(moved.response?.statusCode == 302)
    #expect(moved.response?.value(forHTTPHeaderField: "Location") == "https://b.example/")
    #expect(try await session.load("https://a.example/same").response?.statusCode == 304)
    let secret = try await session.load("https://a.example/secret")
    #expect(secret.response?.statusCode == 401)
  }

  @Test func `a request that matches nothing fails the test and gets the kit's error`() async throws {
    let received = try await withUnmatchedIssue {
      let stub = StubSession(Stub(.get("/users"), .json([])))
      let session = URLSession(configuration: .stubbed(by: stub))
      return try await session.load("https://a.example/user?key=s3cret")
    }
    let error = try #require(received.error as? HTTPTestingError)
    #expect(error.code == .unmatchedRequest)
    #expect(!error.description.contains("s3cret"))
  }

  @Test(arguments: ["http://127.0.0.1:1/", "https://a.example/", "ftp://a.example/", "odd:thing"])
  func `no scheme falls through to the network`(address: String) async throws {
    let session = URLSession(configuration: .noNetwork(policy: .throwOnly))
    let received = try await session.load(address)
    #expect((received.error as? HTTPTestingError)?.code == .networkForbidden)
  }

  @Test(arguments: Fault.all) func `a fault arrives as the URLError of that fault`(fault: Fault)
    async throws
  {
    let stub = StubSession(Stub(.any, .fault(fault)), clock: ImmediateClock())
    let session = URLSession(configuration: .stubbed(by: stub))
    #expect(try await session.load("https://a.example/").urlErrorCode == fault.urlErrorCode)
    guard fault == .offline else { return }
    #expect(try await session.load("https://192.0.2.1/").urlErrorCode == .unknown)
    #expect(try await session.load("https://[2001:db8::1]/").urlErrorCode == .unknown)
  }

  @Test func `two requests started one after another stand in the journal in that order`()
    async throws
  {
    let stub = StubSession(Stub(.any, .status(.ok)))
    let session = URLSession(configuration: .stubbed(by: stub))
    for number in 0..<50 {
      session.dataTask(with: try #require(URL(string: "https://a.example/\(number)"))) { _, _, _ in
      }.resume()
    }
    try await stub.journal.waitForRequests(count: 50)
    #expect(stub.journal.requests.map(\.path) == (0..<50).map { "/\($0)" })
  }

  // Many times over, as the answer and the resumption come at once.
  @Test(.timeLimit(.minutes(5)), arguments: 0..<50)
  func `a suspended task gets its answer after it is resumed`(_: Int) async throws {
    let gate = Gate()
    let stub = StubSession(Stub(.any, .text("there").held(at: gate)))
    let session = URLSession(configuration: .stubbed(by: stub))
    let url = try #require(URL(string: "https://a.example/"))
    let text: String? = await withCheckedContinuation { continuation in
      let task = session.dataTask(with: url) { data, _, _ in
        continuation.resume(returning: data.map { String(decoding: $0, as: UTF8.self) })
      }
      task.resume()
      Task {
        try await gate.waitForWaiting()
        task.suspend()
        gate.release()
        task.resume()
      }
    }
    #expect(text == "there")
    #expect(stub.journal.count == 1)
  }

  @Test func `a download task is refused and does not trap`() async throws {
    let session = URLSession(configuration: .stubbed(by: StubSession(Stub(.any, .text("file")))))
    let url = try #require(URL(string: "https://a.example/"))
    let error: (any Error)? = await withCheckedContinuation { continuation in
      session.downloadTask(with: url) { _, _, error in continuation.resume(returning: error) }.resume()
    }
    #expect((error as? HTTPTestingError)?.code == .unsupportedTask)
  }

  @Test func `requests cancelled at any moment complete exactly once`() async throws {
    let stub = StubSession(Stub(.any, .text("there")))
    let session = URLSession(configuration: .stubbed(by: stub))
    let url = try #require(URL(string: "https://a.example/"))
    let completions = RequestJournal()
    for number in 0..<1_000 {
      let task = session.dataTask(with: url) { _, _, _ in
        completions.record(SentRequest(get("/\(number)")))
      }
      task.resume()
      DispatchQueue.global().async { task.cancel() }
    }
    try await completions.waitForRequests(count: 1_000)
    #expect(Set(completions.requests.map(\.path)).count == 1_000)
    #expect(completions.count == 1_000)
  }
}
