public import HTTPTransport
public import HTTPTypes

/// A mock: a session that is told beforehand what it must be asked, and checks that at the end.
///
/// ```swift
/// try await MockSession.expecting(
///   Expectation(.post("/users"), .once, answers: .status(.created)),
///   Expectation(.delete("/users/1"), .never)
/// ) { session in
///   try await Client(session: session).register(user)
/// }
/// ```
/// A request that was not expected fails the test at once. Use a mock when the calls are the behaviour (an
/// order that must be kept, a call that must not be made); a ``StubSession`` when only the answers matter.
public final class MockSession: HTTPSession, OrderedSession {
  /// What was asked, in order, with bodies.
  public let journal = RequestJournal()

  private let expectations: [Expectation]
  private let isOrdered: Bool
  private let clock: any Clock<Duration>
  private let reporter: IssueSink
  private let counts: LockedValue<[Int]>

  /// Makes a mock; call ``verify()`` at the end.
  ///
  /// - Parameters:
  ///   - expectations: What it must be asked; of several that a request meets, the first not yet exhausted.
  ///   - isOrdered: Whether the requests must come in the order of the expectations.
  ///   - clock: What delays and throttled bodies are measured on.
  public init(
    _ expectations: [Expectation], isOrdered: Bool = false,
    clock: any Clock<Duration> = ContinuousClock(),
    unmatched: UnmatchedPolicy = .fail, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.expectations = expectations
    self.isOrdered = isOrdered
    self.clock = clock
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    reporter = IssueSink(location: location, policy: unmatched)
    counts = LockedValue(Array(repeating: 0, count: expectations.count))
  }

  /// Runs `operation` with a mock and verifies it at the end; an error of `operation` goes before.
  public static func expecting<Value>(
    _ expectations: Expectation..., isOrdered: Bool = false, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ operation: (MockSession) async throws -> Value
  ) async throws -> Value {
    let session = MockSession(
      expectations, isOrdered: isOrdered, fileID: fileID, filePath: filePath, line: line,
      column: column)
    let value = try await operation(session)
    try session.verify()
    return value
  }

  /// Answers an expected request.
  ///
  /// - Throws: ``HTTPTestingError`` if it was not expected, or what the answer says.
  public func send(
    _ request: HTTPRequest, body: [UInt8], limits: TransportLimits
  ) async throws -> HTTPReply {
    try await begin(SentRequest(request, body: body, limits: limits))()
  }

  func begin(_ request: SentRequest) -> PendingReply {
    journal.record(request)
    let (reporter, clock) = (reporter, clock)
    guard let answer = claim(request) else {
      let error = HTTPTestingError(
        .unmatchedRequest, "\(request) was not expected\(isOrdered ? " now" : ""). \(progress)")
      return {
        await reporter.reportAndWait(error)
        throw error
      }
    }
    return { try await answer.perform(for: request, clock: clock) }
  }

  /// Checks that everything expected was asked, and nothing else.
  ///
  /// - Throws: ``HTTPTestingError`` naming the first expectation that was not met.
  public func verify() throws(HTTPTestingError) {
    if let failure = reporter.failures.first { throw failure }
    let counts = counts.withLock { $0 }
    for (expectation, count) in zip(expectations, counts)
    where !expectation.count.range.contains(count) {
      throw HTTPTestingError(.unmetExpectation, "Expected \(expectation), but there were \(count).")
    }
  }

  private func claim(_ request: SentRequest) -> Answer? {
    // Without the lock: a rule may be a closure of the user's.
    let isMet = expectations.map { $0.matcher.evaluate(request).isMatch }
    return counts.withLock { counts in
      for (index, expectation) in expectations.enumerated() {
        if isMet[index] {
          // What is never to be asked stays so, whatever a later expectation would accept.
          if expectation.count == .never { return nil }
          if counts[index] < expectation.count.range.upperBound {
            defer { counts[index] += 1 }
            return expectation.answers[min(counts[index], expectation.answers.count - 1)]
          }
        }
        // In order, nothing may be asked before what stands first has been asked often enough.
        if isOrdered && counts[index] < expectation.count.range.lowerBound { return nil }
      }
      return nil
    }
  }

  private var progress: String {
    let counts = counts.withLock { $0 }
    let lines = zip(expectations, counts).map { "\($0) (so far \($1))" }
    return lines.isEmpty
      ? "Nothing is expected." : "Expected are: \(lines.joined(separator: "; "))."
  }
}
