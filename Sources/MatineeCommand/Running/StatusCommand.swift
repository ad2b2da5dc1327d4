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
        matinee status --format json | jq '.failures[].resource'
        matinee status --format json | jq '.quotas[0].left'
      """)

  @OptionGroup(title: "Global options") var global: GlobalOptions

  @Option(help: ArgumentHelp("How to print it.", valueName: "format"))
  var format = StateFormat.table

  /// The most failures that are listed.
  static let failureCountMax = 10

  func run(in context: CommandContext) async throws -> ExitStatus {
    let settings = try context.settings(global)
    let exists = settings.database.exists
    let summary = try await context.withCatalog(settings, key: nil, use: .looking) { catalog in
      try await catalog.summary(failureLimit: Self.failureCountMax)
    }
    if !exists {
      context.errors.notice(
        "nothing is stored yet: there is no database at \(settings.database.path); `matinee sync` makes it")
    }
    let presentation = StatusPresentation(
      database: settings.database.path, summary: summary, now: context.now)
    switch format {
    case .table: try context.print(presentation.table(width: context.columnCount, style: context.style))
    case .json: try context.print(presentation.json())
    }
    return .done
  }
}
