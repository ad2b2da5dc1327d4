import CatalogEngine
import HTTPTransport

/// One run of a sync for the command: the engine at work, its progress on stderr, its events on stdout, and an end in
/// good order when one is asked for.
struct SyncPerformance {
  let request: SyncRequest
  let format: SyncFormat
  let context: CommandContext
  /// Whether it is one of many runs, each of which is told in brief.
  var isRecurring = false

  /// Syncs until done or asked to end.
  func run(in catalog: MovieCatalog) async throws -> ExitStatus {
    try await context.interruptible {
      guard let report = try await perform(in: catalog) else { return .stoppedEarly }
      return ExitStatus(report)
    }
  }

  /// Syncs until done or cancelled, and tells what was done.
  ///
  /// - Returns: The report; `nil` if whoever read the events has gone.
  /// - Throws: `OutputError.closed` if it is one of many, and nobody reads what is told of them any more.
  func perform(in catalog: MovieCatalog) async throws -> SyncReport? {
    let meter = ProgressMeter(
      errors: context.errors, terminal: context.errorTerminal, clock: context.surroundings.clock,
      callBudget: request.callBudget)
    let acknowledgement = Acknowledgement(
      output: format == .ndjson ? context.surroundings.standardOutput : nil)
    let request = self.request
    let sync = Task { @concurrent in
      await SyncEngine(catalog).run(request) { event in
        acknowledgement.tell(event)
        meter.tell(event)
      } onNotice: { notice in
        if case .planned = notice { meter.allow(callsLeft: await catalog.callsLeftForSyncs()) }
        meter.tell(notice)
      }
    }
    // A sync whose acknowledgements nobody can hear any more is a sync that nobody wants.
    acknowledgement.onFailure { sync.cancel() }
    let ticking = Task { @concurrent in await meter.tick() }
    let report = await withTaskCancellationHandler {
      await sync.value
    } onCancel: {
      sync.cancel()
    }
    ticking.cancel()
    await ticking.value
    meter.finish(report)
    if let error = acknowledgement.error {
      guard error == .closed else { throw error }
      return nil
    }
    try tell(report)
    return report
  }

  private func tell(_ report: SyncReport) throws(OutputError) {
    let presentation = SyncPresentation(report: report)
    let text =
      switch format {
      case .table where isRecurring:
        presentation.brief(width: context.columnCount, style: context.style)
      case .table: presentation.table(width: context.columnCount, style: context.style)
      case .json: presentation.json()
      case .ndjson: presentation.lastLine()
      }
    let isRead = try context.report(text)
    if let error = report.storeError { context.errors.notice("the database: \(error)") }
    if report.stoppedBecause == .anotherSync { context.errors.notice(otherSync(report)) }
    switch ExitStatus(report) {
    case .keyRefused, .configuration, .unavailable:
      if let failure = report.failures.first?.failure ?? report.stopFailure {
        context.errors.notice(failure.description)
      }
    case .stoppedEarly:
      if let failure = report.stopFailure { context.errors.notice(failure.description) }
    default: break
    }
    if !isRead, isRecurring { throw .closed }
  }

  /// What a sync comes to that had to leave the work to another one.
  private func otherSync(_ report: SyncReport) -> String {
    guard report.hadNoTurn else {
      return "another sync took over while this one stood still; what was stored stays"
    }
    guard request.waitsForOtherSync else {
      return "another sync is at work on the database; nothing was fetched"
        + (isRecurring ? "" : ": run it again later, or with --wait")
    }
    let waited = context.surroundings.configuration.syncWaitMax.spoken
    return "another sync has been at work on the database for \(waited); nothing was fetched"
      + (isRecurring ? "" : ": run it again later")
  }
}

extension SyncReport {
  /// Whether another sync was at work, and this one did not even look what is due.
  fileprivate var hadNoTurn: Bool {
    stoppedBecause == .anotherSync && callCount == 0 && skippedCount == 0
      && fetchedCount + unchangedCount + revisedCount + failedCount == 0
  }
}

/// The lines that acknowledge a sync's events, each written once its resource is stored for good.
private final class Acknowledgement: Sendable {
  private struct State {
    var error: OutputError?
    var onFailure: (@Sendable () -> Void)?
  }

  private let output: (any ByteOutput)?
  private let state = LockedValue(State())

  init(output: (any ByteOutput)?) { self.output = output }

  /// The first failure to write a line.
  var error: OutputError? { state.withLock { $0.error } }

  /// Has `action` run at the first failure to write, now or later.
  func onFailure(_ action: @escaping @Sendable () -> Void) {
    let hasFailed = state.withLock { state in
      state.onFailure = action
      return state.error != nil
    }
    if hasFailed { action() }
  }

  /// Writes the event's line.
  func tell(_ event: SyncEvent) {
    guard let output, error == nil else { return }
    do throws(OutputError) {
      try output.write(SyncPresentation.line(event))
    } catch {
      let action = state.withLock { state in
        state.error = error
        return state.onFailure
      }
      action?()
    }
  }
}
