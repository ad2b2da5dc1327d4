/// How long a sync leaves a resource alone whose answer was of no use.
///
/// Such an answer (a fault, a body that cannot be read or be true, a status of the resource's own) is the upstream's
/// considered word, and asking again on every run would spend a call on it each time. A resource that cannot be had by
/// any number of retries, run after run, while others can, is no better. The time grows with each failure in a row.
/// Readers ask all the same: they want the resource now.
public struct SetAsidePolicy: Hashable, Sendable {
  /// How long the first time.
  public var delay: Duration
  /// By how much the time grows with each time that follows.
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
  /// What the upstream's being down leaves behind does not add to the time: it grows by the times before alone.
  ///
  /// - Parameters:
  ///   - failure: The last failure.
  ///   - previous: How the attempt before it failed, in an earlier sync or for a reader; `nil` if it did not.
  ///   - othersWereOfUse: Whether the same sync has had answers to other resources that were of use; or, of a resource
  ///     that the upstream did not manage to answer, whether others have come since the attempt before, or shortly
  ///     before it. Where there are none, the upstream may be at fault (a maintenance page in place of everything),
  ///     and nothing is set aside at its first failure.
  public func delay(
    after failure: CatalogFailure, previous: CatalogFailure?, othersWereOfUse: Bool
  ) -> Duration? {
    if failure.isOfTheResource {
      guard othersWereOfUse || previous?.isOfTheResource == true else { return nil }
    } else {
      guard failure.isOutage, othersWereOfUse, let previous, previous.isOutage || previous.isOfTheResource
      else { return nil }
    }
    let delay = min(self.delay, delayMax)
    guard let at = previous?.at, let until = previous?.setAsideUntil, until > at else { return delay }
    // Compared before it is multiplied: a configured factor might overflow.
    let last = until.duration(since: at)
    return last >= delayMax / factor ? delayMax : max(delay, last * factor)
  }
}
