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
      json.member("calls", plan.due.count)
      json.member("skipped", plan.skippedCount)
      json.member("setAside", plan.setAsideCount)
      json.member("steps", each: plan.steps) { json, step in
        json.object { json in
          json.member("reason", step.reason.rawValue)
          json.member("calls", step.due.count)
        }
      }
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

  /// How much of each kind is due, step by step.
  func table(width: Int, style: Style) -> String {
    var table = Table([
      .init("Why", .left), .init("Due", .left), .init("Calls"), .init("From", .left), .init("To", .left),
    ])
    for step in plan.steps {
      for kind in ResourceID.Kind.allCases {
        let subjects = step.due.map(\.subject).filter { $0.kind == kind }
        guard let (first, last) = Self.span(of: subjects) else { continue }
        table.append([
          .init(step.reason.rawValue), .init(kind.rawValue), .init(subjects.count.grouped), .init(first),
          .init(last),
        ])
      }
    }
    let head = "A sync of \(days.lowerBound) to \(days.upperBound) would make \(plan.due.count.grouped) calls"
    let tail = " and leave \(plan.skippedCount.grouped) fresh charts alone; nothing was asked."
    var lines = [head + tail]
    if plan.setAsideCount > 0 {
      lines.append(
        plan.setAsideCount == 1
          ? "One more is set aside for a while: its answer was of no use."
          : "\(plan.setAsideCount.grouped) more are set aside for a while: their answers were of no use.")
    }
    if !plan.due.isEmpty { lines += [""] + table.lines(width: width, style: style) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The first and the last of some subjects of one kind: days of charts, else keys.
  private static func span(of subjects: [ResourceID.Subject]) -> (String, String)? {
    let names = subjects.map { subject in
      if case .boxOffice(let period, _) = subject { period.day.description } else { subject.key }
    }
    guard let first = names.min(), let last = names.max() else { return nil }
    return (first, last)
  }
}
