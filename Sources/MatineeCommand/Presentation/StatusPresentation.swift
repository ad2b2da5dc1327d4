import CatalogEngine

/// What a database holds, as the command prints it.
struct StatusPresentation {
  let database: String
  /// Whether there is a file. Where there is none, ``summary`` is that of an empty catalogue, whose size and schema are
  /// nobody's.
  var isThere = true
  let summary: StoreSummary
  let now: Timestamp
  /// The last syncs, the latest first; `nil` if they were not asked for.
  var runs: [StoreSummary.Run]?

  /// The state as one JSON object.
  func json() -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("database", database)
      json.member("schemaVersion", isThere ? summary.schemaVersion : nil)
      json.member("byteCount", isThere ? summary.byteCount : nil)
      json.member("kinds", each: summary.kinds) { json, kind in json.object { $0.members(of: kind) } }
      json.member("movies", summary.movieCount)
      json.member("lastAttemptAt", summary.lastAttemptAt?.description)
      json.member("failed", summary.failureCount)
      json.member("failures", each: summary.failures) { json, attempt in
        json.object { $0.members(of: attempt) }
      }
      json.member("lastRun", object: summary.lastRun) { json, run in json.members(of: run) }
      json.name("runs")
      if let runs {
        json.array(runs) { json, run in json.object { $0.members(of: run) } }
      } else {
        json.null()
      }
      json.member("quotas", each: summary.quotas) { json, quota in json.object { $0.members(of: quota) } }
      json.member("breakers", each: summary.breakers) { json, breaker in
        json.object { $0.members(of: breaker) }
      }
    }
    return json.text + "\n"
  }

  /// The state as a few lines, a table of the kinds, and the failures.
  func table(width: Int, style: Style) -> String {
    let size =
      isThere
      ? "\(summary.byteCount.byteCountShown), schema \(summary.schemaVersion)" : "not there yet"
    var lines = [
      style.drawn("Database", as: .heading) + " \(database.neutralized) (\(size))",
      "\(summary.movieCount.grouped) movies known · last attempt \(ago(summary.lastAttemptAt))", "",
    ]
    lines += kinds().lines(width: width, style: style)
    lines += [""] + (runs.map { runTable($0).lines(width: width, style: style) + [""] } ?? [runLine()])
    lines += summary.quotas.map(line(of:))
    lines += summary.breakers.compactMap(line(of:)).map { style.drawn($0, as: .warning) }
    if summary.failureCount > 0 { lines += [""] + failures(width: width, style: style) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func ago(_ instant: Timestamp?) -> String {
    instant.map { now.duration(since: $0).ago } ?? "never"
  }

  private func kinds() -> Table {
    var table = Table([
      .init("Stored", .left), .init("Count"), .init("Samples", priority: 2), .init("Missing", priority: 1),
      .init("From", .left), .init("To", .left), .init("Newest", priority: 3), .init("Oldest", priority: 4),
    ])
    for kind in summary.kinds {
      func key(_ key: String?) -> Table.Cell { key.map { .init(kind.kind.shown(key: $0)) } ?? "–" }
      table.append([
        .init(kind.kind.rawValue), .init(kind.storedCount.grouped), .init(kind.recordedCount.grouped),
        .init(kind.missingCount.grouped, kind.missingCount > 0 ? .warning : .plain),
        key(kind.firstKey), key(kind.lastKey),
        .init(kind.newestFetchedAt == nil ? "–" : ago(kind.newestFetchedAt)),
        .init(kind.oldestFetchedAt == nil ? "–" : ago(kind.oldestFetchedAt)),
      ])
    }
    return table
  }

  private func runLine() -> String {
    guard let run = summary.lastRun else { return "No sync has run yet." }
    let figures =
      "\(run.fetchedCount.grouped) fetched, \(run.unchangedCount.grouped) unchanged, "
      + "\(run.revisedCount.grouped) revised, \(run.failedCount.grouped) failed"
    guard run.endedAt != nil else {
      return "Last sync began \(ago(run.startedAt)) and has not ended, or was killed: \(figures) so far."
    }
    let stop = run.stoppedBecause.map { "; it stopped early: \($0.neutralized)" } ?? ""
    return "Last sync \(ago(run.startedAt)): \(figures)\(stop)."
  }

  /// The last syncs, a row for each.
  private func runTable(_ runs: [StoreSummary.Run]) -> Table {
    var table = Table([
      .init("Sync", .left), .init("Began in Korea", .left, priority: 1), .init("Took", priority: 2),
      .init("Planned", priority: 3), .init("Fetched"), .init("Unchanged", priority: 4), .init("Revised"),
      .init("Failed"), .init("End", .left),
    ])
    for run in runs {
      let took = run.endedAt.map { $0.duration(since: run.startedAt).spoken } ?? "–"
      let end = run.stoppedBecause ?? (run.endedAt == nil ? "none: running, or killed" : "done")
      table.append([
        .init("\(run.id.rawValue)"), .init(run.startedAt.shownInKorea), .init(took),
        .init(run.plannedCount.grouped), .init(run.fetchedCount.grouped), .init(run.unchangedCount.grouped),
        .init(run.revisedCount.grouped, run.revisedCount > 0 ? .new : .plain),
        .init(run.failedCount.grouped, run.failedCount > 0 ? .warning : .plain),
        .init(end, run.endedAt != nil && run.stoppedBecause == nil ? .plain : .warning),
      ])
    }
    return table
  }

  private func line(of quota: StoreSummary.Quota) -> String {
    let reserve = quota.reservedCount > 0 ? ", \(quota.reservedCount.grouped) of them kept for readers" : ""
    let left = quota.leftCount > 0 ? "\(quota.leftCount.grouped) left\(reserve)" : "none left"
    return "Calls to \(quota.upstream.name.neutralized) on \(quota.day): \(quota.usedCount.grouped) of "
      + "\(quota.dailyCallCountMax.grouped) used, \(left); anew at \(quota.resetsAt.shownInKorea) in Korea."
  }

  /// What an open breaker means to who asks now; `nil` for a closed one.
  private func line(of breaker: StoreSummary.Breaker) -> String? {
    let state = breaker.state
    guard let openedAt = state.openedAt else { return nil }
    let next: String
    if state.isProbing(at: now) {
      next = "a call is finding out whether it is back"
    } else if let refusedUntil = state.refusal(at: now) {
      next = "next attempt at \(refusedUntil.shownInKorea) in Korea"
    } else {
      next = "the next call is an attempt"
    }
    return "\(breaker.upstream.name.neutralized) is taken to be down since \(openedAt.shownInKorea) in Korea "
      + "(\(ago(openedAt))), after \(state.consecutiveFailureCount.grouped) failures in a row; \(next)."
  }

  private func failures(width: Int, style: Style) -> [String] {
    let heading =
      summary.failureCount == summary.failures.count
      ? "Failed at the last attempt" : "Failed at the last attempt (\(summary.failureCount.grouped) in all)"
    var lines = [style.drawn(heading, as: .heading)]
    for attempt in summary.failures {
      let kept = attempt.isStored ? "an answer is stored" : "nothing stored"
      let aside =
        attempt.failure.setAsideUntil.map { ", left alone until \($0.shownInKorea) in Korea" } ?? ""
      lines.append("  \(attempt.resource), \(ago(attempt.failure.at)), \(kept)\(aside)")
      let reason = attempt.failure.description.neutralized.truncated(toWidth: max(20, width - 4))
      lines.append("    " + style.drawn(reason, as: .warning))
    }
    return lines
  }
}

extension ResourceID.Kind {
  /// A key of this kind as people read it: a chart's day in the extended form.
  func shown(key: String) -> String {
    switch self {
    case .dailyBoxOffice, .weeklyBoxOffice, .weekendBoxOffice, .weekdayBoxOffice:
      guard let day = CalendarDay(key.suffix(8)) else { return key }
      return "\(key.dropLast(8))\(day)"
    case .movieDetails, .personDetails, .companyDetails, .codes, .movieList, .companyList, .peopleList:
      return key
    }
  }
}

extension JSONWriter {
  /// Writes what is stored of a kind as members of the object that is open.
  fileprivate mutating func members(of kind: StoreSummary.KindSummary) {
    member("kind", kind.kind.rawValue)
    member("stored", kind.storedCount)
    member("recorded", kind.recordedCount)
    member("missing", kind.missingCount)
    member("firstKey", kind.firstKey)
    member("lastKey", kind.lastKey)
    member("oldestFetchedAt", kind.oldestFetchedAt?.description)
    member("newestFetchedAt", kind.newestFetchedAt?.description)
  }

  /// Writes a resource that failed as members of the object that is open.
  fileprivate mutating func members(of attempt: StoreSummary.FailedAttempt) {
    member("resource", attempt.resource.description)
    member("code", attempt.failure.code.rawValue)
    member("message", attempt.failure.message)
    member("at", attempt.failure.at?.description)
    member("isStored", attempt.isStored)
    member("setAsideUntil", attempt.failure.setAsideUntil?.description)
  }

  /// Writes the calls of an upstream's day as members of the object that is open.
  fileprivate mutating func members(of quota: StoreSummary.Quota) {
    member("upstream", quota.upstream.name)
    member("day", quota.day.description)
    member("limit", quota.dailyCallCountMax)
    member("used", quota.usedCount)
    member("reserved", quota.reservedCount)
    member("left", quota.leftCount)
    member("resetsAt", quota.resetsAt.description)
  }

  /// Writes the state of an upstream's breaker as members of the object that is open.
  fileprivate mutating func members(of breaker: StoreSummary.Breaker) {
    member("upstream", breaker.upstream.name)
    member("isOpen", breaker.state.isOpen)
    member("consecutiveFailures", breaker.state.consecutiveFailureCount)
    member("openedAt", breaker.state.openedAt?.description)
    member("nextAttemptAt", breaker.state.nextAttemptAt?.description)
  }

  /// Writes a sync run as members of the object that is open.
  fileprivate mutating func members(of run: StoreSummary.Run) {
    member("id", run.id.rawValue)
    member("startedAt", run.startedAt.description)
    member("endedAt", run.endedAt?.description)
    member("planned", run.plannedCount)
    member("fetched", run.fetchedCount)
    member("unchanged", run.unchangedCount)
    member("revised", run.revisedCount)
    member("failed", run.failedCount)
    member("stoppedBecause", run.stoppedBecause)
  }
}
