import CoreMetrics
import HTTPTransport

/// What a catalogue counts and measures; see ``MetricDefinition`` for names.
///
/// Every handler is made once, when the catalogue is: counting is a call to it, and nothing at all where no backend was
/// set up. A handler lives as long as its factory, which may be shared by catalogues of the same upstream.
struct CatalogMetrics: Sendable {
  private let calls: CounterFamily
  private let retries: Counter
  private let callDuration: Timer
  private let reads: ReadCounters
  private let joinedRefreshes: Counter
  private let commits: CounterFamily
  private let quotaLeft: LateMeter
  private let breakerOpen: Meter
  private let syncRuns: CounterFamily
  private let syncResources: CounterFamily

  /// Whether anybody looks at what is reported: what costs a look into the store is done only then.
  let isWatched: Bool

  init(upstream: String, factory: any MetricsFactory) {
    func family(_ definition: MetricDefinition, _ values: [String]) -> CounterFamily {
      CounterFamily(definition, upstream: upstream, values: values, factory: factory)
    }
    @Sendable func dimensions(_ definition: MetricDefinition) -> [(String, String)] {
      definition.dimensions.map { ($0, upstream) }
    }
    calls = family(.calls, CallOutcome.all)
    retries = Counter(
      label: MetricDefinition.retries.name, dimensions: dimensions(.retries), factory: factory)
    callDuration = Timer(
      label: MetricDefinition.callDuration.name, dimensions: dimensions(.callDuration), factory: factory)
    reads = ReadCounters(upstream: upstream, factory: factory)
    joinedRefreshes = Counter(
      label: MetricDefinition.joinedRefreshes.name, dimensions: dimensions(.joinedRefreshes), factory: factory
    )
    commits = family(.commits, CommitOutcome.all)
    quotaLeft = LateMeter {
      Meter(label: MetricDefinition.quotaLeft.name, dimensions: dimensions(.quotaLeft), factory: factory)
    }
    breakerOpen = Meter(
      label: MetricDefinition.breakerOpen.name, dimensions: dimensions(.breakerOpen), factory: factory)
    breakerOpen.set(0)
    syncRuns = family(.syncRuns, SyncEnd.all)
    syncResources = family(
      .syncResources, [SyncEvent.Outcome.fetched, .unchanged, .revised, .failed].map(\.rawValue))
    isWatched = !(factory is NOOPMetricsHandler)
  }
}

/// The values of `outcome` of calls, beside the codes of failures.
private enum CallOutcome {
  static let success = "success"
  static let cancelled = "cancelled"
  static let all = [success, cancelled] + CatalogFailure.Code.all.map(\.rawValue)
}

/// The values of `outcome` of commits, beside those of receipts.
private enum CommitOutcome {
  /// It came after its lease was taken over, and was not written.
  static let late = "late"
  static let failed = "failed"
  static let all =
    [late, failed] + [CommitReceipt.Outcome.fetched, .unchanged, .revised, .kept].map(\.rawValue)
}

/// The values of `end` of syncs, beside the reasons to stop.
private enum SyncEnd {
  static let done = "done"
  static let all = [done] + SyncReport.StopReason.all.map(\.rawValue)
}

extension CatalogMetrics {
  /// Counts a call that came back, or was given up.
  ///
  /// - Parameter failure: Why it brought no answer of use; `nil` if it brought one.
  func countCall(_ failure: CatalogFailure?, took duration: Duration, isRetry: Bool, isCancelled: Bool) {
    if let failure {
      calls.count(isCancelled ? CallOutcome.cancelled : failure.code.rawValue)
    } else {
      calls.count(CallOutcome.success)
    }
    if isRetry { retries.increment() }
    callDuration.recordMilliseconds(duration.wholeMilliseconds)
  }

  /// Counts a read that had an answer.
  func countRead(_ reading: Reading<some CatalogContent>, policy: ReadPolicy) {
    reads.count(reading, policy: policy)
  }

  /// Counts a read that had none; one that was given up is none of the catalogue's failures.
  func countRead(failing error: any Error, policy: ReadPolicy) {
    if !(error is CancellationError) { reads.countFailure(policy: policy) }
  }

  /// Counts a refresh that joined the flight of another.
  func countJoin() { joinedRefreshes.increment() }

  /// Counts an answer on its way into the store.
  func countCommit(_ result: Result<CommitReceipt, StoreError>) {
    switch result {
    case .success(let receipt): commits.count(receipt.outcome.rawValue)
    case .failure(let error):
      commits.count(error.code == .leaseLost ? CommitOutcome.late : CommitOutcome.failed)
    }
  }

  /// Tells how many calls the day has left, those kept for readers included.
  func set(quotaLeft count: Int) { quotaLeft.set(count) }

  /// Tells whether the upstream is taken to be down.
  func set(breakerOpen isOpen: Bool) { breakerOpen.set(isOpen ? 1 : 0) }

  /// Counts a sync that ended.
  func countSync(_ report: SyncReport) {
    syncRuns.count(report.stoppedBecause?.rawValue ?? SyncEnd.done)
  }

  /// Counts a resource that a sync is done with.
  func countResource(_ event: SyncEvent) { syncResources.count(event.outcome.rawValue) }
}

/// A meter that is made when there is something to tell: one that was never set would read as zero.
private final class LateMeter: Sendable {
  private let make: @Sendable () -> Meter
  private let meter = LockedValue<Meter?>(nil)

  init(_ make: @escaping @Sendable () -> Meter) { self.make = make }

  func set(_ value: Int) {
    let meter = meter.withLock { meter in
      let made = meter ?? make()
      meter = made
      return made
    }
    meter.set(value)
  }
}
