public import HTTPTransport
public import HTTPTypes

/// A stub: a session that answers from rules, without a network.
///
/// ```swift
/// let session = StubSession(
///   Stub(.get("/users/1"), .json(["name": "Ada"])),
///   Stub(.post("/users"), .status(.serviceUnavailable), .status(.created)))
/// ```
/// The first stub that matches and is not used up answers. A request that none answers throws an
/// ``HTTPTestingError`` naming the nearest stub and why it did not match, and **fails the test** even if the
/// code under test swallows that error. What was asked stands in ``journal``.
///
/// Like a real transport, it honours cancellation and the caller's `TransportLimits`: an answer later than
/// the deadline is a `timeout`, a larger body `tooLarge`.
public final class StubSession: HTTPSession, OrderedSession {
  /// What was asked, in order, with bodies; requests that matched nothing included.
  public let journal: RequestJournal

  private let clock: any Clock<Duration>
  private let reporter: IssueSink
  private let state: LockedValue<StubTable>

  /// Makes a session from rules.
  ///
  /// - Parameters:
  ///   - stubs: The rules, tried in this order.
  ///   - clock: What delays and throttled bodies are measured on.
  ///   - unmatched: What a request that no stub answers does besides throwing.
  public convenience init(
    _ stubs: Stub..., clock: any Clock<Duration> = ContinuousClock(),
    unmatched: UnmatchedPolicy = .fail,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      stubs: stubs, clock: clock, unmatched: unmatched, fileID: fileID, filePath: filePath,
      line: line,
      column: column)
  }

  /// Makes a session from rules that were computed.
  public init(
    stubs: [Stub], clock: any Clock<Duration> = ContinuousClock(),
    unmatched: UnmatchedPolicy = .fail,
    journal: RequestJournal = RequestJournal(), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.journal = journal
    self.clock = clock
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    reporter = IssueSink(location: location, policy: unmatched)
    state = LockedValue(StubTable())
    for stub in stubs { add(stub) }
  }

  /// Adds a rule behind the others.
  public func add(_ stub: Stub) {
    if let problem = stub.problem { reporter.report(problem) }
    state.withLock { $0.add(stub) }
  }

  /// Adds a rule behind the others.
  public func stub(_ matcher: RequestMatcher, _ answers: Answer...) {
    add(Stub(matcher, inOrder: answers))
  }

  /// Adds rules that are tried before all others, for a scope within another, and says where they stand.
  package func addInFront(_ stubs: [Stub]) -> Range<Int> {
    for stub in stubs { if let problem = stub.problem { reporter.report(problem) } }
    return state.withLock { $0.addInFront(stubs) }
  }

  /// Those stubs at `positions` that never answered.
  package func unusedStubs(at positions: Range<Int>) -> [Stub] {
    state.withLock { $0.unusedStubs(at: positions) }
  }

  /// The stubs that could still answer but never did.
  public var unusedStubs: [Stub] { state.withLock { $0.unusedStubs } }

  /// The requests that no stub answered.
  public var unmatchedRequests: [SentRequest] { state.withLock { $0.unmatchedRequests } }

  /// The kit's own failures so far: requests without a stub, contradictory stubs.
  public var failures: [HTTPTestingError] { reporter.failures }

  /// Answers from the rules.
  ///
  /// - Throws: What the stub's answer says, a `TransportError` for a passed limit or a cancelled task, or an
  ///   ``HTTPTestingError`` if no stub answers.
  public func send(
    _ request: HTTPRequest, body: [UInt8], limits: TransportLimits
  ) async throws -> HTTPReply {
    try await begin(SentRequest(request, body: body, limits: limits))()
  }

  /// Reports every stub that was never used, unless something failed already: then that is what to look at.
  public func reportUnusedStubs() {
    guard reporter.failures.isEmpty else { return }
    for stub in unusedStubs {
      reporter.report(
        HTTPTestingError(
          .unusedStub,
          "No request used the stub for \(stub). Remove it, or find out why nothing asked."))
    }
  }

  /// Throws the first failure of the kit's own, or the first unused stub; for XCTest and for scope ends.
  ///
  /// - Parameter allowsUnusedStubs: Whether stubs that no request used are fine.
  /// - Throws: ``HTTPTestingError``.
  public func verify(allowsUnusedStubs: Bool = false) throws(HTTPTestingError) {
    if let failure = reporter.failures.first { throw failure }
    guard !allowsUnusedStubs, let stub = unusedStubs.first else { return }
    throw HTTPTestingError(
      .unusedStub, "No request used the stub for \(stub). Remove it, or find out why nothing asked."
    )
  }
}

extension StubSession {
  func begin(_ request: SentRequest) -> PendingReply {
    journal.record(request)
    let (reporter, clock) = (reporter, clock)
    let results = state.withLock { $0.stubs }.map { $0.matcher.evaluate(request) }
    switch state.withLock({ $0.claim(request, results) }) {
    case .answer(let answer): return { try await answer.perform(for: request, clock: clock) }
    case .failure(let error):
      return {
        await reporter.reportAndWait(error)
        throw error
      }
    }
  }
}
