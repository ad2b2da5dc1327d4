/// The running figures of one sync, and the rules by which it stops.
struct SyncProgress {
  let request: SyncRequest
  var report: SyncReport
  var run: SyncRunID?
  var dueCount = 0
  private var doneCount = 0
  private var consecutiveFailureCount = 0
  private var consecutiveUnusableAnswerCount = 0

  init(request: SyncRequest, startedAt: Timestamp) {
    self.request = request
    report = SyncReport(startedAt: startedAt, budget: request.callBudget)
  }

  /// Whether one more call may be made while `underWayCount` are under way.
  func mayCall(underWay underWayCount: Int) -> Bool {
    guard report.stoppedBecause == nil else { return false }
    guard let budgetLeft = report.budgetLeft else { return true }
    return budgetLeft > underWayCount
  }

  mutating func stop(because reason: SyncReport.StopReason, storeError: StoreError? = nil) {
    guard report.stoppedBecause == nil else { return }
    report.stoppedBecause = reason
    report.storeError = storeError
  }

  /// Counts what came of a resource; the event is `nil` where there is nothing to acknowledge.
  mutating func count(_ landing: Refresher.Landing, of resource: ResourceID) -> SyncEvent? {
    report.callCount += landing.callCount
    report.budgetLeft = report.budgetLeft.map { $0 - landing.callCount }
    switch landing.result {
    case .success(let refreshed):
      consecutiveFailureCount = 0
      consecutiveUnusableAnswerCount = 0
      switch refreshed.receipt {
      case .success(let receipt): return succeeded(receipt, resource)
      case .failure(let error):
        stop(because: .storage, storeError: error)
        return nil
      }
    case .failure(.upstream(let failure)): return failed(failure, resource)
    case .failure(.cancelled):
      report.skippedCount += 1
      stop(because: .cancelled)
      return nil
    }
  }

  private mutating func succeeded(_ receipt: CommitReceipt, _ resource: ResourceID) -> SyncEvent {
    let outcome: SyncEvent.Outcome
    switch receipt.outcome {
    case .fetched:
      report.fetchedCount += 1
      outcome = .fetched
    case .revised:
      report.revisedCount += 1
      outcome = .revised
    case .unchanged, .kept:
      report.unchangedCount += 1
      outcome = .unchanged
    }
    return event(resource, outcome, revision: receipt.entry.record.revision)
  }

  private mutating func failed(_ failure: CatalogFailure, _ resource: ResourceID) -> SyncEvent {
    report.failedCount += 1
    if report.failures.count < SyncReport.failureListCountMax {
      report.failures.append(SyncReport.Failure(resource: resource, failure: failure))
    }
    switch failure.code {
    case .keyMissing: stop(because: .keyMissing)
    case .keyRefused: stop(because: .keyRefused)
    case .quota: stop(because: .quota)
    case .offline, .transport, .timeout, .status:
      consecutiveFailureCount += 1
      if consecutiveFailureCount >= SyncEngine.consecutiveFailureCountMax {
        stop(because: .upstreamUnavailable)
      }
    default:
      consecutiveFailureCount = 0
      consecutiveUnusableAnswerCount += 1
      if consecutiveUnusableAnswerCount >= SyncEngine.consecutiveUnusableAnswerCountMax {
        stop(because: .upstreamUnavailable)
      }
    }
    return event(resource, .failed, failure: failure)
  }

  private mutating func event(
    _ resource: ResourceID, _ outcome: SyncEvent.Outcome, revision: Int? = nil, failure: CatalogFailure? = nil
  ) -> SyncEvent {
    doneCount += 1
    return SyncEvent(
      resource: resource, outcome: outcome, revision: revision, failure: failure, doneCount: doneCount,
      dueCount: dueCount)
  }

  /// The run's row in the store, with the final figures.
  func record(of run: SyncRunID) -> StoreSummary.Run {
    StoreSummary.Run(
      id: run, startedAt: report.startedAt, endedAt: report.endedAt, plannedCount: dueCount,
      fetchedCount: report.fetchedCount, unchangedCount: report.unchangedCount,
      revisedCount: report.revisedCount,
      failedCount: report.failedCount, stoppedBecause: report.stoppedBecause?.rawValue)
  }
}
