import HTTPSessionTesting
public import Testing

/// Forbids the doubles of this kit to go on to a real session while the test runs: cassettes do not record, whatever
/// their mode.
///
/// It cannot stop code that makes a session of its own; hand such code
/// `URLSession(configuration: .noNetwork())` or a ``HTTPSessionTesting/DummySession``.
public struct NoNetworkTrait: TestTrait, SuiteTrait, TestScoping {
  /// On a suite, the trait is each test's own.
  public var isRecursive: Bool { true }

  /// Runs `function` with recording forbidden.
  @concurrent public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await NetworkAccess.$isForbidden.withValue(true) { try await function() }
  }
}

extension Trait where Self == NoNetworkTrait {
  /// Forbids the doubles of this kit to go on to a real session while the test runs.
  public static var noNetwork: NoNetworkTrait { NoNetworkTrait() }
}
