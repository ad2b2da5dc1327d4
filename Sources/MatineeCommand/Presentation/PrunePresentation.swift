import CatalogEngine

/// What was pruned, as the command prints it.
struct PrunePresentation {
  let report: PruneReport
  let isDryRun: Bool

  /// The report as one JSON object.
  func json() -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("before", report.request.before.description)
      json.member("chartsBefore", report.request.chartsBefore?.description)
      json.member("dryRun", isDryRun)
      json.member("removed", object: report.removed) { json, removed in
        json.member("charts", removed.charts)
        json.member("details", removed.details)
        json.member("attempts", removed.attempts)
        json.member("runs", removed.runs)
      }
      json.member("isComplete", report.isComplete)
      json.member("byteCount", report.space?.byteCount)
      json.member("freeByteCount", report.space?.freeByteCount)
    }
    return json.text + "\n"
  }

  /// The report for people: a table of one row, and the space.
  func table(width: Int, style: Style) -> String {
    let removed = report.removed
    var table = Table([.init("Charts"), .init("Details"), .init("Attempts"), .init("Syncs")])
    table.append([
      .init(removed.charts.grouped), .init(removed.details.grouped), .init(removed.attempts.grouped),
      .init(removed.runs.grouped),
    ])
    let since = "of before \(report.request.before.shownInKorea) in Korea"
    let head = isDryRun ? "Would be removed, \(since)" : "Removed, \(since)"
    var lines = [style.drawn(head, as: .heading)] + table.lines(width: width, style: style)
    if let space = report.space { lines += ["", sentence(of: space)] }
    if !report.isComplete { lines += ["", "Stopped early: run it again to go on."] }
    return lines.joined(separator: "\n") + "\n"
  }

  private func sentence(of space: StoreSpace) -> String {
    guard space.freeByteCount > 0 else { return "The database takes \(space.byteCount.byteCountShown)." }
    return
      "The database takes \(space.byteCount.byteCountShown), \(space.freeByteCount.byteCountShown) of them free "
      + "for what is stored next; --vacuum gives them back."
  }
}
