/// The charts of a plan, by why they are due.
package struct ChartPlan {
  /// Charts of the last so many days may have been corrected, and come before older ones that are missing.
  package static let trailingDayCount = 14

  private var due: [SyncPlan.Reason: [(period: BoxOfficePeriod, id: ResourceID)]] = [:]
  package private(set) var skippedCount = 0
  package private(set) var setAsideCount = 0
  /// Those that are due and that the upstream did not manage to answer the last time.
  package private(set) var suspects: Set<ResourceID> = []

  private let source: any MovieSource
  private let lifetimes: LifetimePolicy
  private let lastDay: CalendarDay
  private let now: Timestamp

  /// Makes an empty plan.
  package init(source: any MovieSource, lifetimes: LifetimePolicy, now: Timestamp) {
    self.source = source
    self.lifetimes = lifetimes
    self.now = now
    lastDay = source.availableDays(at: now).upperBound
  }

  /// How many charts are due, for whatever reason.
  package var dueCount: Int { due.values.reduce(0) { $0 + $1.count } }

  /// What is due for a reason, the latest day first.
  package func due(_ reason: SyncPlan.Reason) -> [ResourceID] {
    (due[reason] ?? [])
      .sorted { one, other in
        // Of charts that end on the same day the daily one comes first, and the whole before its parts.
        let (last, otherLast) = (one.period.through, other.period.through)
        return last == otherLast ? one.id.sortKey < other.id.sortKey : last > otherLast
      }
      .map(\.id)
  }

  /// Adds the charts of some periods, all of one kind, the latest first.
  package mutating func add(
    _ periods: [BoxOfficePeriod], filter: BoxOfficeFilter, records: [ResourceID: EntryRecord]
  ) {
    func id(_ period: BoxOfficePeriod) -> ResourceID {
      ResourceID(upstream: source.upstream, subject: .boxOffice(period, filter))
    }
    let ids = periods.map(id)
    let oldestStored = ids.lastIndex { records[$0]?.fetchedAt != nil }
    for (index, id) in ids.enumerated() {
      let period = periods[index]
      let record = records[id]
      if let record, isSettled(record, id: id) {
        skippedCount += 1
      } else if let until = record?.lastFailure?.setAsideUntil, now < until {
        setAsideCount += 1
      } else {
        let isOlder = oldestStored.map { index > $0 } ?? true
        if record?.lastFailure?.isOutage == true { suspects.insert(id) }
        due[reason(for: period, record, isOlder: isOlder), default: []].append((period, id))
      }
    }
  }

  private func reason(
    for period: BoxOfficePeriod, _ record: EntryRecord?, isOlder: Bool
  ) -> SyncPlan.Reason {
    let age = period.through.days(until: lastDay)
    if age < period.kind.stepInDays { return .newest }
    if age < Self.trailingDayCount { return .correction }
    // A chart without rows, or of another host, a sample among them, is as good as none.
    guard let record, let fetchedAt = record.fetchedAt, !record.isEmpty,
      record.provenance == source.provenance
    else { return isOlder ? .backfill : .gap }
    let wasMoving =
      period.through.days(until: CalendarDay(inKoreaAt: fetchedAt)) <= LifetimePolicy.recentDayCountMax
    return wasMoving ? .correction : .aging
  }

  private func isSettled(_ record: EntryRecord, id: ResourceID) -> Bool {
    guard let fetchedAt = record.fetchedAt, let provenance = record.provenance else { return false }
    // A recorded sample has nothing to add where live data is.
    if source.provenance == .recorded && provenance != .recorded { return true }
    var lifetime = lifetimes.lifetime(of: id.subject, isEmpty: record.isEmpty, fetchedAt: fetchedAt)
    // To a timer that comes as often as an answer lives it would be a moment too young, and left for the next time.
    lifetime.fresh = lifetime.fresh * 19 / 20
    return Freshness.decide(record, lifetime: lifetime, source: source.provenance, now: now) == .fresh
  }
}

extension BoxOfficePeriod {
  /// The charts of `kind` that a range of days covers: those whose last day lies in it, latest first.
  ///
  /// A week that is not over yet has no settled chart; it comes with the sync of the day that ends it.
  package static func all(_ kind: Kind, in days: ClosedRange<CalendarDay>) -> [BoxOfficePeriod] {
    var periods: [BoxOfficePeriod] = []
    var period = BoxOfficePeriod(kind, containing: days.upperBound)
    if period.through > days.upperBound {
      period = BoxOfficePeriod(kind, containing: period.day.advanced(by: -kind.stepInDays))
    }
    while period.through >= days.lowerBound {
      periods.append(period)
      let before = BoxOfficePeriod(kind, containing: period.day.advanced(by: -kind.stepInDays))
      guard before < period else { break }
      period = before
    }
    return periods
  }
}

extension BoxOfficePeriod.Kind {
  /// How many days lie between two charts.
  var stepInDays: Int { self == .daily ? 1 : 7 }

  /// The kind's place among charts that end on the same day.
  fileprivate var order: Int {
    switch self {
    case .daily: 0
    case .weekend: 1
    case .weekly: 2
    case .weekdays: 3
    }
  }
}

extension ResourceID {
  /// The place of a chart among those that end on the same day.
  fileprivate var sortKey: String {
    guard case .boxOffice(let period, let filter) = subject else { return "" }
    return "\(filter)/\(period.kind.order)"
  }
}
