import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Testing

@Suite struct `When a session is stubbed` {
  @Test func `the answer of the stub comes back and the request stands in the journal`()
    async throws
  {
    let session = StubSession(Stub(.get("/users/1"), .json(["name": "Ada"])))
    let reply = try await session.send(get("/users/1?page=2"), body: Array("x".utf8))
    #expect(reply.status == .ok)
    #expect(reply.head.headerFields[.contentType] == "application/json")
    #expect(try JSONValue(parsing: reply.body) == ["name": "Ada"])
    #expect(
      session.journal.requests == [SentRequest(get("/users/1?page=2"), body: Array("x".utf8))])
  }

  @Test func `the first stub that matches and is not used up answers`() async throws {
    let session = StubSession(
      Stub(.get("/a"), .text("first")).once(), Stub(.get("/a"), .text("second")),
      Stub(.any, .text("third")))
    #expect(try await session.send(get("/a")).text == "first")
    #expect(try await session.send(get("/a")).text == "second")
    #expect(try await session.send(get("/b")).text == "third")
    #expect(session.unusedStubs.isEmpty)
  }

  @Test func `several answers come in order and then the stub is used up`() async throws {
    let session = StubSession(
      Stub(.any, .failure(.timeout), .status(.serviceUnavailable), .text("at last")),
      unmatched: .throwOnly)
    await #expect(throws: TransportError.self) { try await session.send(get("/")) }
    #expect(try await session.send(get("/")).status == .serviceUnavailable)
    #expect(try await session.send(get("/")).text == "at last")
    let error = await #expect(throws: HTTPTestingError.self) { try await session.send(get("/")) }
    #expect(error?.detail.contains("it was used up after 3") == true)
  }

  @Test func `the last answer is repeated if the stub says so`() async throws {
    let session = StubSession(
      Stub(.any, .text("1"), .text("2")).repeatingLast().times(4), unmatched: .throwOnly)
    var texts: [String] = []
    for _ in 0..<4 { texts.append(try await session.send(get("/")).text) }
    #expect(texts == ["1", "2", "2", "2"])
    await #expect(throws: HTTPTestingError.self) { try await session.send(get("/")) }
  }

  @Test func `an answer is computed from the request and its error becomes the session's`()
    async throws
  {
    struct Refused: Error, Equatable { let path: String }
    let session = StubSession(
      Stub(.post("/echo"), .computed { .json(["got": .string($0.bodyText)]) }),
      Stub(.any, .computed { throw Refused(path: $0.path) }))
    let reply = try await session.send(post("/echo"), body: Array("hi".utf8))
    #expect(reply.text == #"{"got":"hi"}"#)
    await #expect(throws: Refused(path: "/x")) { try await session.send(get("/x")) }
  }

  @Test func `a rule of the user's may ask the session`() async throws {
    let session = StubSession()
    session.stub(
      .where("is the first") { [weak session] _ in session?.unusedStubs.count == 2 }, .text("first"))
    session.stub(.any, .text("later"))
    #expect(try await session.send(get("/")).text == "first")
    #expect(try await session.send(get("/")).text == "later")
  }

  @Test func `every kind of answer gives its bytes`() async throws {
    struct Person: Encodable { let name: String }
    let fixture = try TemporaryFile("page.html", containing: "<p>")
    let session = StubSession(
      Stub(
        .any, .data([1, 2]), .text("hé"), .json([1, 2.5, nil, true]),
        .json(encoding: Person(name: "Ada")),
        .json(dictionary: ["b": 1, "a": ["x"]]), .fixture(at: fixture.url),
        .notModified(headers: [.eTag: "1"]),
        .status(.init(code: 418)), .reply(.json(["k": "v"], status: .created))))
    var replies: [HTTPReply] = []
    for _ in 0..<9 { replies.append(try await session.send(get("/"))) }
    #expect(replies[0].body == [1, 2])
    #expect(
      replies[1...5].map(\.text) == [
        "hé", "[1,2.5,null,true]", #"{"name":"Ada"}"#, #"{"a":["x"],"b":1}"#, "<p>",
      ])
    #expect(replies[5].head.headerFields[.contentType] == "text/html; charset=utf-8")
    #expect(replies[6].status == .notModified && replies[6].body.isEmpty)
    #expect(replies[7].status.code == 418 && replies[8].status == .created)
  }

  @Test func `a fixture comes from the test's own bundle`() async throws {
    let session = StubSession(Stub(.any, .fixture("user.json", in: .module)))
    let reply = try await session.send(get("/"))
    #expect(try JSONValue(parsing: reply.body) == ["name": "Ada"])
    #expect(reply.head.headerFields[.contentType] == "application/json")
  }

  @Test func `a delay ends when the clock is moved`() async throws {
    let clock = ManualClock()
    let session = StubSession(Stub(.any, .text("late").delayed(by: .seconds(3))), clock: clock)
    async let reply = session.send(get("/"))
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(3))
    #expect(try await reply.text == "late")
  }

  @Test func `a throttled body takes a step of the clock for each piece`() async throws {
    let clock = ImmediateClock()
    let session = StubSession(
      Stub(
        .any,
        .data([UInt8](repeating: 0, count: 10)).throttled(pieceByteCount: 4, every: .seconds(2))),
      clock: clock)
    #expect(try await session.send(get("/")).body.count == 10)
    #expect(clock.sleeps == [.seconds(2), .seconds(2), .seconds(2)])
  }

  @Test func `an answer after the caller's deadline is a timeout at the deadline`() async throws {
    let clock = ImmediateClock()
    let session = StubSession(
      Stub(.get("/slow"), .status(.ok).delayed(by: .seconds(60))),
      Stub(
        .get("/drip"),
        .data([UInt8](repeating: 0, count: 100)).throttled(pieceByteCount: 1, every: .seconds(1))),
      clock: clock)
    for path in ["/slow", "/drip"] {
      let error = await #expect(throws: TransportError.self) {
        try await session.send(get(path), body: [], limits: TransportLimits(total: .seconds(5)))
      }
      #expect(error?.code == .timeout)
    }
    #expect(clock.now.offset == .seconds(10))
  }

  @Test func `a body larger than the caller takes is too large`() async throws {
    let session = StubSession(Stub(.any, .data([1, 2, 3])))
    let error = await #expect(throws: TransportError.self) {
      try await session.send(get("/"), body: [], limits: TransportLimits(decodedByteCountMax: 2))
    }
    #expect(error?.code == .tooLarge)
    let wire = await #expect(throws: TransportError.self) {
      try await session.send(get("/"), body: [], limits: TransportLimits(responseByteCountMax: 2))
    }
    #expect(wire?.code == .tooLarge)
  }

  @Test func `cancellation is the transport's error before and during the answer`() async throws {
    let gate = Gate()
    let session = StubSession(Stub(.any, .status(.ok).held(at: gate)))
    let call = Task { try await session.send(get("/")) }
    try await gate.waitForWaiting()
    call.cancel()
    let during = await #expect(throws: TransportError.self) { try await call.value }
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await session.send(get("/"))
    }
    let before = await #expect(throws: TransportError.self) { try await early.value }
    #expect(during?.code == .cancelled && before?.code == .cancelled)
  }
}

@Suite struct `When a request matches no stub` {
  let session = StubSession(
    Stub(.get("/users") && .query(["page": "1"]), .status(.ok)),
    Stub(.post("/users"), .status(.ok)).named("registration"))

  @Test func `the test fails although the code swallows the error`() async throws {
    try await expectIssue(containing: "unmatchedRequest: GET https://a.example/user matches none") {
      let session = StubSession(Stub(.get("/users"), .status(.ok)))
      _ = try? await session.send(get("/user"))
    }
  }

  @Test func `the test fails also from a detached task, which knows of no test`() async throws {
    try await expectIssue(containing: "the session has no stubs") {
      let session = StubSession()
      await Task.detached { _ = try? await session.send(get("/user")) }.value
    }
  }

  @Test func `the error names the nearest stub and why it does not match`() async throws {
    let session = StubSession(
      Stub(.get("/users") && .query(["page": "1"]), .status(.ok)),
      Stub(.post("/other"), .status(.ok)),
      unmatched: .throwOnly)
    let error = await #expect(throws: HTTPTestingError.self) {
      try await session.send(get("/users?page=2&key=abc"))
    }
    #expect(error?.code == .unmatchedRequest)
    #expect(
      error?.detail == """
        GET https://a.example/users?page=2&key=REDACTED matches none of 2 stubs. The nearest is the one for \
        method is GET and path is /users and query is page=1: expected query is page=1, but it lacks page=1 and \
        has besides page=2&key=REDACTED.
        """)
    #expect(session.unmatchedRequests.count == 1)
  }

  @Test func `verify throws it, for XCTest`() async throws {
    let session = StubSession(unmatched: .throwOnly)
    _ = try? await session.send(get("/"))
    let error = #expect(throws: HTTPTestingError.self) { try session.verify() }
    #expect(error?.code == .unmatchedRequest)
  }
}

@Suite struct `When a stub is wrong` {
  static let wrong: [(Stub, String)] = [
    (Stub(.method(.get) && .method(.post), .status(.ok)), "the method cannot be both GET and POST"),
    (Stub(.get("/a") && .path("/b"), .status(.ok)), "the path cannot be both /a and /b"),
    (Stub(.any), "it has no answer"), (Stub(.any, .status(.ok)).times(0), "it answers 0 times"),
    (Stub(.any, .status(.ok), .status(.ok)).once(), "it answers 1 times but has 2 answers"),
    (Stub(.any, .status(.ok), .status(.ok)).times(3), "it answers 3 times but has 2 answers"),
    (Stub(.any, .status(.ok).delayed(by: .seconds(-1))), "is negative"),
    (
      Stub(.any, .status(.ok).throttled(pieceByteCount: 0, every: .seconds(1))),
      "in pieces of 0 bytes"
    ),
    (Stub(.any, .fixture("missing.json", in: .module)), "There is no readable missing.json at"),
    (Stub(.any, .json(encoding: Double.nan)), "Double cannot be encoded"),
    (Stub(.any, .json(dictionary: ["a": 1...2])), "holds a value that JSON does not know"),
  ]

  @Test(arguments: wrong.indices) func `the error names the rule and the test fails`(index: Int)
    async throws
  {
    let (stub, reason) = Self.wrong[index]
    try await expectIssue(containing: reason) {
      let session = StubSession(stub)
      let error = try #require(session.failures.first)
      #expect(
        error.detail.hasPrefix("The stub for \(stub): ") && error.detail.contains(reason),
        "\(error)")
      #expect(throws: HTTPTestingError.self) { try session.verify() }
    }
  }

  @Test func `a request that reaches it gets the error and no answer`() async throws {
    let session = StubSession(Stub(.any, .status(.ok)).times(0), Stub(.any), unmatched: .throwOnly)
    await #expect(throws: HTTPTestingError.self) { try await session.send(get("/")) }
  }

  @Test func `unused stubs are reported, unless something failed earlier`() async throws {
    try await expectIssue(containing: "unusedStub") {
      StubSession(Stub(.get("/a"), .status(.ok))).reportUnusedStubs()
    }
    let session = StubSession(Stub(.get("/a"), .status(.ok)), unmatched: .throwOnly)
    _ = try? await session.send(get("/b"))
    session.reportUnusedStubs()
    #expect(session.failures.map(\.code) == [.unmatchedRequest])
  }
}

@Suite struct `When a double is a mock or a dummy` {
  @Test func `met expectations verify`() async throws {
    let reply = try await MockSession.expecting(
      Expectation(.post("/users"), .once, answers: .status(.created)),
      Expectation(.delete("/users"), .never),
      Expectation(.get("/users"), .atLeast(1))
    ) { session in
      _ = try await session.send(get("/users"))
      return try await session.send(post("/users"))
    }
    #expect(reply.status == .created)
  }

  @Test func `what is never to be asked fails whatever comes after it`() async throws {
    let mock = MockSession(
      [Expectation(.delete("/users"), .never), Expectation(.any, .atLeast(0))],
      unmatched: .throwOnly)
    _ = try await mock.send(get("/users"))
    let request = HTTPRequest(
      method: .delete, scheme: "https", authority: "a.example", path: "/users")
    await #expect(throws: HTTPTestingError.self) { try await mock.send(request) }
  }

  @Test func `an expectation that was not met is named`() async throws {
    let error = await #expect(throws: HTTPTestingError.self) {
      try await MockSession.expecting(Expectation(.post("/users"), .exactly(2))) { session in
        _ = try await session.send(post("/users"))
      }
    }
    #expect(error?.code == .unmetExpectation)
    #expect(
      error?.detail == "Expected exactly 2 of method is POST and path is /users, but there were 1.")
  }

  @Test func `an unexpected request fails the test at once`() async throws {
    let error = try await withUnmatchedIssue {
      let mock = MockSession([Expectation(.get("/a"), .atMost(1))])
      _ = try await mock.send(get("/a"))
      return await #expect(throws: HTTPTestingError.self) { try await mock.send(get("/a")) }
    }
    #expect(error?.detail.contains("(so far 1)") == true)
  }

  @Test func `the order is kept when it is asked for`() async throws {
    func mock() -> MockSession {
      MockSession(
        [Expectation(.get("/a")), Expectation(.get("/b"))], isOrdered: true, unmatched: .throwOnly)
    }
    let kept = mock()
    _ = try await kept.send(get("/a"))
    _ = try await kept.send(get("/b"))
    try kept.verify()
    let broken = mock()
    await #expect(throws: HTTPTestingError.self) { try await broken.send(get("/b")) }
    #expect(throws: HTTPTestingError.self) { try broken.verify() }
  }

  @Test func `a dummy that is asked fails the test`() async throws {
    let error = try await withUnmatchedIssue(code: .unexpectedUse) {
      let dummy = DummySession()
      try dummy.verify()
      let error = await #expect(throws: HTTPTestingError.self) {
        try await dummy.send(get("/?key=abc"))
      }
      #expect(throws: HTTPTestingError.self) { try dummy.verify() }
      return error
    }
    #expect(error?.description.contains("abc") == false)
  }
}
