import HTTPTransport

/// Whether a sync has had an answer that was of use; shared by its calls under way.
package final class AnswerTally: Sendable {
  private let hasUsefulAnswers = LockedValue(false)

  /// Makes a tally of a sync that has had none.
  package init() {}

  /// Whether there was one.
  package var hasUsefulAnswer: Bool { hasUsefulAnswers.withLock { $0 } }

  /// Counts an answer that was of use.
  package func count() { hasUsefulAnswers.withLock { $0 = true } }
}
