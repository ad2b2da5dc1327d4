import CatalogEngine
import HTTPTransport

/// Tells on stderr how far a sync has come: by a bar where there is a terminal, else by a line a minute.
final class ProgressMeter: Sendable {
  /// How often a line is written where there is no terminal.
  static let lineInterval: Duration = .seconds(60)
  /// How often the bar is drawn anew while nothing happens.
  static let redrawInterval: Duration = .seconds(1)
  /// The least time between two drawings of the bar.
  static let drawIntervalMin: Duration = .milliseconds(50)

  private struct State {
    var doneCount = 0
    var dueCount = 0
    var failedCount = 0
    var isWaiting = false
    var drawnAt: Timestamp?
  }

  private let errors: ErrorStream
  private let terminal: Terminal?
  private let clock: any CatalogClock
  private let startedAt: Timestamp
  private let state = LockedValue(State())

  init(errors: ErrorStream, terminal: Terminal?, clock: any CatalogClock) {
    self.errors = errors
    self.terminal = terminal
    self.clock = clock
    startedAt = clock.wallTime
  }

  /// Takes account of an event.
  func tell(_ event: SyncEvent) {
    state.withLock { state in
      state.doneCount = event.doneCount
      state.dueCount = event.dueCount
      state.isWaiting = false
      if event.outcome == .failed { state.failedCount += 1 }
    }
    guard let terminal else { return }
    let now = clock.wallTime
    let isTime = state.withLock { state in
      if let drawnAt = state.drawnAt, now.duration(since: drawnAt) < Self.drawIntervalMin, drawnAt <= now {
        return false
      }
      state.drawnAt = now
      return true
    }
    if isTime { draw(on: terminal) }
  }

  /// Takes account of a notice.
  func tell(_ notice: SyncNotice) {
    switch notice {
    case .waitingForOtherSync:
      state.withLock { $0.isWaiting = true }
      errors.notice(
        "another sync is at work on the database; waiting for it to end (--no-wait leaves instead)")
    case .planned(_, let count):
      state.withLock { state in
        state.isWaiting = false
        state.dueCount += count
      }
    case .gaveUp(let kind):
      errors.notice(
        "so many answers of \(kind.rawValue) in a row were of no use that no more are asked for in this sync")
    }
  }

  /// Keeps telling until the task is cancelled.
  func tick() async {
    while true {
      do { try await clock.sleep(for: terminal == nil ? Self.lineInterval : Self.redrawInterval) } catch {
        return
      }
      if let terminal { draw(on: terminal) } else { errors.notice("sync: \(figures)") }
    }
  }

  /// Tells the end.
  func finish(_ report: SyncReport) {
    if terminal != nil { errors.progress("") }
    let succeededCount = report.fetchedCount + report.unchangedCount + report.revisedCount
    let doneCount = succeededCount + report.failedCount
    let took = report.endedAt.duration(since: report.startedAt).spoken
    let end = report.stoppedBecause.map { "stopped early (\($0))" } ?? "done"
    errors.notice(
      "sync \(end): \(doneCount.grouped) asked for, \(report.failedCount.grouped) failed, "
        + "\(report.skippedCount.grouped) skipped, \(report.callCount.grouped) calls in \(took)")
  }

  /// What is done, of what is due, how fast, and what failed.
  private var figures: String {
    let state = self.state.withLock { $0 }
    guard state.doneCount > 0 else {
      return state.isWaiting ? "waiting for another sync to end" : "waiting for the first answer"
    }
    let elapsed = max(clock.wallTime.duration(since: startedAt).wholeMilliseconds, 1)
    let rate = Int64(state.doneCount) * 10_000 / elapsed
    let failed = state.failedCount > 0 ? ", \(state.failedCount.grouped) failed" : ""
    return
      "\(state.doneCount.grouped) of \(state.dueCount.grouped)\(failed), \(rate / 10).\(rate % 10) a second"
  }

  private func draw(on terminal: Terminal) {
    let (doneCount, dueCount) = state.withLock { ($0.doneCount, $0.dueCount) }
    let figures = self.figures
    // A line as wide as the terminal would wrap, and could not be taken back.
    let barWidth = min(40, terminal.columnCount - figures.displayWidth - 5)
    guard barWidth >= 8 else { return errors.progress(figures.truncated(toWidth: terminal.columnCount - 1)) }
    let filledCount = dueCount > 0 ? min(barWidth, barWidth * doneCount / dueCount) : 0
    let bar =
      String(repeating: "#", count: filledCount) + String(repeating: ".", count: barWidth - filledCount)
    errors.progress("[\(bar)] \(figures)")
  }
}
