public import HTTPTransport
public import HTTPTypes

/// A dummy: a session for a parameter that the test never uses, or must not use.
///
/// Being asked fails the test and throws an ``HTTPTestingError`` of code `unexpectedUse`; it never answers and
/// never goes to a network.
public final class DummySession: HTTPSession, OrderedSession {
  /// What was asked although nothing should have been.
  public let journal = RequestJournal()

  private let code: HTTPTestingError.Code
  private let reason: String
  private let reporter: IssueSink

  /// Makes a dummy.
  ///
  /// - Parameter policy: What being asked does besides throwing.
  public convenience init(
    policy: UnmatchedPolicy = .fail, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      code: .unexpectedUse,
      reason: "A dummy session was asked. Give the code a StubSession if it may ask.",
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column),
      policy: policy)
  }

  init(
    code: HTTPTestingError.Code, reason: String, location: IssueLocation, policy: UnmatchedPolicy
  ) {
    self.code = code
    self.reason = reason
    reporter = IssueSink(location: location, policy: policy)
  }

  /// Fails the test and throws.
  public func send(
    _ request: HTTPRequest, body: [UInt8], limits: TransportLimits
  ) async throws -> HTTPReply {
    try await begin(SentRequest(request, body: body, limits: limits))()
  }

  func begin(_ request: SentRequest) -> PendingReply {
    journal.record(request)
    let error = HTTPTestingError(code, "\(request): \(reason)")
    let reporter = reporter
    return {
      await reporter.reportAndWait(error)
      throw error
    }
  }

  /// Throws if it was asked.
  ///
  /// - Throws: ``HTTPTestingError``.
  public func verify() throws(HTTPTestingError) {
    if let request = journal.last { throw HTTPTestingError(code, "\(request): \(reason)") }
  }
}
