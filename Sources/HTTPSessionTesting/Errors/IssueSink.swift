import IssueReporting
import Synchronization

/// What a request that nothing answers does, besides throwing an ``HTTPTestingError``.
public enum UnmatchedPolicy: Hashable, Sendable {
  /// It fails the running test, Swift Testing or XCTest, even if the code under test swallows the error.
  case fail
  /// Nothing: for tests of how code takes such an error.
  case throwOnly
}

/// Where in the source a double was made.
struct IssueLocation: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt
}

/// Takes a double's failures to the running test and keeps them for `verify()`.
final class IssueSink: Sendable {
  /// The most failures that are kept; later ones are reported, not kept.
  static let failureCountMax = 1_024

  private let location: IssueLocation
  private let policy: UnmatchedPolicy
  private let state = Mutex<[HTTPTestingError]>([])

  init(location: IssueLocation, policy: UnmatchedPolicy) {
    self.location = location
    self.policy = policy
  }

  var failures: [HTTPTestingError] { state.withLock { $0 } }

  func report(_ error: HTTPTestingError) {
    state.withLock { if $0.count < Self.failureCountMax { $0.append(error) } }
    guard policy == .fail else { return }
    reportIssue(
      error.description, fileID: location.fileID, filePath: location.filePath, line: location.line,
      column: location.column)
  }
}
