/// What is due and in which order: a pure function of the request, the records in the store and the time.
///
/// The newest comes first, so that a sync that stops at a budget has fetched what people look at; what is fixed comes
/// last. Within a step the latest day comes first.
public struct SyncPlan: Hashable, Sendable {
  /// Why something is due; the steps of a plan come in this order.
  public enum Reason: String, CaseIterable, Hashable, Sendable {
    /// The latest chart of its kind: yesterday's.
    case newest
    /// A recent chart, whose figures may have been corrected since, or were still moving when it was fetched.
    case correction
    /// Details of a movie that a chart named.
    case details
    /// A list of codes.
    case codes
    /// A chart that is missing between two that are stored.
    case gap
    /// A chart older than the oldest that is stored.
    case backfill
    /// A page of a long list.
    case list
    /// A chart that was settled when it was fetched, and is looked at again after long.
    case aging
  }

  /// Resources that are due for the same reason, in the order in which they are fetched.
  public struct Step: Hashable, Sendable {
    /// Why they are due.
    public var reason: Reason
    /// What to fetch.
    public var due: [ResourceID]

    /// Makes a step.
    public init(_ reason: Reason, due: [ResourceID]) {
      self.reason = reason
      self.due = due
    }
  }

  /// The steps, in order; none is empty.
  public var steps: [Step]

  /// What to fetch, in order.
  public var due: [ResourceID] { steps.flatMap(\.due) }

  /// How many charts of the request are fresh and left alone.
  public var skippedCount: Int

  /// How many resources are due and left alone all the same, because their answer was of no use of late
  /// (``CatalogFailure/setAsideUntil``).
  public var setAsideCount: Int

  /// Makes a plan.
  public init(steps: [Step] = [], skippedCount: Int = 0, setAsideCount: Int = 0) {
    self.steps = steps.filter { !$0.due.isEmpty }
    self.skippedCount = skippedCount
    self.setAsideCount = setAsideCount
  }

  /// What is due for a reason.
  public func due(_ reason: Reason) -> [ResourceID] { steps.first { $0.reason == reason }?.due ?? [] }

  /// Adds a step, if there is anything in it.
  mutating func append(_ reason: Reason, _ due: [ResourceID]) {
    if !due.isEmpty { steps.append(Step(reason, due: due)) }
  }

  /// Adds a step, and counts what is left alone of it.
  mutating func append(_ reason: Reason, _ outlook: SyncPlanning.Outlook) {
    append(reason, outlook.due)
    setAsideCount += outlook.setAside.count
  }
}
