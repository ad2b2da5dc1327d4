import ArgumentParser
import CatalogEngine
import Matinee

/// `matinee list`: the movies, people and companies that are stored, page by page, and the upstream's codes.
struct ListCommand: Runnable {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Print what is known of movies, people, companies or codes, by page.",
    discussion: """
      Movies, people and companies come from the store alone. 'matinee sync' fills it, with '--only movies' and \
      its like by these lists alone; movies that charts name are there from the first sync on. Codes come from \
      the store while they are fresh, and from the upstream otherwise.

      EXAMPLES:
        matinee list                               movies, the latest first
        matinee list people --page 3 --page-size 1000
        matinee list movies --gone --format csv    with what is listed no more
        matinee list companies --format json | jq '.pageCount'
        matinee list codes --of areas              codes for 'show --filter'
      """)

  @Argument(
    help: ArgumentHelp(
      "What to list: movies (default), people, companies or codes.", valueName: "list"),
    completion: .list(ListArgument.allCases.map(\.rawValue)))
  var listText: String?

  @OptionGroup var pages: PageOptions

  @Flag(help: "Print also what the upstream's list no longer has.")
  var gone = false

  @Option(
    help: ArgumentHelp("Which codes to list: areas (default), nations or film-types.", valueName: "codes"),
    completion: .list(CodeList.allCases.map(\.rawValue)), transform: CodeList.parsed)
  var of: CodeList?

  @Option(help: ArgumentHelp("How to print it.", valueName: "format"))
  var format = RowFormat.table

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    let list = try listText.map(ListArgument.parsed) ?? .movies
    if of != nil && list != .codes {
      throw CommandError(.usage, "--of names a list of codes, and goes with 'list codes' alone")
    }
    if gone && list == .codes {
      throw CommandError(.usage, "--gone goes with movies, people and companies; codes have none")
    }
    let settings = try context.settings(global)
    guard list != .codes else { return try await showCodes(settings, in: context) }
    let query = ListingQuery(offset: pages.offset, limit: pages.pageSize, includesGone: gone)
    try await context.withCatalog(settings, key: nil, use: .looking) { catalog in
      switch list {
      case .movies: try show(try await catalog.movies(query), settings, in: context)
      case .people: try show(try await catalog.people(query), settings, in: context)
      case .companies: try show(try await catalog.companies(query), settings, in: context)
      case .codes: break
      }
    }
    return .done
  }

  private func show(
    _ listing: Listing<some ListedRow>, _ settings: Settings, in context: CommandContext
  ) throws(OutputError) {
    let presentation = ListingPresentation(
      listing: listing, place: pages.place(ofRows: listing.totalCount), now: context.now)
    try context.print(presentation, as: format)
    context.noticeMissingDatabase(settings)
    for warning in presentation.warnings { context.errors.notice(warning) }
  }

  private func showCodes(_ settings: Settings, in context: CommandContext) async throws -> ExitStatus {
    var place: PagePlace?
    let status = try await context.show(
      .codes(of ?? .areas), settings: settings, format: format
    ) { reading in
      let presentation = CodesPresentation(reading: reading, options: pages)
      place = presentation.place
      return presentation
    }
    if let warning = place?.warning { context.errors.notice(warning) }
    return status
  }
}
