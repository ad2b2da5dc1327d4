import ArgumentParser
import CatalogEngine
import SQLiteMovieStore

/// `matinee export NAME`: the rows of a table, a view or a query of the command, for other programs.
struct ExportCommand: Runnable {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the rows of a table or query as CSV or lines of JSON.",
    discussion: """
      By name: \(queryNames), with keys, days and times as 'show' and 'status' have them, and every table and view of \
      the database, as it is stored. --list lists them with their columns. Rows come in the order of their key, all of \
      one moment, however many there are.

      EXAMPLES:
        matinee export charts > charts.csv
        matinee export charts --from 2019-07-08 --to 2019-07-14 --format ndjson
        matinee export movies --output movies.csv --force
        matinee export --list
      """)

  /// How rows are written.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case csv, ndjson
  }

  @Argument(help: ArgumentHelp("What to export, by name.", valueName: "name"))
  var name: String?

  @Option(help: ArgumentHelp("How to write it.", valueName: "format"))
  var format = Format.csv

  @Option(
    help: ArgumentHelp(
      "A file to write to in place of stdout; there is all of it, or nothing.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Replace the file of --output if it exists.")
  var force = false

  @Option(
    help: ArgumentHelp("Of 'charts': the first of the days in which a chart ends.", valueName: "day"),
    transform: DayReference.parsed)
  var from: DayReference?

  @Option(help: ArgumentHelp("The last of these days.", valueName: "day"), transform: DayReference.parsed)
  var to: DayReference?

  @Flag(help: "List what can be exported, and the columns of each.")
  var list = false

  @OptionGroup(title: "Global options") var global: GlobalOptions

  private static let queryNames = StoreExport.queries.map(\.name).joined(separator: ", ")

  func validate() throws {
    guard !list else {
      if name != nil || output != nil || force || from != nil || to != nil {
        throw ValidationError(
          "--list exports nothing, and takes neither a name nor --output, --force, --from or --to")
      }
      return
    }
    guard let name else { throw ValidationError("name what to export; --list lists it") }
    if force, output == nil {
      throw ValidationError("--force is for the file of --output, and there is none")
    }
    if from != nil || to != nil,
      StoreExport.queries.contains(where: { $0.name == name && $0.hasDays }) == false
    {
      throw ValidationError("'\(name)' has no days that --from and --to could narrow it to; 'charts' has")
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let settings = try context.settings(global)
    guard let name else { return try await printList(settings, in: context) }
    let days = try self.days(at: context.now)
    try context.requireDatabase(settings)
    let export = StoreExport(of: settings.database.path)
    let makeTarget: @Sendable () throws -> ExportTarget = {
      [output, force, standardOutput = context.surroundings.standardOutput] in
      try ExportTarget(of: export, file: output, replaces: force, standardOutput: standardOutput)
    }
    let format = format
    do {
      let rowCount = try await context.untilInterrupted(ending: "the export was stopped before its end") {
        switch format {
        case .csv: try await export.write(name, days: days) { CSVRowSink(to: try makeTarget()) }
        case .ndjson: try await export.write(name, days: days) { NDJSONRowSink(to: try makeTarget()) }
        }
      }
      if let output { context.errors.notice("\(rowCount.grouped) rows of \(name) are in \(output)") }
      return .done
    } catch let failure as StoreExport.Failure {
      switch failure {
      case .unknown(let contents): throw unknown(name, among: contents)
      case .store(let error): throw error
      case .sink(let error): throw error
      }
    }
  }

  private func days(at now: Timestamp) throws(CommandError) -> ClosedRange<CalendarDay>? {
    guard from != nil || to != nil else { return nil }
    let first = from?.resolved(at: now) ?? CalendarDay(daysSinceEpoch: 0)
    let last = to?.resolved(at: now) ?? CalendarDay(inKoreaAt: now)
    guard first <= last else { throw CommandError(.usage, "--from \(first) comes after --to \(last)") }
    return first...last
  }

  private func unknown(_ name: String, among contents: [StoreExport.Content]) -> CommandError {
    let names = contents.map(\.name)
    let nearest = NearestName.nearest(to: name, in: names).map { "; the nearest is '\($0)'" } ?? ""
    return CommandError(
      .usage, "there is no '\(name)' to export\(nearest). There are \(names.joined(separator: ", "))")
  }

  private func printList(_ settings: Settings, in context: CommandContext) async throws -> ExitStatus {
    var contents = StoreExport.queries
    if settings.database.exists {
      contents = try await StoreExport(of: settings.database.path).contents()
    } else {
      context.errors.notice(
        "there is no database at \(settings.database.path), so its tables and views are not listed")
    }
    var table = Table([.init("Name", .left), .init("What", .left), .init("Columns", .left)])
    for content in contents {
      table.append([
        .init(content.name), .init(content.kind.rawValue), .init(content.columns.joined(separator: ", ")),
      ])
    }
    try context.print(
      table.lines(width: context.columnCount, style: context.style).joined(separator: "\n") + "\n")
    return .done
  }
}
