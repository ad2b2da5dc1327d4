import ArgumentParser
import CatalogEngine

/// `matinee prune`: removes what nobody needs any more.
struct PruneCommand: Runnable {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Remove what is no longer needed: old details, attempts, records.",
    discussion: """
      Removes details fetched before the time that is kept and that no stored chart refers to, records of attempts \
      of before it that have no answer, and records of syncs of before it, but the latest. Charts go only with \
      --charts; a sync that covers their days fetches them again. The ledger of calls stays. Works beside a sync, in \
      many short transactions.

      The space is used again by what is stored next; with --vacuum the file is written anew, and shrinks.

      EXAMPLES:
        matinee prune --keep 365d --dry-run    what it would remove
        matinee prune --keep 365d
        matinee prune --keep 730d --charts --vacuum
      """)

  @Option(
    help: ArgumentHelp("How much of the past to keep, as 90d; at least 1d.", valueName: "duration"),
    transform: Duration.parsed)
  var keep: Duration

  @Flag(help: "Remove charts as well, those whose last day lies before what is kept.")
  var charts = false

  @Flag(help: "Write the file anew afterwards, so that it shrinks; others wait for that.")
  var vacuum = false

  @Flag(help: "Print what would be removed, and remove nothing; an older schema is migrated first.")
  var dryRun = false

  @Option(help: ArgumentHelp("How to print what was removed.", valueName: "format"))
  var format = StateFormat.table

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard keep >= PruneRequest.keepMin else {
      throw ValidationError("--keep must be at least 1d, not \(keep.wholeSeconds)s")
    }
    if dryRun && vacuum { throw ValidationError("--dry-run removes nothing, and leaves nothing to --vacuum") }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let settings = try context.settings(global)
    try context.requireDatabase(settings)
    let report = try await context.withCatalog(settings, key: nil, use: .looking) { catalog in
      guard !dryRun else { return try await catalog.prunable(keeping: keep, charts: charts) }
      return try await context.interruptible(
        saying: "stopping; what was removed is gone, and the rest is whole"
      ) {
        await catalog.prune(keeping: keep, charts: charts, rewriting: vacuum)
      }
    }
    let presentation = PrunePresentation(report: report, isDryRun: dryRun)
    switch format {
    case .table: try context.report(presentation.table(width: context.columnCount, style: context.style))
    case .json: try context.report(presentation.json())
    }
    if let error = report.storeError { throw error }
    return report.isComplete ? .done : .stoppedEarly
  }
}
