import CatalogEngine

/// What a sync did, as the command prints it.
struct SyncPresentation {
  let report: SyncReport

  /// The summary as one JSON object, by the contract.
  func json() -> String {
    var json = JSONWriter()
    json.object { $0.members(of: report) }
    return json.text + "\n"
  }

  /// The last line of `ndjson`: the summary under its name.
  func lastLine() -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("summary", object: report) { json, report in json.members(of: report) }
    }
    return json.text + "\n"
  }

  /// One line of `ndjson`: a resource that is in the store for good, or that failed.
  static func line(_ event: SyncEvent) -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("resource", event.resource.description)
      json.member("outcome", event.outcome.rawValue)
      json.member("revision", event.revision)
      json.member("failure", object: event.failure) { json, failure in
        json.member("code", failure.code.rawValue)
        json.member("message", failure.message)
      }
    }
    return json.text + "\n"
  }

  /// The summary for people: a table of one row, and what failed and why.
  func table(width: Int, style: Style) -> String {
    var table = Table([
      .init("Fetched"), .init("Unchanged"), .init("Revised"), .init("Failed"), .init("Skipped"),
      .init("Calls"),
      .init("Took"),
    ])
    table.append([
      .init(report.fetchedCount.grouped), .init(report.unchangedCount.grouped),
      .init(report.revisedCount.grouped, report.revisedCount > 0 ? .new : .plain),
      .init(report.failedCount.grouped, report.failedCount > 0 ? .warning : .plain),
      .init(report.skippedCount.grouped), .init(report.callCount.grouped),
      .init(report.endedAt.duration(since: report.startedAt).spoken),
    ])
    var lines = table.lines(width: width, style: style)
    if let reason = report.stoppedBecause { lines += ["", "Stopped early: \(sentence(of: reason))"] }
    lines += failures(width: width, style: style)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The summary of one sync among many for people: a line, and what failed and why.
  func brief(width: Int, style: Style) -> String {
    let counts = [
      (report.fetchedCount, "fetched"), (report.unchangedCount, "unchanged"),
      (report.revisedCount, "revised"), (report.failedCount, "failed"), (report.skippedCount, "skipped"),
    ].map { "\($0.grouped) \($1)" }.joined(separator: ", ")
    let took = report.endedAt.duration(since: report.startedAt).spoken
    let end = report.stoppedBecause.map { "; stopped early: \($0)" } ?? ""
    let line = "\(report.startedAt)  \(counts), \(report.callsShown) in \(took)\(end)"
    var lines = [line] + failures(width: width, style: style)
    if lines.count > 1 { lines.append("") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func failures(width: Int, style: Style) -> [String] {
    guard !report.failures.isEmpty else { return [] }
    var lines = ["", style.drawn("Failed; what was stored of them is untouched", as: .heading)]
    for failure in report.failures.prefix(Self.failureLineCountMax) {
      let reason = failure.failure.description.neutralized
      lines.append("  \(failure.resource)  \(style.drawn(reason, as: .warning))")
    }
    let restCount = report.failedCount - min(report.failures.count, Self.failureLineCountMax)
    if restCount > 0 { lines.append("  and \(restCount.grouped) more; see `matinee status`") }
    return lines
  }

  /// The most failures that the table lists.
  static let failureLineCountMax = 10

  private func sentence(of reason: SyncReport.StopReason) -> String {
    // The refusal that stopped it, or the upstream's own word.
    let nextAttemptAt = (report.stopFailure ?? report.failures.last?.failure)?.nextAttemptAt
    let next = nextAttemptAt.map { "from \($0.shownInKorea) in Korea on" }
    return switch reason {
    case .budget: "the calls of --budget are spent; run it again to go on."
    case .quota: "the day's calls that a sync may make are used up; run it again \(next ?? "tomorrow")."
    case .keyMissing: "there is no API key."
    case .keyRefused: "the upstream refused the API key."
    case .upstreamUnavailable:
      "so many calls in a row failed that the upstream is taken to be down; run it again \(next ?? "later")."
    case .anotherSync: "another sync is at work on the database."
    case .storage: "the database failed."
    case .cancelled: "it was asked to; run it again to go on."
    default: "\(reason)."
    }
  }
}

extension SyncReport {
  /// The calls that were made, in words.
  var callsShown: String { Self.shown(callCount: callCount) }

  /// A number of calls, in words.
  static func shown(callCount: Int) -> String {
    callCount == 1 ? "1 call" : "\(callCount.grouped) calls"
  }
}

extension JSONWriter {
  /// Writes a sync's summary as members of the object that is open.
  fileprivate mutating func members(of report: SyncReport) {
    member("fetched", report.fetchedCount)
    member("unchanged", report.unchangedCount)
    member("revised", report.revisedCount)
    member("failed", report.failedCount)
    member("skipped", report.skippedCount)
    member("calls", report.callCount)
    member("retries", report.retryCount)
    member("budgetLeft", report.budgetLeft)
    member("stoppedBecause", report.stoppedBecause?.rawValue)
    member("startedAt", report.startedAt.description)
    member("endedAt", report.endedAt.description)
    member("failures", each: report.failures) { json, failure in
      json.object { json in
        json.member("resource", failure.resource.description)
        json.member("code", failure.failure.code.rawValue)
        json.member("message", failure.failure.message)
      }
    }
  }
}
