/// Looks up in the store what the decisions of a sync's plan need.
///
/// The days are those that the upstream has when the planning begins: a sync that runs past midnight stays with the days
/// that it set out for.
struct SyncPlanning: Sendable {
  private let request: SyncRequest
  private let store: any MovieStore
  private let source: any MovieSource
  private let lifetimes: LifetimePolicy
  private let clock: any CatalogClock
  /// The days to cover; `nil` if the upstream has none of those asked for.
  private let days: ClosedRange<CalendarDay>?
  private let plannedAt: Timestamp

  /// What a step would fetch, and what it leaves alone although it is due.
  struct Outlook {
    /// What to fetch, in order.
    var due: [ResourceID] = []
    /// What was set aside (``CatalogFailure/setAsideUntil``).
    var setAside: [ResourceID] = []
    /// Those of the due that the upstream did not manage to answer the last time.
    var suspects: Set<ResourceID> = []
  }

  init(_ request: SyncRequest, _ catalog: MovieCatalog) {
    self.request = request
    store = catalog.store
    source = catalog.source
    lifetimes = catalog.lifetimes
    clock = catalog.clock
    plannedAt = catalog.clock.wallTime
    let available = source.availableDays(at: plannedAt)
    let asked = request.days ?? available
    days = asked.overlaps(available) ? asked.clamped(to: available) : nil
  }

  /// The charts that are due.
  func charts() async throws(StoreError) -> ChartPlan {
    var plan = ChartPlan(source: source, lifetimes: lifetimes, now: plannedAt)
    guard let days else { return plan }
    for stream in request.streams {
      guard let (kind, filter) = stream.chart else { continue }
      let periods = BoxOfficePeriod.all(kind, in: days)
      guard let first = periods.last, let last = periods.first,
        source.canAnswer(.boxOffice(last, filter))
      else { continue }
      let prefix = ResourceID.Subject.keyPrefix(of: filter)
      let records = try await store.records(
        of: .boxOffice(kind), upstream: source.upstream,
        keys: (prefix + first.day.basicFormat)...(prefix + last.day.basicFormat))
      plan.add(periods, filter: filter, records: records)
    }
    return plan
  }

  /// The details that are missing of movies in stored charts, as many as are known now.
  func details() async throws(StoreError) -> Outlook {
    guard request.streams.contains(.details), let days else { return Outlook() }
    let missing = try await store.moviesWithoutDetails(
      in: days, upstream: source.upstream, from: source.provenance == .recorded ? nil : source.provenance,
      at: clock.wallTime)
    return Outlook(
      due: missing.due.map { id(.movieDetails($0)) }, setAside: missing.setAside.map { id(.movieDetails($0)) }
    )
  }

  /// The lists of codes that are missing or no longer fresh.
  func codes() async throws(StoreError) -> Outlook {
    var outlook = Outlook()
    guard request.streams.contains(.codes) else { return outlook }
    for list in CodeList.allCases where source.canAnswer(.codes(list)) {
      let id = id(.codes(list))
      let record = try await store.record(for: id)
      let freshness = record.flatMap {
        Freshness.decide($0, lifetime: lifetimes.codes, source: source.provenance, now: plannedAt)
      }
      if freshness != .fresh { add(id, record, to: &outlook) }
    }
    return outlook
  }

  /// The pages of all lists that are due, by what is known of their length.
  func pages() async throws(StoreError) -> Outlook {
    var outlook = Outlook()
    for list in CatalogList.allCases where request.streams.contains(.list(list)) {
      let pages = try await pages(of: list, beginning: false)
      outlook.due += pages.due
      outlook.setAside += pages.setAside
      outlook.suspects.formUnion(pages.suspects)
    }
    return outlook
  }

  /// The pages of a list that are due: those that the generation under way lacks.
  ///
  /// - Parameter begins: Whether a new generation is begun in the store where one is due; else it is only thought of.
  func pages(of list: CatalogList, beginning begins: Bool) async throws(StoreError) -> Outlook {
    var outlook = Outlook()
    guard source.canAnswer(.page(list, 1)) else { return outlook }
    var generation = try await store.generation(of: list, upstream: source.upstream)
    if let generation, isSettled(generation) { return outlook }
    let isNew = isToBeBegun(generation)
    if isNew {
      // What the upstream would answer to the first page tells whether it is worth beginning anew.
      let first = id(.page(list, 1))
      if isSetAside(try await store.record(for: first)) { return Outlook(setAside: [first]) }
      if begins {
        generation = try await store.beginGeneration(of: list, upstream: source.upstream, at: clock.wallTime)
      }
    }
    let numbers = 1...min(generation?.pageCount ?? 1, CatalogList.pageCountMax)
    let records = try await store.records(
      of: .page(of: list), upstream: source.upstream,
      keys: ResourceID.Subject.pageKey(numbers.lowerBound)...ResourceID.Subject.pageKey(numbers.upperBound))
    for id in numbers.map({ id(.page(list, $0)) }) {
      let record = records[id]
      if !isNew, let generation, let record, isMet(record, in: generation) { continue }
      add(id, record, to: &outlook)
    }
    return outlook
  }

  /// Whether a page of the list came since the generation was begun; one without rows came while the upstream took the list
  /// for shorter than it is.
  private func isMet(_ page: EntryRecord, in generation: ListGeneration) -> Bool {
    guard let fetchedAt = page.fetchedAt, fetchedAt >= generation.startedAt else { return false }
    return !page.isEmpty || generation.totalCount == 0
  }

  /// Whether a list was gone through so lately that it is left alone; another host's list is as good as none.
  private func isSettled(_ generation: ListGeneration) -> Bool {
    guard let completedAt = generation.completedAt, generation.provenance == source.provenance else {
      return false
    }
    // By the time it is now: the list may have been completed by this very sync.
    let age = clock.wallTime.duration(since: completedAt)
    return Freshness.decide(age: age, lifetime: lifetimes.lifetime(of: generation.list)) == .fresh
  }

  /// Whether a go through a list has to be begun: none is under way, or one that is older than a complete one may become,
  /// or is of another host.
  private func isToBeBegun(_ generation: ListGeneration?) -> Bool {
    guard let generation, generation.completedAt == nil,
      generation.provenance.map({ $0 == source.provenance }) ?? true
    else { return true }
    let age = clock.wallTime.duration(since: generation.startedAt)
    return age > lifetimes.lifetime(of: generation.list).fresh || age < .zero - Freshness.clockSkewMax
  }

  private func add(_ id: ResourceID, _ record: EntryRecord?, to outlook: inout Outlook) {
    if isSetAside(record) { return outlook.setAside.append(id) }
    outlook.due.append(id)
    if record?.lastFailure?.isOutage == true { outlook.suspects.insert(id) }
  }

  private func isSetAside(_ record: EntryRecord?) -> Bool {
    record?.lastFailure?.setAsideUntil.map { plannedAt < $0 } ?? false
  }

  private func id(_ subject: ResourceID.Subject) -> ResourceID {
    ResourceID(upstream: source.upstream, subject: subject)
  }
}
