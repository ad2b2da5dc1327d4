import CatalogEngine

/// A movie as the command prints it: its details, if there are any, and its rows in stored charts.
struct MoviePresentation: RowPresentation {
  let resource: ResourceID
  let code: MovieCode
  let details: Reading<MovieDetails>?
  let appearances: [ChartAppearance]

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
    ResourceID(upstream: resource.upstream, subject: .boxOffice(appearance.period, appearance.filter))
      .description
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
        .init(Self.name(of: appearance)), .init(appearance.period.day.description),
        .init(entry.rank.grouped), .rankChange(of: entry), .init(entry.audience.grouped),
        .init(entry.isNew ? "" : entry.audienceChangePercent.shownAsChange, .faint),
        .init(entry.audienceTotal.grouped), .init(entry.salesShare.shown), .init(entry.screens.grouped),
        .init(entry.salesKRW.grouped),
      ])
    }
    return (lines + table.lines(width: width, style: style)).joined(separator: "\n") + "\n"
  }

  /// The kind of the chart, and what it is narrowed down to.
  private static func name(of appearance: ChartAppearance) -> String {
    let kind = appearance.period.kind.rawValue
    return appearance.filter.isEverything ? kind : "\(kind) \(appearance.filter)"
  }

  private func untitled(style: Style) -> [String] {
    let title = appearances.last?.entry.title ?? code.text
    return [style.drawn("\(title.neutralized) (\(code))", as: .heading), "no details stored"]
  }

  private func head(of reading: Reading<MovieDetails>, width: Int, style: Style) -> [String] {
    let movie = reading.value
    let facts = FactLines([
      ("Code", movie.code.text),
      ("Opened", movie.openedOn?.description),
      ("Produced", movie.productionYear.map(String.init)),
      ("Runs", movie.runningMinutes.map { "\($0) min" }),
      ("Status", movie.status),
      ("Type", movie.type),
      ("Genres", FactLines.list(movie.genres)),
      ("Nations", FactLines.list(movie.nations)),
      ("Rating", FactLines.list(movie.audits.compactMap(\.grade).uniqued())),
      ("Directors", FactLines.list(movie.directors.map(\.name))),
      (
        "Cast",
        FactLines.list(movie.actors.map { actor in actor.name + (actor.role.map { " (\($0))" } ?? "") })
      ),
      ("Staff", movie.staff.isEmpty ? nil : "\(movie.staff.count.grouped) people"),
      (
        "Companies",
        FactLines.list(
          movie.companies.map { company in company.name + (company.part.map { " (\($0))" } ?? "") })
      ),
      (
        "Shown as",
        FactLines.list(movie.showTypes.map { [$0.group, $0.name].compactMap(\.self).joined(separator: " ") })
      ),
    ])
    let heading = FactLines.heading(movie.title, movie.titleEnglish, movie.titleOriginal, style: style)
    return [heading, ReadingProvenance(reading).summary(style: style), ""]
      + facts.lines(width: width, style: style)
  }
}
