/// What a request that nothing answers does, besides throwing an ``HTTPTestingError``.
public enum UnmatchedPolicy: Hashable, Sendable {
  /// It fails the running test, Swift Testing or XCTest, even if the code under test swallows the error.
  case fail
  /// Nothing: for tests of how code takes such an error.
  case throwOnly
}
