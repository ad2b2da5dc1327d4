/// The running figures of one sync, and the rules by which it stops.
struct SyncProgress {
  let request: SyncRequest
  var report: SyncReport
  var run: SyncRunID?
  var dueCount = 0
  /// The calls that may still be made, retries included.
  let budget: CallBudget
  private var doneCount = 0
  private var consecutiveUnusableAnswerCount = 0
  private var consecutiveUnusableAnswerCounts: [ResourceID.Kind: Int] = [:]
  private var givenUp: Set<ResourceID.Kind> = []
  private var newlyGivenUp: ResourceID.Kind?
  /// Whether an answer of use came.
  private(set) var hasUsefulAnswer = false
  /// What failed or was skipped as set aside; each counts once, however often it is planned.
  private var leftAlone: Set<ResourceID> = []

  init(request: SyncRequest, startedAt: Timestamp) {
    self.request = request
    report = SyncReport(startedAt: startedAt, budget: request.callBudget)
    budget = CallBudget(request.callBudget)
  }

  /// How many calls may be under way: the first goes alone, as a key that is refused costs one call and no more.
  var concurrentCallCountMax: Int { report.callCount > 0 ? request.concurrentCallCountMax : 1 }

  /// Whether a resource failed in this sync, or was set aside before it.
  func isLeftAlone(_ resource: ResourceID) -> Bool { leftAlone.contains(resource) }

  /// Whether more may be begun.
  var goesOn: Bool { report.stoppedBecause == nil && !Task.isCancelled }

  /// Takes the next resource to refresh, and its first call out of the budget; `nil` if no more may be begun.
  ///
  /// Those of a kind that was given up are skipped.
  mutating func takeNext(of waiting: inout ArraySlice<ResourceID>) -> ResourceID? {
    while let first = waiting.first, givenUp.contains(first.subject.kind) {
      waiting.removeFirst()
      report.skippedCount += 1
    }
    guard goesOn, !waiting.isEmpty, budget.take() else { return nil }
    return waiting.popFirst()
  }

  /// Counts what is due and was set aside by an earlier sync.
  mutating func skip(setAside resources: [ResourceID]) {
    for resource in resources where leftAlone.insert(resource).inserted { report.skippedCount += 1 }
  }

  /// The kind that was given up since this was last asked.
  mutating func takeNewlyGivenUp() -> ResourceID.Kind? {
    defer { newlyGivenUp = nil }
    return newlyGivenUp
  }

  mutating func stop(
    because reason: SyncReport.StopReason, storeError: StoreError? = nil, failure: CatalogFailure? = nil
  ) {
    guard report.stoppedBecause == nil else { return }
    report.stoppedBecause = reason
    report.storeError = storeError
    report.stopFailure = failure
  }

  /// Stops for an error of the store. A request that was cut off because the sync was cancelled has no code of its
  /// own: that is the store's failure to whoever asked it, and none of the sync's.
  mutating func stop(by error: StoreError, isCancelled: Bool) {
    if isCancelled && error.code == .other {
      stop(because: .cancelled)
    } else {
      stop(because: .storage, storeError: error)
    }
  }

  /// Counts what came of a resource; the event is `nil` where there is nothing to acknowledge.
  mutating func count(_ landing: Refresher.Landing, of resource: ResourceID) -> SyncEvent? {
    report.callCount += landing.callCount
    report.retryCount += landing.retryCount
    if landing.callCount == 0 { budget.giveBack() }
    switch landing.result {
    case .success(let refreshed):
      hasUsefulAnswer = true
      consecutiveUnusableAnswerCount = 0
      consecutiveUnusableAnswerCounts[resource.subject.kind] = 0
      switch refreshed.receipt {
      case .success(let receipt): return succeeded(receipt, resource)
      case .failure(let error):
        stop(because: .storage, storeError: error)
        return nil
      }
    case .failure(.upstream(let failure)):
      if let event = failed(failure, resource) { return event }
      report.skippedCount += 1
      return nil
    case .failure(.anotherSync):
      stop(because: .anotherSync)
      report.skippedCount += 1
      return nil
    case .failure(.store(let error)):
      stop(because: .storage, storeError: error)
      report.skippedCount += 1
      return nil
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

  /// Counts a failure; nothing is counted, and the sync stops, if the upstream was not even asked.
  private mutating func failed(_ failure: CatalogFailure, _ resource: ResourceID) -> SyncEvent? {
    switch failure.code {
    case .breakerOpen:
      stop(because: .upstreamUnavailable, failure: failure)
      return nil
    case .quota where failure.isRefusal:
      stop(because: .quota, failure: failure)
      return nil
    default: break
    }
    report.failedCount += 1
    leftAlone.insert(resource)
    if report.failures.count < SyncReport.failureListCountMax {
      report.failures.append(SyncReport.Failure(resource: resource, failure: failure))
    }
    switch failure.code {
    case .keyMissing: stop(because: .keyMissing)
    case .keyRefused: stop(because: .keyRefused)
    case .quota: stop(because: .quota)
    default:
      // The breaker counts those by which the upstream was not reached, for all callers together.
      if failure.isUnreached { break }
      if failure.isTooManyRequests {
        stop(because: .upstreamUnavailable, failure: failure)
      } else {
        countUnusableAnswer(to: resource)
      }
    }
    return event(resource, .failed, failure: failure)
  }

  /// Counts an answer that was of no use: after so many in a row the service is given up, or all of them.
  private mutating func countUnusableAnswer(to resource: ResourceID) {
    let kind = resource.subject.kind
    consecutiveUnusableAnswerCounts[kind, default: 0] += 1
    let count = consecutiveUnusableAnswerCounts[kind] ?? 0
    // Where nothing was of use, it is not the one service that fails.
    if hasUsefulAnswer, count >= SyncEngine.consecutiveUnusableAnswerCountOfKindMax, !givenUp.contains(kind) {
      givenUp.insert(kind)
      newlyGivenUp = kind
    }
    consecutiveUnusableAnswerCount += 1
    if consecutiveUnusableAnswerCount >= SyncEngine.consecutiveUnusableAnswerCountMax {
      stop(because: .upstreamUnavailable)
    }
  }

  private mutating func event(
    _ resource: ResourceID, _ outcome: SyncEvent.Outcome, revision: Int? = nil, failure: CatalogFailure? = nil
  ) -> SyncEvent {
    doneCount += 1
    return SyncEvent(
      resource: resource, outcome: outcome, revision: revision, failure: failure, doneCount: doneCount,
      dueCount: dueCount, callCount: report.callCount, retryCount: report.retryCount,
      budgetLeft: budget.leftCount)
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
