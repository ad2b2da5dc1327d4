import Foundation
import HTTPSessionTesting
import HTTPSessionTestingTraits
import HTTPTransport
import HTTPTypes
import Testing

@Suite(.stubbed(Stub(.get("/users"), .text("suite"))))
struct `When a suite is stubbed by a trait` {
  @Test(arguments: 0..<20) func `each test has a session of its own`(number: Int) async throws {
    #expect(StubSession.current.journal.count == 0)
    #expect(try await StubSession.current.send(get("/users")).text == "suite")
    #expect(StubSession.current.journal.count == 1)
  }
}

@Suite(.stubbed(Stub(.any, .text("suite"))))
struct `When a suite and its test are both stubbed` {
  @Test(.stubbed(Stub(.get("/users"), .text("test"))))
  func `the test's stubs come first and the suite's still answer`() async throws {
    #expect(try await StubSession.current.send(get("/users")).text == "test")
    #expect(try await StubSession.current.send(get("/other")).text == "suite")
    #expect(StubSession.current.journal.count == 2)
  }
}

@Suite(.cassette("greeting"))
struct `When a suite has a cassette` {
  @Test func `its tests share the session`() async throws {
    #expect(try await CassetteSession.current.send(get("/hello?key=mine")).text == "hello")
  }
}

@Suite struct `When a test has a trait` {
  @Test(.stubbed(Stub(.get("/users"), .json(["Ada"]))))
  func `stubbed its session answers from the rules`() async throws {
    #expect(try await StubSession.current.send(get("/users")).text == #"["Ada"]"#)
  }

  /// Runs `function` under `trait` as Swift Testing does.
  private func scoped(
    _ trait: some TestScoping, _ function: @escaping @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await trait.provideScope(
      for: try #require(Test.current), testCase: Test.Case.current, performing: function)
  }

  @Test func `stubbed a stub that no request used fails it at the end`() async throws {
    try await expectIssue(containing: "No request used the stub for method is GET") {
      try await scoped(StubbedTrait.stubbed(Stub(.get("/never"), .status(.ok)))) {}
    }
  }

  @Test func `stubbed an error of the test is not hidden by unused stubs`() async throws {
    struct Earlier: Error {}
    await #expect(throws: Earlier.self) {
      try await scoped(StubbedTrait.stubbed(Stub(.get("/never"), .status(.ok)))) { throw Earlier() }
    }
  }

  @Test func `stubbed a swallowed unmatched request fails it`() async throws {
    try await expectIssue(containing: "unmatchedRequest") {
      try await scoped(StubbedTrait.stubbed()) {
        _ = try? await StubSession.current.send(get("/users"))
      }
    }
  }

  @Test func `and asks for StubSession.current without it the test fails`() async throws {
    withKnownIssue { _ = StubSession.current }
  }

  @Test(.cassette("greeting")) func `cassette it is replayed`() async throws {
    #expect(try await CassetteSession.current.send(get("/hello?key=mine")).text == "hello")
  }

  @Test func `cassette that is missing the error names it`() async throws {
    let error = await #expect(throws: HTTPTestingError.self) {
      try await scoped(CassetteTrait.cassette("nowhere")) {}
    }
    #expect(error?.code == .cassetteMissing)
  }

  @Test func `cassette an exchange nobody asked for fails it`() async throws {
    try await expectIssue(containing: "No request asked for GET https://a.example/hello") {
      try await scoped(CassetteTrait.cassette("greeting")) {}
    }
  }

  @Test func `cassette what it records is saved at the end`() async throws {
    let file = Cassette.location(named: "recorded-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let trait = CassetteTrait.cassette(
      file.deletingPathExtension().lastPathComponent, mode: .once,
      upstream: { StubSession(Stub(.any, .text("recorded"))) })
    try await scoped(trait) { _ = try await CassetteSession.current.send(get("/")) }
    #expect(try Cassette(contentsOf: file).exchanges.count == 1)
  }

  @Test func `stubbed twice, only the scope whose stub no request used reports it`() async throws {
    let (outer, inner) = (Stub(.get("/outer"), .text("outer")), Stub(.get("/inner"), .text("inner")))
    try await expectIssue(containing: "No request used the stub for method is GET and path is /outer") {
      try await scoped(StubbedTrait.stubbed(outer)) {
        try await scoped(StubbedTrait.stubbed(inner)) {
          let reply = try await StubSession.current.send(get("/inner"))
          #expect(reply.text == "inner")
        }
      }
    }
    try await scoped(StubbedTrait.stubbed(outer)) {
      try await scoped(StubbedTrait.stubbed(inner, allowsUnusedStubs: true)) {
        let reply = try await StubSession.current.send(get("/outer"))
        #expect(reply.text == "outer")
      }
    }
  }

  @Test func `cassette and throws, nothing else is reported and the file stays as it was`() async throws {
    struct Earlier: Error {}
    let file = Cassette.location(named: "thrown-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let trait = CassetteTrait.cassette(
      file.deletingPathExtension().lastPathComponent, mode: .once,
      upstream: { StubSession(Stub(.any, .text("recorded"))) })
    await #expect(throws: Earlier.self) {
      try await scoped(trait) {
        _ = try await CassetteSession.current.send(get("/"))
        throw Earlier()
      }
    }
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `cassette it is opened once for all cases of a test and for all tests of a suite`() throws {
    let trait = CassetteTrait.cassette("greeting")
    let test = try #require(Test.current)
    #expect(!trait.isRecursive)
    #expect(trait.scopeProvider(for: test, testCase: nil) != nil)
    #expect(trait.scopeProvider(for: test, testCase: Test.Case.current) == nil)
  }

  @Test(.noNetwork) func `noNetwork nothing is recorded`() async throws {
    let file = try TemporaryFile()
    let upstream = StubSession(Stub(.any, .text("from the network")))
    let session = try CassetteSession(
      file: file.url, mode: .all, upstream: upstream, unmatched: .throwOnly)
    let error = await #expect(throws: HTTPTestingError.self) { try await session.send(get("/")) }
    #expect(error?.code == .networkForbidden)
    #expect(upstream.journal.count == 0)
  }
}
