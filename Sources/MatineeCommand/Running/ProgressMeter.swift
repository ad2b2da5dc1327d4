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
    var callCount = 0
    /// The most calls that the sync can make, by its budget or the day's quota; `nil` as long as neither is known.
    var callCountMax: Int?
    var pace = SyncPace()
    var isWaiting = false
    var drawnAt: Timestamp?
  }

  private let errors: ErrorStream
  private let terminal: Terminal?
  private let clock: any CatalogClock
  private let callBudget: Int?
  private let state: LockedValue<State>

  /// - Parameter callBudget: The most calls that the sync was told to make.
  init(errors: ErrorStream, terminal: Terminal?, clock: any CatalogClock, callBudget: Int? = nil) {
    self.errors = errors
    self.terminal = terminal
    self.clock = clock
    self.callBudget = callBudget
    state = LockedValue(State(callCountMax: callBudget))
  }

  /// Takes account of an event.
  func tell(_ event: SyncEvent) {
    let now = clock.wallTime
    let isTime = state.withLock { state in
      state.doneCount = event.doneCount
      state.dueCount = event.dueCount
      state.callCount = event.callCount
      state.isWaiting = false
      if event.outcome == .failed { state.failedCount += 1 }
      state.pace.count(event.doneCount, at: now)
      if let drawnAt = state.drawnAt, now.duration(since: drawnAt) < Self.drawIntervalMin, drawnAt <= now {
        return false
      }
      state.drawnAt = now
      return true
    }
    if let terminal, isTime { draw(on: terminal) }
  }

  /// Takes account of how many more calls the day has for syncs; `nil` if nobody knows.
  func allow(callsLeft: Int?) {
    state.withLock { state in
      state.callCountMax = [callBudget, callsLeft.map { state.callCount + $0 }].compactMap(\.self).min()
    }
  }

  /// Takes account of a notice.
  func tell(_ notice: SyncNotice) {
    switch notice {
    case .waitingForOtherSync:
      state.withLock { $0.isWaiting = true }
      errors.notice(
        "another sync is at work on the database; waiting for it to end (--no-wait leaves instead)")
    case .planned(_, let count):
      let now = clock.wallTime
      state.withLock { state in
        state.isWaiting = false
        state.dueCount += count
        state.pace.begin(at: now)
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
      if let terminal {
        draw(on: terminal)
      } else {
        errors.notice("sync: \(figures.shown(0))")
      }
    }
  }

  /// Tells the end.
  func finish(_ report: SyncReport) {
    if terminal != nil { errors.progress("") }
    let succeededCount = report.fetchedCount + report.unchangedCount + report.revisedCount
    let doneCount = succeededCount + report.failedCount
    let took = report.endedAt.duration(since: report.startedAt).spoken
    let hasFailed = ExitStatus(report) == .unavailable
    let end = report.stoppedBecause.map { "stopped early (\($0))" } ?? (hasFailed ? "failed" : "done")
    errors.notice(
      "sync \(end): \(doneCount.grouped) asked for, \(report.failedCount.grouped) failed, "
        + "\(report.skippedCount.grouped) skipped, \(report.callsShown) in \(took)")
  }

  private var figures: Figures { Figures(state.withLock { $0 }, at: clock.wallTime) }

  /// Draws the bar and the figures in one line; where the line is short, the least important figures leave, and the bar
  /// at last.
  private func draw(on terminal: Terminal) {
    let figures = self.figures
    // A line as wide as the terminal would wrap, and could not be taken back.
    let width = terminal.columnCount - 1
    for droppedCount in 0...figures.droppableCount {
      let shown = figures.shown(droppedCount)
      let barWidth = min(Self.barWidthMax, width - shown.displayWidth - 3)
      guard barWidth >= Self.barWidthMin else { continue }
      return errors.progress("[\(figures.bar(width: barWidth))] \(shown)")
    }
    errors.progress(figures.shown(figures.droppableCount).truncated(toWidth: width))
  }

  private static let barWidthMin = 8
  private static let barWidthMax = 40

  /// What is told of a moment, the most important first.
  private struct Figures {
    private let state: State
    private let parts: [String]

    init(_ state: State, at now: Timestamp) {
      self.state = state
      guard state.doneCount > 0 else {
        parts = [state.isWaiting ? "waiting for another sync to end" : "waiting for the first answer"]
        return
      }
      var parts = ["\(state.doneCount.grouped) of \(state.dueCount.grouped)"]
      if state.failedCount > 0 { parts.append("\(state.failedCount.grouped) failed") }
      var leftCount = state.dueCount - state.doneCount
      var calls = SyncReport.shown(callCount: state.callCount)
      if let callCountMax = state.callCountMax, callCountMax >= state.callCount {
        leftCount = min(leftCount, callCountMax - state.callCount)
        calls = "\(state.callCount.grouped) of \(callCountMax.grouped) calls"
      }
      if let timeLeft = state.pace.timeLeft(for: leftCount, at: now) {
        parts.append("\(timeLeft.spoken) left")
      }
      parts.append(calls)
      if let rate = state.pace.rate(at: now) { parts.append(rate) }
      self.parts = parts
    }

    /// How many figures may be left out: all but the first.
    var droppableCount: Int { parts.count - 1 }

    /// The figures but the last so many.
    func shown(_ droppedCount: Int) -> String { parts.dropLast(droppedCount).joined(separator: ", ") }

    func bar(width: Int) -> String {
      let filledCount = state.dueCount > 0 ? min(width, width * state.doneCount / state.dueCount) : 0
      return String(repeating: "#", count: filledCount) + String(repeating: ".", count: width - filledCount)
    }
  }
}
