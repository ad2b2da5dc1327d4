import HTTPTransport
import IssueReporting

/// Takes a double's failures to the running test and keeps them for `verify()`.
///
/// The idea: Swift Testing knows the running test by a task-local value, so an issue reported from a detached
/// task or from a queue of URLSession is lost without a word. The sink is made in the test; the task it starts
/// there, the carrier, inherits the test and reports what other threads hand it.
final class IssueSink: Sendable {
  /// The most failures that are kept, and that wait for the carrier; later ones are reported or dropped.
  static let failureCountMax = 1_024

  private struct Delivery: Sendable {
    let error: HTTPTestingError
    let delivered: CheckedContinuation<Void, Never>?
  }

  private let location: IssueLocation
  private let policy: UnmatchedPolicy
  private let carrier: AsyncStream<Delivery>.Continuation?
  private let state = LockedValue<[HTTPTestingError]>([])

  init(location: IssueLocation, policy: UnmatchedPolicy) {
    self.location = location
    self.policy = policy
    guard policy == .fail, Self.isInSwiftTest else {
      carrier = nil
      return
    }
    let (deliveries, continuation) = AsyncStream.makeStream(
      of: Delivery.self, bufferingPolicy: .bufferingOldest(Self.failureCountMax))
    carrier = continuation
    Task {
      for await delivery in deliveries {
        Self.reportHere(delivery.error, location)
        delivery.delivered?.resume()
      }
    }
  }

  deinit { carrier?.finish() }

  /// The failures so far.
  var failures: [HTTPTestingError] { state.withLock { $0 } }

  /// Reports at once if the caller runs in the test, otherwise as soon as the carrier runs.
  func report(_ error: HTTPTestingError) {
    keep(error)
    guard policy == .fail else { return }
    if let carrier, !Self.isInSwiftTest {
      carrier.yield(Delivery(error: error, delivered: nil))
    } else {
      Self.reportHere(error, location)
    }
  }

  /// Reports, and returns when the test knows: before code under test can swallow the error and end the test.
  func reportAndWait(_ error: HTTPTestingError) async {
    guard let carrier, !Self.isInSwiftTest else { return report(error) }
    keep(error)
    await withCheckedContinuation { continuation in
      switch carrier.yield(Delivery(error: error, delivered: continuation)) {
      case .enqueued: break
      case .dropped, .terminated: continuation.resume()
      @unknown default: continuation.resume()
      }
    }
  }

  private func keep(_ error: HTTPTestingError) {
    state.withLock { if $0.count < Self.failureCountMax { $0.append(error) } }
  }

  private static var isInSwiftTest: Bool { TestContext.current?.isSwiftTesting ?? false }

  private static func reportHere(_ error: HTTPTestingError, _ location: IssueLocation) {
    reportIssue(
      error.description, fileID: location.fileID, filePath: location.filePath, line: location.line,
      column: location.column)
  }
}
