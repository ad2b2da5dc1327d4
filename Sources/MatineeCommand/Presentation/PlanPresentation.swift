import CatalogEngine

/// What a sync would do, as `--dry-run` prints it.
struct PlanPresentation {
  let plan: SyncPlan
  let days: ClosedRange<CalendarDay>

  /// The plan as one JSON object.
  func json() -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("from", days.lowerBound.description)
      json.member("to", days.upperBound.description)
      json.member("skipped", plan.skippedCount)
      json.member("due", each: plan.due) { $0.value($1.description) }
    }
    return json.text + "\n"
  }

  /// The plan as lines of JSON: a line for each resource that is due.
  func lines() -> String {
    plan.due.reduce(into: "") { text, resource in
      var json = JSONWriter()
      json.object { $0.member("due", resource.description) }
      text += json.text + "\n"
    }
  }

  /// How much of each kind is due.
  func table(width: Int, style: Style) -> String {
    var table = Table([.init("Due", .left), .init("Count"), .init("From", .left), .init("To", .left)])
    for kind in ResourceID.Kind.allCases {
      let keys = plan.due.filter { $0.subject.kind == kind }.map(\.subject.key).sorted()
      guard let first = keys.first, let last = keys.last else { continue }
      func shown(_ key: String) -> String {
        kind == .movieDetails ? key : CalendarDay(key)?.description ?? key
      }
      table.append([.init(kind.rawValue), .init(keys.count.grouped), .init(shown(first)), .init(shown(last))])
    }
    let head = "A sync of \(days.lowerBound) to \(days.upperBound) would make \(plan.due.count.grouped) calls"
    let tail = " and leave \(plan.skippedCount.grouped) fresh resources alone; nothing was asked."
    var lines = [head + tail]
    if !plan.due.isEmpty { lines += [""] + table.lines(width: width, style: style) }
    return lines.joined(separator: "\n") + "\n"
  }
}
