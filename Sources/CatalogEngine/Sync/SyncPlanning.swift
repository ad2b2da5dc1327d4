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
  func details() async throws(StoreError) -> [ResourceID] {
    guard request.streams.contains(.details), let days else { return [] }
    let movies = try await store.moviesWithoutDetails(
      in: days, upstream: source.upstream, from: source.provenance == .recorded ? nil : source.provenance,
      at: clock.wallTime)
    return movies.map { id(.movieDetails($0)) }
  }

  /// The lists of codes that are missing or no longer fresh.
  func codes() async throws(StoreError) -> [ResourceID] {
    guard request.streams.contains(.codes) else { return [] }
    var due: [ResourceID] = []
    for list in CodeList.allCases where source.canAnswer(.codes(list)) {
      let id = id(.codes(list))
      let record = try await store.record(for: id)
      if isSetAside(record) { continue }
      let freshness = record.flatMap {
        Freshness.decide($0, lifetime: lifetimes.codes, source: source.provenance, now: plannedAt)
      }
      if freshness != .fresh { due.append(id) }
    }
    return due
  }

  /// The pages of all lists that are due, by what is known of their length.
  func pages() async throws(StoreError) -> [ResourceID] {
    var due: [ResourceID] = []
    for list in CatalogList.allCases where request.streams.contains(.list(list)) {
      due += try await pages(of: list, beginning: false)
    }
    return due
  }

  /// The pages of a list that are due: those that the generation under way lacks.
  ///
  /// - Parameter begins: Whether a new generation is begun in the store where one is due; else it is only thought of.
  func pages(of list: CatalogList, beginning begins: Bool) async throws(StoreError) -> [ResourceID] {
    guard source.canAnswer(.page(list, 1)) else { return [] }
    var generation = try await store.generation(of: list, upstream: source.upstream)
    if let known = generation, isSettled(known) { return [] }
    if isToBeBegun(generation) {
      let pageCount = generation?.pageCount ?? 1
      // What the upstream would answer to the first page tells whether it is worth beginning anew.
      guard !isSetAside(try await store.record(for: id(.page(list, 1)))) else { return [] }
      guard begins else { return (1...pageCount).map { id(.page(list, $0)) } }
      generation = try await store.beginGeneration(of: list, upstream: source.upstream, at: clock.wallTime)
    }
    guard let generation else { return [] }
    let keys = (1, min(generation.pageCount, CatalogList.pageCountMax))
    let records = try await store.records(
      of: .page(of: list), upstream: source.upstream,
      keys: ResourceID.Subject.pageKey(keys.0)...ResourceID.Subject.pageKey(keys.1))
    return (keys.0...keys.1).map { id(.page(list, $0)) }.filter { id in
      guard let record = records[id] else { return true }
      let isMet = record.fetchedAt.map { $0 >= generation.startedAt } ?? false
      return !isMet && !isSetAside(record)
    }
  }

  /// Whether a list was gone through so lately that it is left alone; another host's list is as good as none.
  private func isSettled(_ generation: ListGeneration) -> Bool {
    guard let completedAt = generation.completedAt, generation.provenance == source.provenance else {
      return false
    }
    let age = plannedAt.duration(since: completedAt)
    return Freshness.decide(age: age, lifetime: lifetimes.lifetime(of: generation.list)) == .fresh
  }

  /// Whether a go through a list has to be begun: none is under way, or one that took too long
  /// or is of another host.
  private func isToBeBegun(_ generation: ListGeneration?) -> Bool {
    guard let generation, generation.completedAt == nil,
      generation.provenance.map({ $0 == source.provenance }) ?? true
    else { return true }
    let age = clock.wallTime.duration(since: generation.startedAt)
    return age > ListGeneration.durationMax || age < .zero - Freshness.clockSkewMax
  }

  private func isSetAside(_ record: EntryRecord?) -> Bool {
    record?.lastFailure?.setAsideUntil.map { plannedAt < $0 } ?? false
  }

  private func id(_ subject: ResourceID.Subject) -> ResourceID {
    ResourceID(upstream: source.upstream, subject: subject)
  }
}
