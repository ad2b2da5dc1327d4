/// How long a sync leaves a resource alone whose answer was of no use.
///
/// Such an answer (a fault, a body that cannot be read or be true, a status of the resource's own) is the upstream's
/// considered word, and asking again on every run would spend a call on it each time. The time grows with each failure
/// in a row. Readers ask all the same: they want the resource now.
public struct SetAsidePolicy: Hashable, Sendable {
  /// How long after the first failure.
  public var delay: Duration
  /// By how much the time grows with each failure that follows.
  public var factor: Int
  /// The longest time.
  public var delayMax: Duration

  /// Makes a policy.
  ///
  /// - Precondition: Times are not negative, the factor is at least 1.
  public init(
    delay: Duration = .seconds(6 * 3600), factor: Int = 4, delayMax: Duration = .seconds(30 * 86_400)
  ) {
    precondition(delay >= .zero && delayMax >= .zero && factor >= 1, "a resource is set aside for a time")
    self.delay = delay
    self.factor = factor
    self.delayMax = delayMax
  }

  /// How long a resource is left alone; `nil` if the failure says nothing of the resource.
  ///
  /// - Parameters:
  ///   - failure: The last failure.
  ///   - failureCount: How many attempts in a row have failed, the last one included.
  ///   - othersWereOfUse: Whether the same sync has had answers to other resources that were of use. Where it had none,
  ///     the upstream may be at fault (a maintenance page in place of everything), and nothing is set aside at its
  ///     first failure.
  public func delay(
    after failure: CatalogFailure, failureCount: Int, othersWereOfUse: Bool
  ) -> Duration? {
    guard failure.isOfTheResource, othersWereOfUse || failureCount > 1 else { return nil }
    var delay = min(self.delay, delayMax)
    // Multiplied step by step: a power of a configured factor might overflow.
    for _ in 1..<max(failureCount, 1) where delay < delayMax { delay = min(delay * factor, delayMax) }
    return delay
  }
}
