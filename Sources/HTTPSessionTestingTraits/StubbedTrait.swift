public import HTTPSessionTesting
public import Testing

/// Gives each test a ``HTTPSessionTesting/StubSession`` of its own and reports, when the test ends, stubs that no
/// request used.
///
/// ```swift
/// @Test(.stubbed(Stub(.get("/users/1"), .json(["name": "Ada"]))))
/// func `a user is shown by name`() async throws {
///   let client = Client(session: StubSession.current)
/// ```
/// On a suite and on a test of it, both count: the test's stubs are tried first, then the suite's, in one session.
///
/// A test that throws is not also failed for unused stubs: what went wrong first is what to look at.
public struct StubbedTrait: TestTrait, SuiteTrait, TestScoping {
  private let stubs: [Stub]
  private let allowsUnusedStubs: Bool
  private let location: TraitLocation

  init(stubs: [Stub], allowsUnusedStubs: Bool, location: TraitLocation) {
    self.stubs = stubs
    self.allowsUnusedStubs = allowsUnusedStubs
    self.location = location
  }

  /// On a suite, the trait is each test's own.
  public var isRecursive: Bool { true }

  /// Runs `function` with a session of the test's own as `StubSession.current`.
  @concurrent public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let session =
      TestScope.stubSession
      ?? StubSession(
        stubs: [], fileID: location.fileID, filePath: location.filePath, line: location.line,
        column: location.column)
    let positions = session.addInFront(stubs)
    try await TestScope.$stubSession.withValue(session) { try await function() }
    guard !allowsUnusedStubs, session.failures.isEmpty else { return }
    for stub in session.unusedStubs(at: positions) {
      Issue.record("No request used the stub for \(stub).", sourceLocation: location.sourceLocation)
    }
  }
}

extension Trait where Self == StubbedTrait {
  /// Gives each test a stub session of its own, `StubSession.current`, with these rules.
  ///
  /// - Parameter allowsUnusedStubs: Whether stubs that no request used are fine.
  public static func stubbed(
    _ stubs: Stub..., allowsUnusedStubs: Bool = false, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> StubbedTrait {
    StubbedTrait(
      stubs: stubs, allowsUnusedStubs: allowsUnusedStubs,
      location: TraitLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

extension StubSession {
  /// The session of the running test's trait `.stubbed`; in a test without it, a session without stubs, and the
  /// test fails.
  public static var current: StubSession {
    if let session = TestScope.stubSession { return session }
    Issue.record("StubSession.current is there only under the trait .stubbed.")
    return StubSession()
  }
}

/// Where in the source a trait stands.
struct TraitLocation: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  var sourceLocation: SourceLocation {
    SourceLocation(
      fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
  }
}

/// What the traits give to the test that runs.
enum TestScope {
  @TaskLocal static var stubSession: StubSession?
  @TaskLocal static var cassetteSession: CassetteSession?
}
