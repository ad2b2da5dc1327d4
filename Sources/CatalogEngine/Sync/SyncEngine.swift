import Logging

/// Brings a store up to date, several calls at a time, by the same way that reads are refreshed.
///
/// ```
/// newest & corrections → details → codes → gaps & backfill → details → lists → aging
/// ```
///
/// Each answer is committed together with the run's progress before its event is told, so that whatever was told
/// survives a crash, and the next sync goes on where this one stopped: what is due is decided by what is stored.
public struct SyncEngine: Sendable {
  let catalog: MovieCatalog

  /// After so many failures in a row to reach the upstream it is taken to be down, and not asked any more, unless the
  /// catalogue's ``BreakerPolicy`` says otherwise.
  public static let consecutiveFailureCountMax = BreakerPolicy().consecutiveFailureCountMax

  /// After so many answers in a row that are of no use (a maintenance page, say) no more calls are spent.
  public static let consecutiveUnusableAnswerCountMax = 32

  /// After so many answers in a row of one kind that are of no use, while others are, no more calls are spent on
  /// that kind.
  public static let consecutiveUnusableAnswerCountOfKindMax = 16

  /// So many pages of a list are asked for, and twice as many as were before, until it is looked anew how long it is.
  static let pageCountPlannedMin = 64

  /// Makes an engine that syncs into `catalog`.
  public init(_ catalog: MovieCatalog) { self.catalog = catalog }

  /// What a sync of `request` would fetch at present; nothing is asked and nothing is written.
  ///
  /// Details of movies that are yet to appear in charts, and pages of lists whose length is yet to be told, are not
  /// known and not counted.
  ///
  /// - Throws: ``StoreError``.
  public func plan(_ request: SyncRequest) async throws(StoreError) -> SyncPlan {
    let planning = SyncPlanning(request, catalog)
    let charts = try await planning.charts()
    var plan = SyncPlan(skippedCount: charts.skippedCount, setAsideCount: charts.setAsideCount)
    plan.append(.newest, charts.due(.newest))
    plan.append(.correction, charts.due(.correction))
    plan.append(.details, try await planning.details())
    plan.append(.codes, try await planning.codes())
    plan.append(.gap, charts.due(.gap))
    plan.append(.backfill, charts.due(.backfill))
    plan.append(.list, try await planning.pages())
    plan.append(.aging, charts.due(.aging))
    return plan
  }

  /// Syncs, and reports what was done.
  ///
  /// A cancelled sync starts nothing more and reports what it did. A failure of the store ends the sync and is told
  /// in the report, with what was stored before it.
  ///
  /// - Parameters:
  ///   - onEvent: Called for each resource, one call at a time, once its outcome is in the store.
  ///   - onNotice: Called for what concerns the sync as a whole, one call at a time.
  public func run(
    _ request: SyncRequest, onEvent: @escaping @Sendable (SyncEvent) async -> Void = { _ in },
    onNotice: @escaping @Sendable (SyncNotice) async -> Void = { _ in }
  ) async -> SyncReport {
    var progress = SyncProgress(request: request, startedAt: catalog.clock.wallTime)
    let turn = SyncTurn(catalog)
    do throws(StoreError) {
      let lease = try await turn.take(waits: request.waitsForOtherSync) {
        await onNotice(.waitingForOtherSync)
      }
      if let lease {
        let listener = Listener(onNotice: onNotice, onEvent: onEvent)
        do throws(StoreError) {
          try await perform(request, lease: lease, progress: &progress, listener: listener)
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
    tell(progress)
    return progress.report
  }

  /// Counts a sync that ended, and logs its figures.
  private func tell(_ progress: SyncProgress) {
    let report = progress.report
    catalog.refresher.metrics.countSync(report)
    var metadata: Logger.Metadata = [
      "fetched": "\(report.fetchedCount)", "unchanged": "\(report.unchangedCount)",
      "revised": "\(report.revisedCount)", "failed": "\(report.failedCount)",
      "skipped": "\(report.skippedCount)", "calls": "\(report.callCount)",
      "retries": "\(report.retryCount)",
    ]
    if let run = progress.run { metadata["run"] = "\(run.rawValue)" }
    if let reason = report.stoppedBecause { metadata["stoppedBecause"] = "\(reason)" }
    catalog.logger.info(
      report.stoppedBecause == nil ? "a sync ended" : "a sync stopped early", metadata: metadata)
  }

  /// Whom a sync tells what it does.
  private struct Listener: Sendable {
    let onNotice: @Sendable (SyncNotice) async -> Void
    let onEvent: @Sendable (SyncEvent) async -> Void
  }

  /// Decides what is due, now that no other sync is at work, and fetches it step by step.
  private func perform(
    _ request: SyncRequest, lease: Lease, progress: inout SyncProgress, listener: Listener
  ) async throws(StoreError) {
    let plannedAt = catalog.clock.wallTime
    let planning = SyncPlanning(request, catalog)
    let charts = try await planning.charts()
    progress.report.skippedCount = charts.skippedCount + charts.setAsideCount
    let run = try await catalog.store.beginRun(at: plannedAt, planned: charts.dueCount)
    progress.run = run
    let context = CallPurpose.SyncContext(
      run: run, lease: lease, plannedAt: plannedAt, budget: progress.budget, answers: AnswerTally())
    var order = CallOrder()
    // Steps that are known together are fetched without a pause between them.
    func fetch(_ steps: (SyncPlan.Reason, [ResourceID])..., suspects: Set<ResourceID>) async {
      for (reason, due) in steps where !due.isEmpty && progress.goesOn {
        await listener.onNotice(.planned(reason, count: due.count))
      }
      let due = order.arrange(
        steps.flatMap(\.1), suspects: suspects, hasUsefulAnswer: progress.hasUsefulAnswer)
      await perform(due, in: context, progress: &progress, listener: listener)
    }
    await fetch(
      (.newest, charts.due(.newest)), (.correction, charts.due(.correction)), suspects: charts.suspects)
    func fetch(_ reason: SyncPlan.Reason, _ outlook: SyncPlanning.Outlook) async {
      progress.skip(setAside: outlook.setAside)
      // What failed already in this sync is due still, and is not asked for again.
      await fetch((reason, outlook.due.filter { !progress.isLeftAlone($0) }), suspects: outlook.suspects)
    }
    if progress.goesOn { await fetch(.details, try await planning.details()) }
    if progress.goesOn { await fetch(.codes, try await planning.codes()) }
    await fetch(
      (.gap, charts.due(.gap)), (.backfill, charts.due(.backfill)), suspects: charts.suspects)
    if progress.goesOn { await fetch(.details, try await planning.details()) }
    for list in CatalogList.allCases where request.streams.contains(.list(list)) {
      var asked: Set<ResourceID> = []
      while progress.goesOn {
        // Each page tells how long the list is by now; what was asked for once is not asked for again.
        var pages = try await planning.pages(of: list, beginning: true)
        pages.due.removeAll { asked.contains($0) }
        // By one wrong count a list is taken for longer than it is for a while, and not for a day's calls.
        let rest = pages.due.dropFirst(max(Self.pageCountPlannedMin, 2 * asked.count))
        pages.due.removeLast(rest.count)
        asked.formUnion(pages.due)
        await fetch(.list, pages)
        if pages.due.isEmpty { break }
        if !progress.goesOn { progress.report.skippedCount += rest.count }
      }
    }
    await fetch((.aging, charts.due(.aging)), suspects: charts.suspects)
    await perform(order.takeHeldBack(), in: context, progress: &progress, listener: listener)
  }

  /// Refreshes `due`, keeping at most the request's number of calls under way, until done or told to stop.
  private func perform(
    _ due: [ResourceID], in context: CallPurpose.SyncContext, progress: inout SyncProgress,
    listener: Listener
  ) async {
    guard !due.isEmpty else { return }
    progress.dueCount += due.count
    var waiting = due[...]
    let refresher = catalog.refresher
    await withTaskGroup(of: (ResourceID, Refresher.Landing?).self) { group in
      var underWayCount = 0
      while true {
        while underWayCount < progress.concurrentCallCountMax,
          let resource = progress.takeNext(of: &waiting)
        {
          underWayCount += 1
          group.addTask { (resource, try? await refresher.refresh(resource, for: .sync(context))) }
        }
        guard let (resource, landing) = await group.next() else { break }
        underWayCount -= 1
        // Without a landing nothing was begun, or a reader is left to wait for it: nothing is told of the resource.
        guard let landing else {
          progress.budget.giveBack()
          progress.report.skippedCount += 1
          progress.stop(because: .cancelled)
          continue
        }
        if let event = progress.count(landing, of: resource) {
          refresher.metrics.countResource(event)
          await listener.onEvent(event)
        }
        if let kind = progress.takeNewlyGivenUp() { await listener.onNotice(.gaveUp(kind)) }
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
        logger.error("a sync's record was not closed", metadata: .of(error))
      }
    }.value
  }
}
