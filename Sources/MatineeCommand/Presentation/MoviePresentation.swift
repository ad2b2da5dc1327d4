import CatalogEngine

/// A movie as the command prints it: its details, if there are any, and its rows in stored charts.
struct MoviePresentation {
  let resource: ResourceID
  let code: MovieCode
  let details: Reading<MovieDetails>?
  let appearances: [ChartAppearance]

  /// The names that a person or a company has in one line of text, and how many are listed there at most.
  private static let listedCountMax = 8

  /// The movie's chart rows; the details are in none of them.
  func csv() -> String {
    var csv = CSVWriter(header: ["resource", "day", "through"] + ChartField.names)
    for appearance in appearances {
      csv.append(
        [
          resourceName(of: appearance), appearance.period.day.description,
          appearance.period.through.description,
        ] + ChartField.fields(of: appearance.entry).map(\.spelled))
    }
    return csv.text
  }

  func resourceName(of appearance: ChartAppearance) -> String {
    ResourceID(upstream: resource.upstream, subject: .boxOffice(appearance.period)).description
  }

  /// Details as labelled lines, and the chart rows as a table.
  func table(width: Int, style: Style) -> String {
    var lines = details.map { head(of: $0, width: width, style: style) } ?? untitled(style: style)
    lines.append("")
    guard !appearances.isEmpty else {
      return (lines + ["It stands in no stored chart."]).joined(separator: "\n") + "\n"
    }
    var table = Table([
      .init("Chart", .left), .init("Day", .left), .init("#"), .init("", .left), .init("Admissions"),
      .init("Change", priority: 2), .init("Total"), .init("Share", priority: 1),
      .init("Screens", priority: 3),
      .init("Sales ₩", priority: 4),
    ])
    for appearance in appearances {
      let entry = appearance.entry
      table.append([
        .init(appearance.period.kind.rawValue), .init(appearance.period.day.description),
        .init(entry.rank.grouped), .rankChange(of: entry), .init(entry.audience.grouped),
        .init(entry.isNew ? "" : entry.audienceChangePercent.shownAsChange, .faint),
        .init(entry.audienceTotal.grouped), .init(entry.salesShare.shown), .init(entry.screens.grouped),
        .init(entry.salesKRW.grouped),
      ])
    }
    return (lines + table.lines(width: width, style: style)).joined(separator: "\n") + "\n"
  }

  private func untitled(style: Style) -> [String] {
    let title = appearances.last?.entry.title ?? code.text
    return [style.drawn("\(title.neutralized) (\(code))", as: .heading), "no details stored"]
  }

  private func head(of reading: Reading<MovieDetails>, width: Int, style: Style) -> [String] {
    let movie = reading.value
    let titles = [movie.titleEnglish, movie.titleOriginal].compactMap(\.self)
    let heading = ([movie.title] + titles.filter { $0 != movie.title }).map(\.neutralized).joined(
      separator: " · ")
    let facts: [(label: String, text: String?)] = [
      ("Code", movie.code.text),
      ("Opened", movie.openedOn?.description),
      ("Produced", movie.productionYear.map(String.init)),
      ("Runs", movie.runningMinutes.map { "\($0) min" }),
      ("Status", movie.status),
      ("Type", movie.type),
      ("Genres", Self.list(movie.genres)),
      ("Nations", Self.list(movie.nations)),
      ("Rating", Self.list(movie.audits.compactMap(\.grade).uniqued())),
      ("Directors", Self.list(movie.directors.map(\.name))),
      ("Cast", Self.list(movie.actors.map { actor in actor.name + (actor.role.map { " (\($0))" } ?? "") })),
      ("Staff", movie.staff.isEmpty ? nil : "\(movie.staff.count.grouped) people"),
      (
        "Companies",
        Self.list(
          movie.companies.map { company in company.name + (company.part.map { " (\($0))" } ?? "") })
      ),
      (
        "Shown as",
        Self.list(movie.showTypes.map { [$0.group, $0.name].compactMap(\.self).joined(separator: " ") })
      ),
    ]
    let labelWidth = 10
    let lines = facts.compactMap { fact -> String? in
      guard let text = fact.text else { return nil }
      let padding = String(repeating: " ", count: labelWidth - fact.label.count)
      let shown = text.neutralized.truncated(toWidth: max(20, width - labelWidth - 1))
      return style.drawn(fact.label, as: .faint) + padding + " " + shown
    }
    return [style.drawn(heading, as: .heading), ReadingProvenance(reading).summary(style: style), ""] + lines
  }

  /// The first names of a list, and how many more there are; `nil` for an empty one.
  private static func list(_ names: [String]) -> String? {
    guard !names.isEmpty else { return nil }
    let shown = names.prefix(listedCountMax).joined(separator: ", ")
    return names.count > listedCountMax ? "\(shown) and \(names.count - listedCountMax) more" : shown
  }
}

extension Sequence where Element: Hashable {
  /// The elements without repetitions, in the order they first come.
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
