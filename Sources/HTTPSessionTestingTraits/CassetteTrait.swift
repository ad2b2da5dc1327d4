import Foundation
public import HTTPSessionTesting
public import HTTPTransport
public import Testing

/// Gives a test a ``HTTPSessionTesting/CassetteSession`` on a cassette beside the test's source.
///
/// ```swift
/// @Test(.cassette("users"))
/// func `users are listed`() async throws {
///   let client = Client(session: try CassetteSession.current)
/// ```
/// The file is `Cassettes/users.json` beside the source of the test. It is only replayed unless `mode` or the
/// environment variable `HTTP_TESTING_RECORD` (`once`, `newEpisodes`, `all`, `rewrite`) says otherwise and there
/// is an upstream; what was recorded is saved when the test ends, and given up when it throws.
///
/// A file is one session's, or each test would overwrite what another recorded: the cases of a test with arguments
/// share the session, and on a suite all its tests do.
public struct CassetteTrait: TestTrait, SuiteTrait, TestScoping {
  private let open: @Sendable () throws(HTTPTestingError) -> CassetteSession
  private let allowsUnplayedExchanges: Bool
  private let location: TraitLocation

  init(
    open: @escaping @Sendable () throws(HTTPTestingError) -> CassetteSession,
    allowsUnplayedExchanges: Bool,
    location: TraitLocation
  ) {
    self.open = open
    self.allowsUnplayedExchanges = allowsUnplayedExchanges
    self.location = location
  }

  /// On a suite, the trait is the suite's: its tests share the session.
  public var isRecursive: Bool { false }

  /// One scope around a test with all its cases, or around a suite.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> CassetteTrait? {
    testCase == nil ? self : nil
  }

  /// Runs `function` with a session on the cassette as `CassetteSession.current`, then saves what was recorded.
  @concurrent public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let session = try open()
    do {
      try await TestScope.$cassetteSession.withValue(session) { try await function() }
    } catch {
      session.discardRecordings()
      throw error
    }
    try session.finish()
    guard !allowsUnplayedExchanges, session.failures.isEmpty, session.mode == .none else { return }
    for exchange in session.unplayedExchanges {
      Issue.record(
        "No request asked for \(exchange.request) of the cassette.",
        sourceLocation: location.sourceLocation)
    }
  }
}

extension Trait where Self == CassetteTrait {
  /// Gives a test a session on the cassette of that name, `CassetteSession.current`.
  ///
  /// - Parameters:
  ///   - name: The file's name without its ending, in the folder `Cassettes` beside the test's source.
  ///   - mode: Whether and what to record; `nil` for what the environment says, or else `none`.
  ///   - upstream: Makes what is asked and recorded.
  ///   - allowsUnplayedExchanges: Whether exchanges that no request asked for are fine.
  public static func cassette(
    _ name: String, mode: CassetteSession.Mode? = nil, redaction: Redaction = .default,
    matching: CassetteMatching = .default, repeats: CassetteSession.Repeats = .never,
    allowsUnplayedExchanges: Bool = false, upstream: (@Sendable () -> any HTTPSession)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> CassetteTrait {
    let open: @Sendable () throws(HTTPTestingError) -> CassetteSession = {
      () throws(HTTPTestingError) in
      let environment = ProcessInfo.processInfo.environment["HTTP_TESTING_RECORD"]
      return try CassetteSession(
        file: Cassette.location(named: name, filePath: "\(filePath)"),
        mode: mode ?? environment.flatMap { CassetteSession.Mode(rawValue: $0) } ?? .none,
        upstream: upstream?(), redaction: redaction, matching: matching, repeats: repeats,
        fileID: fileID,
        filePath: filePath, line: line, column: column)
    }
    return CassetteTrait(
      open: open, allowsUnplayedExchanges: allowsUnplayedExchanges,
      location: TraitLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

extension CassetteSession {
  /// The session of the running test's trait `.cassette`.
  ///
  /// - Throws: ``HTTPSessionTesting/HTTPTestingError`` of code `cassetteMissing` in a test without it.
  public static var current: CassetteSession {
    get throws(HTTPTestingError) {
      if let session = TestScope.cassetteSession { return session }
      throw HTTPTestingError(
        .cassetteMissing, "CassetteSession.current is there only under the trait .cassette.")
    }
  }
}
