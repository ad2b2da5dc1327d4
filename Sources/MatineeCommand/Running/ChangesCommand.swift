import ArgumentParser
import CatalogEngine

/// `matinee changes`: what the store learned, in the order in which it did.
struct ChangesCommand: Runnable {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "Print what appeared, moved, was corrected or vanished.",
    discussion: """
      Asks the store alone, and prints the oldest changes first: those of the last 7 days, unless told otherwise. To \
      follow them, hand the 'lastID' of one answer to the next call's --after.

      EXAMPLES:
        matinee changes                           the last 7 days
        matinee changes --since yesterday --kind corrected
        matinee changes --since 1h --format ndjson
        matinee changes --after 1234 --format json | jq '.lastID'
      """)

  @Option(
    help: ArgumentHelp(
      "Changes stored since a day began in Korea, or so long ago, as 90s, 15m, 1h or 7d.",
      discussion: "Default: 7d, and with --after all.", valueName: "day|duration"),
    completion: .list(DayReference.names), transform: SinceArgument.parsed)
  var since: SinceArgument?

  @Option(help: ArgumentHelp("Changes that came after the one of this number; 0 for all.", valueName: "id"))
  var after: Int64?

  @Option(
    name: .customLong("kind"),
    help: ArgumentHelp(
      "Which kinds, parted by commas: appeared, moved, corrected, vanished; default: all.",
      valueName: "kinds"),
    completion: .list(CatalogChange.Kind.allCases.map(\.rawValue)),
    transform: Set<CatalogChange.Kind>.parsed)
  var kinds: Set<CatalogChange.Kind>?

  @Option(help: ArgumentHelp("The most changes to print, 1 to 10000.", valueName: "n"))
  var limit = 1000

  @Option(help: ArgumentHelp("How to print them.", valueName: "format"))
  var format = ChangeFormat.table

  @OptionGroup(title: "Global options") var global: GlobalOptions

  /// How far back changes are printed unless it is told.
  static let sinceDefault = SinceArgument.ago(.seconds(7 * 86_400))

  func validate() throws {
    if let after, after < 0 { throw ValidationError("--after must be a change's number, or 0, not \(after)") }
    guard (1...ChangeQuery.limitMax).contains(limit) else {
      throw ValidationError("--limit must be 1 to \(ChangeQuery.limitMax), not \(limit)")
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let settings = try context.settings(global)
    let since = (self.since ?? (after == nil ? Self.sinceDefault : nil))?.instant(at: context.now)
    if let since, since > context.now {
      throw CommandError(.usage, "--since names a time that has not come yet, \(since)")
    }
    let query = ChangeQuery(
      since: since, after: after.map(CatalogChange.ID.init), kinds: kinds ?? [], limit: limit)
    let presentation = try await context.withCatalog(settings, key: nil, use: .looking) { catalog in
      let changes = try await catalog.changes(query)
      var next = query
      next.after = changes.last?.id
      next.limit = 1
      let hasMore = changes.count == limit ? try await !catalog.changes(next).isEmpty : false
      return ChangesPresentation(query: query, changes: changes, hasMore: hasMore)
    }
    switch format {
    case .table: try context.print(presentation.table(width: context.columnCount, style: context.style))
    case .json: try context.print(presentation.json())
    case .ndjson: try context.print(presentation.lines())
    case .csv: try context.print(presentation.csv())
    }
    context.noticeMissingDatabase(settings)
    if presentation.hasMore, let last = presentation.lastID {
      context.errors.notice("there are more; --after \(last.rawValue) goes on")
    }
    return .done
  }
}
