import Logging

/// Brings a range of days up to date, several calls at a time, by the same way that reads are refreshed.
///
/// Charts come first, latest first; then the details of the movies in them. Each answer is committed together with the
/// run's progress before its event is told, so that whatever was told survives a crash.
public struct SyncEngine: Sendable {
  private let catalog: MovieCatalog

  /// After so many failures in a row to reach the upstream it is taken to be down, and not asked any more, unless the
  /// catalogue's ``BreakerPolicy`` says otherwise.
  public static let consecutiveFailureCountMax = BreakerPolicy().consecutiveFailureCountMax

  /// After so many answers in a row that are of no use (a maintenance page, say) no more calls are spent.
  public static let consecutiveUnusableAnswerCountMax = 32

  /// Makes an engine that syncs into `catalog`.
  public init(_ catalog: MovieCatalog) { self.catalog = catalog }

  /// What a sync of `request` would fetch at present; nothing is asked and nothing is written.
  ///
  /// Details of movies that are yet to appear in charts are not known and not counted.
  ///
  /// - Throws: ``StoreError``.
  public func plan(_ request: SyncRequest) async throws(StoreError) -> SyncPlan {
    var plan = try await charts(of: request)
    plan.due += try await details(of: request)
    return plan
  }

  /// Syncs, and reports what was done.
  ///
  /// A cancelled sync starts nothing more and reports what it did. A failure of the store ends the sync and is told
  /// in the report, with what was stored before it.
  ///
  /// - Parameter onEvent: Called for each resource, one call at a time, once its outcome is in the store.
  public func run(
    _ request: SyncRequest, onEvent: @escaping @Sendable (SyncEvent) async -> Void = { _ in }
  ) async -> SyncReport {
    var progress = SyncProgress(request: request, startedAt: catalog.clock.wallTime)
    let turn = SyncTurn(catalog)
    do throws(StoreError) {
      if let lease = try await turn.take(waits: request.waitsForOtherSync) {
        do throws(StoreError) {
          try await perform(request, lease: lease, progress: &progress, onEvent: onEvent)
        } catch {
          progress.stop(by: error, isCancelled: Task.isCancelled)
        }
        await close(progress)
        await turn.end(lease)
      } else if !Task.isCancelled {
        progress.stop(because: .anotherSync)
      }
    } catch {
      progress.stop(by: error, isCancelled: Task.isCancelled)
    }
    if Task.isCancelled { progress.stop(because: .cancelled) }
    progress.report.endedAt = catalog.clock.wallTime
    return progress.report
  }

  /// Decides what is due, now that no other sync is at work, and fetches it.
  private func perform(
    _ request: SyncRequest, lease: Lease, progress: inout SyncProgress,
    onEvent: @Sendable (SyncEvent) async -> Void
  ) async throws(StoreError) {
    let plannedAt = catalog.clock.wallTime
    let charts = try await charts(of: request)
    progress.report.skippedCount = charts.skippedCount
    let run = try await catalog.store.beginRun(at: plannedAt, planned: charts.due.count)
    progress.run = run
    let context = CallPurpose.SyncContext(
      run: run, lease: lease, plannedAt: plannedAt, budget: progress.budget)
    await perform(charts.due, in: context, progress: &progress, onEvent: onEvent)
    if progress.report.stoppedBecause == nil, !Task.isCancelled {
      await perform(try await details(of: request), in: context, progress: &progress, onEvent: onEvent)
    }
  }

  private func charts(of request: SyncRequest) async throws(StoreError) -> SyncPlan {
    let now = catalog.clock.wallTime
    guard let days = days(of: request, at: now) else { return SyncPlan() }
    var plan = SyncPlan()
    for (stream, kind) in [
      (SyncRequest.Stream.daily, BoxOfficePeriod.Kind.daily), (.weekend, .weekend), (.weekly, .weekly),
    ]
    where request.streams.contains(stream) {
      let periods = SyncPlan.periods(of: kind, in: days)
      guard let first = periods.last, let last = periods.first else { continue }
      let records = try await catalog.store.records(
        of: .boxOffice(kind), upstream: catalog.source.upstream,
        keys: first.day.basicFormat...last.day.basicFormat)
      let part = SyncPlan.charts(
        periods, records: records, source: catalog.source, lifetimes: catalog.lifetimes, now: now)
      plan.due += part.due
      plan.skippedCount += part.skippedCount
    }
    return plan
  }

  private func details(of request: SyncRequest) async throws(StoreError) -> [ResourceID] {
    guard request.streams.contains(.details), let days = days(of: request, at: catalog.clock.wallTime) else {
      return []
    }
    let source = catalog.source
    let movies = try await catalog.store.moviesWithoutDetails(
      in: days, upstream: source.upstream, from: source.provenance == .recorded ? nil : source.provenance,
      at: catalog.clock.wallTime)
    return movies.map { ResourceID(upstream: source.upstream, subject: .movieDetails($0)) }
  }

  private func days(of request: SyncRequest, at now: Timestamp) -> ClosedRange<CalendarDay>? {
    let available = catalog.source.availableDays(at: now)
    guard request.days.overlaps(available) else { return nil }
    return request.days.clamped(to: available)
  }

  /// Refreshes `due`, keeping at most the request's number of calls under way, until done or told to stop.
  private func perform(
    _ due: [ResourceID], in context: CallPurpose.SyncContext, progress: inout SyncProgress,
    onEvent: @Sendable (SyncEvent) async -> Void
  ) async {
    progress.dueCount += due.count
    var waiting = due[...]
    let refresher = catalog.refresher
    await withTaskGroup(of: (ResourceID, Refresher.Landing?).self) { group in
      var underWayCount = 0
      while true {
        while underWayCount < progress.request.concurrentCallCountMax,
          !waiting.isEmpty, !Task.isCancelled, progress.takeCall(), let resource = waiting.popFirst()
        {
          underWayCount += 1
          group.addTask { (resource, try? await refresher.refresh(resource, for: .sync(context))) }
        }
        guard let (resource, landing) = await group.next() else { break }
        underWayCount -= 1
        // Without a landing the wait was cancelled, or the catalogue shut down: nothing is known of the resource,
        // and nothing is told.
        guard let landing else {
          progress.report.skippedCount += 1
          progress.stop(because: .cancelled)
          continue
        }
        if let event = progress.count(landing, of: resource) { await onEvent(event) }
      }
    }
    if !waiting.isEmpty && progress.report.stoppedBecause == nil && !Task.isCancelled {
      progress.stop(because: .budget)
    }
    progress.report.skippedCount += waiting.count
    progress.report.budgetLeft = progress.budget.leftCount
  }

  private func close(_ progress: SyncProgress) async {
    guard let run = progress.run else { return }
    var record = progress.record(of: run)
    if record.stoppedBecause == nil, Task.isCancelled {
      record.stoppedBecause = SyncReport.StopReason.cancelled.rawValue
    }
    record.endedAt = catalog.clock.wallTime
    let store = catalog.store
    let logger = catalog.logger
    // A cancelled sync still closes its record: in a task of its own, which the cancellation does not reach.
    await Task { @concurrent in
      do throws(StoreError) {
        try await store.endRun(record)
      } catch {
        logger.error("the sync's record was not closed: \(error)")
      }
    }.value
  }
}
