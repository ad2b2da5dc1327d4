import HTTPTransport

/// The calls that a sync may still make; shared by its calls under way, whose retries it counts too.
package final class CallBudget: Sendable {
  private let left: LockedValue<Int?>

  /// Makes a budget; `nil` for one without end.
  package init(_ count: Int?) { left = LockedValue(count) }

  /// How many calls are left; `nil` for no end.
  package var leftCount: Int? { left.withLock { $0 } }

  /// Takes one call out; false if there is none.
  package func take() -> Bool {
    left.withLock { left in
      guard let count = left else { return true }
      guard count > 0 else { return false }
      left = count - 1
      return true
    }
  }

  /// Puts back one call that was not made.
  package func giveBack() {
    left.withLock { $0 = $0.map { $0 + 1 } }
  }
}
