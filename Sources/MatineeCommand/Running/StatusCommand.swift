import ArgumentParser
import CatalogEngine

/// `matinee status`: what is stored, how fresh it is, and how the last attempts went.
struct StatusCommand: Runnable {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Print what is stored, how fresh it is, and what calls are left.",
    discussion: """
      Asks nobody but the database, and makes none where there is none. Tells how the last attempts went, the calls \
      used, kept for readers and left in the upstream's day, and whether the upstream is taken to be down.

      EXAMPLES:
        matinee status
        matinee status --runs                  and the last ten syncs
        matinee status --format json | jq '.failures[].resource'
        matinee status --runs 100 --format json | jq '.runs[].stoppedBecause'
      """)

  @Option(
    defaultAsFlag: Self.runCountDefault,
    help: ArgumentHelp("Print the last syncs as well, 10 or so many; the store keeps 1000.", valueName: "n"))
  var runs: Int?

  @Option(help: ArgumentHelp("How to print it.", valueName: "format"))
  var format = StateFormat.table

  @OptionGroup(title: "Global options") var global: GlobalOptions

  /// How many syncs are printed unless it is told.
  static let runCountDefault = 10
  /// The most syncs that can be asked for.
  static let runCountMax = 1000
  /// The most failures that are listed.
  static let failureCountMax = 10

  func validate() throws {
    guard (1...Self.runCountMax).contains(runs ?? 1) else {
      throw ValidationError("--runs must be 1 to \(Self.runCountMax), not \(runs ?? 0)")
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let settings = try context.settings(global)
    let isThere = settings.database.exists
    let presentation = try await context.withCatalog(settings, key: nil, use: .looking) { catalog in
      var presentation = StatusPresentation(
        database: settings.database.path, isThere: isThere,
        summary: try await catalog.summary(failureLimit: Self.failureCountMax), now: context.now)
      if let runs { presentation.runs = try await catalog.runs(limit: runs) }
      return presentation
    }
    context.noticeMissingDatabase(settings)
    switch format {
    case .table: try context.print(presentation.table(width: context.columnCount, style: context.style))
    case .json: try context.print(presentation.json())
    }
    return .done
  }
}
