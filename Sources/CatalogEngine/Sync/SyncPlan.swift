/// What is due and in which order: a pure function of the request, the records in the store and the time.
public struct SyncPlan: Hashable, Sendable {
  /// What to fetch, in order.
  public var due: [ResourceID]

  /// How many resources of the request are fresh and left alone.
  public var skippedCount: Int

  /// Makes a plan.
  public init(due: [ResourceID] = [], skippedCount: Int = 0) {
    self.due = due
    self.skippedCount = skippedCount
  }

  /// The charts of `kind` that a range of days covers: those whose last day lies in it, latest first.
  ///
  /// A week that is not over yet has no settled chart; it comes with the sync of the day that ends it.
  package static func periods(
    of kind: BoxOfficePeriod.Kind, in days: ClosedRange<CalendarDay>
  ) -> [BoxOfficePeriod] {
    let stepInDays = kind == .daily ? 1 : 7
    var periods: [BoxOfficePeriod] = []
    var period = BoxOfficePeriod(kind, containing: days.upperBound)
    if period.through > days.upperBound {
      period = BoxOfficePeriod(kind, containing: period.day.advanced(by: -stepInDays))
    }
    while period.through >= days.lowerBound {
      periods.append(period)
      let before = BoxOfficePeriod(kind, containing: period.day.advanced(by: -stepInDays))
      guard before < period else { break }
      period = before
    }
    return periods
  }

  /// Plans the charts of some periods: those that are missing or no longer fresh are due.
  package static func charts(
    _ periods: [BoxOfficePeriod], records: [ResourceID: EntryRecord], source: any MovieSource,
    lifetimes: LifetimePolicy, now: Timestamp
  ) -> SyncPlan {
    var plan = SyncPlan()
    for period in periods {
      let id = ResourceID(upstream: source.upstream, subject: .boxOffice(period))
      if let record = records[id], isSettled(record, id: id, source: source, lifetimes: lifetimes, now: now) {
        plan.skippedCount += 1
      } else {
        plan.due.append(id)
      }
    }
    return plan
  }

  private static func isSettled(
    _ record: EntryRecord, id: ResourceID, source: any MovieSource, lifetimes: LifetimePolicy, now: Timestamp
  ) -> Bool {
    guard let fetchedAt = record.fetchedAt, let provenance = record.provenance else { return false }
    // A recorded sample has nothing to add where live data is.
    if source.provenance == .recorded && provenance != .recorded { return true }
    let lifetime = lifetimes.lifetime(of: id.subject, isEmpty: record.isEmpty, fetchedAt: fetchedAt)
    return Freshness.decide(record, lifetime: lifetime, source: source.provenance, now: now) == .fresh
  }
}
