import CatalogEngine

/// A chart as the command prints it: a table for people, JSON or CSV for programs.
struct ChartPresentation: RowPresentation {
  let reading: Reading<BoxOffice>

  private var period: BoxOfficePeriod { reading.value.period }

  /// The chart as one JSON object, by the contract.
  func json() -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("resource", reading.resource.description)
      json.member("day", period.day.description)
      json.member("through", period.through.description)
      json.members(of: ReadingProvenance(reading))
      json.member("entries", each: reading.value.entries) { json, entry in
        json.object { $0.members(of: entry) }
      }
    }
    return json.text + "\n"
  }

  /// The chart's rows; where they come from is in no row.
  func csv() -> String {
    var csv = CSVWriter(header: ChartField.names)
    for entry in reading.value.entries { csv.append(ChartField.fields(of: entry).map(\.spelled)) }
    return csv.text
  }

  /// The chart as a table under a head of two lines.
  func table(width: Int, style: Style) -> String {
    let head = [
      style.drawn(period.shown(reading.value.filter), as: .heading),
      ReadingProvenance(reading).summary(style: style), "",
    ]
    guard !reading.value.entries.isEmpty else {
      return (head + ["The upstream has no rows for it (yet)."]).joined(separator: "\n") + "\n"
    }
    var table = Table([
      .init("#"), .init("", .left), .init("Title", .left, widthMin: 20), .init("Admissions"),
      .init("Change", priority: 3), .init("Total", priority: 1), .init("Share", priority: 2),
      .init("Screens", priority: 4), .init("Sales ₩", priority: 5), .init("Opened", priority: 6),
      .init("Showings", priority: 7),
    ])
    for entry in reading.value.entries { table.append(Self.row(of: entry)) }
    return (head + table.lines(width: width, style: style)).joined(separator: "\n") + "\n"
  }

  private static func row(of entry: BoxOfficeEntry) -> [Table.Cell] {
    [
      .init(entry.rank.grouped), .rankChange(of: entry), .init(entry.title), .init(entry.audience.grouped),
      .init(entry.isNew ? "" : entry.audienceChangePercent.shownAsChange, .faint),
      .init(entry.audienceTotal.grouped), .init(entry.salesShare.shown), .init(entry.screens.grouped),
      .init(entry.salesKRW.grouped), .init(entry.openedOn?.description ?? "–", .faint),
      .init(entry.showings.grouped),
    ]
  }
}

extension Table.Cell {
  /// How a movie's rank moved: `NEW`, `▲2`, `▼1` or `–`.
  static func rankChange(of entry: BoxOfficeEntry) -> Table.Cell {
    if entry.isNew { return .init("NEW", .new) }
    if entry.rankChange > 0 { return .init("▲\(entry.rankChange)", .rise) }
    if entry.rankChange < 0 { return .init("▼\(entry.rankChange.magnitude)", .fall) }
    return .init("–", .faint)
  }
}

extension BoxOfficePeriod {
  /// The chart's name and days, and what it is narrowed down to: `Daily box office · Mon 2019-07-08 · Korean films`.
  func shown(_ filter: BoxOfficeFilter) -> String {
    let name =
      switch kind {
      case .daily: "Daily"
      case .weekly: "Weekly"
      case .weekdays: "Weekday"
      case .weekend: "Weekend"
      }
    let first = "\(day.weekday.abbreviation) \(day)"
    let days = kind == .daily ? first : "\(first) to \(through.weekday.abbreviation) \(through)"
    return (["\(name) box office", days] + filter.shown).joined(separator: " · ")
  }
}

extension BoxOfficeFilter {
  /// What is left of all films, in words.
  fileprivate var shown: [String] {
    var parts: [String] = []
    switch origin {
    case .korean?: parts.append("Korean films")
    case .foreign?: parts.append("foreign films")
    case nil: break
    }
    switch filmKind {
    case .diversity?: parts.append("diversity films")
    case .commercial?: parts.append("commercial films")
    case nil: break
    }
    return parts + (areaCode.map { ["area \($0)"] } ?? [])
  }
}
