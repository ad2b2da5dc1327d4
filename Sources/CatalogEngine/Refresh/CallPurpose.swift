/// What an answer is wanted for: what a call may cost depends on it.
package enum CallPurpose: Sendable {
  /// A reader, who may use all of the day's calls.
  case read
  /// A sync, which may not touch the reserve.
  case sync(SyncContext)

  /// The sync that a call is part of.
  package struct SyncContext: Sendable {
    /// The run that counts its outcome.
    package var run: SyncRunID
    /// The sync's own lease.
    package var lease: Lease
    /// When it was decided what is due; what was fetched since need not be fetched again.
    package var plannedAt: Timestamp
    /// The calls it may still make; the first call of a refresh is taken out of it already.
    package var budget: CallBudget
    /// Whether any of its answers was of use.
    package var answers: AnswerTally
  }

  var context: SyncContext? {
    guard case .sync(let context) = self else { return nil }
    return context
  }

  var run: SyncRunID? { context?.run }
}
