/// What the checks came to, as the command prints it.
struct DoctorPresentation {
  let report: CheckReport

  /// The report as one JSON object.
  func json() -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("checks", each: report.results) { json, result in
        json.object { json in
          json.member("name", result.name.rawValue)
          json.member("state", result.state.name)
          json.member("found", result.found)
          json.member("remedy", result.remedy)
        }
      }
      json.member("problems", report.problemCount)
      json.member("warnings", report.warningCount)
    }
    return json.text + "\n"
  }

  /// The narrowest that what was found is broken into lines for.
  private static let foundWidthMin = 40

  /// The report for people: a row for each check, its remedy below it, and the counts.
  func table(width: Int, style: Style) -> String {
    var table = Table([.init("State", .left), .init("Check", .left), .init("Found", .left)])
    let taken = CheckResult.Name.allCases.reduce(0) { max($0, $1.rawValue.displayWidth) }
    let room = max(Self.foundWidthMin, width - taken - Self.stateWidth - 2 * Table.gap.count)
    for result in report.results {
      var lines = result.found.neutralized.brokenIntoLines(width: room)[...]
      table.append([
        .init(result.state.shown, result.state.role), .init(result.name.rawValue),
        .init(lines.popFirst() ?? "", result.state == .skipped ? .faint : .plain),
      ])
      for line in lines { table.append(["", "", .init(line, result.state == .skipped ? .faint : .plain)]) }
      // It is to be typed, so it stays in one line, however long.
      if let remedy = result.remedy { table.append(["", "", .init("→ " + remedy, .heading)]) }
    }
    let counts =
      counted(report.problemCount, "problem") + ", " + counted(report.warningCount, "warning")
    let role: Style.Role =
      report.problemCount > 0 ? .failure : report.warningCount > 0 ? .warning : .success
    return (table.lines(width: width, style: style) + [style.drawn(counts, as: role)]).joined(separator: "\n")
      + "\n"
  }

  private static let stateWidth = CheckResult.State.names.reduce(0) { max($0, $1.displayWidth) } + 2

  private func counted(_ count: Int, _ noun: String) -> String {
    "\(count.grouped) \(noun)\(count == 1 ? "" : "s")"
  }
}

extension CheckResult.State {
  /// The state's symbol and name.
  fileprivate var shown: String {
    switch self {
    case .ok: "✓ \(name)"
    case .warning: "! \(name)"
    case .problem: "✗ \(name)"
    case .skipped: "– \(name)"
    }
  }

  fileprivate var role: Style.Role {
    switch self {
    case .ok: .success
    case .warning: .warning
    case .problem: .failure
    case .skipped: .faint
    }
  }
}

extension StringProtocol {
  /// The text in lines that take at most `width` cells, broken at blanks; a word that is longer stays whole.
  func brokenIntoLines(width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      if !line.isEmpty, line.displayWidth + 1 + word.displayWidth > width {
        lines.append(line)
        line = String(word)
      } else {
        line += line.isEmpty && lines.isEmpty ? String(word) : " " + word
      }
    }
    return lines + [line]
  }
}
