import ArgumentParser
import CatalogEngine
import Matinee

/// `matinee movie`: one movie's details, and its rows in stored charts.
struct MovieCommand: Runnable {
  static let configuration = CommandConfiguration(
    commandName: "movie",
    abstract: "Print a movie's details and its rows in stored charts.",
    discussion: """
      Details come from the store while they are fresh, and from the upstream otherwise; the rows come from the \
      store alone. Without details, the rows are printed by themselves, and stderr says why, unless --max-age or \
      '--policy network-only' asks for details or nothing.

      EXAMPLES:
        matinee movie 20196309
        matinee movie 20196309 --format json | jq '.chartDays[] | [.day, .rank]'
        matinee movie 20196309 --format csv  its chart days alone
      """)

  @Argument(
    help: ArgumentHelp(
      "The movie's code at the upstream, as 'show' prints it in JSON and CSV (movieCode).", valueName: "code")
  )
  var codeText: String

  @OptionGroup var reading: ReadingOptions

  @Option(help: ArgumentHelp("How to print it; csv is the chart days alone.", valueName: "format"))
  var format = RowFormat.table

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    guard let code = MovieCode(codeText) else {
      throw CommandError.malformedCode(codeText, example: "20196309")
    }
    let settings = try context.settings(global)
    return try await context.withCatalog(settings, policy: reading.policy) { catalog in
      let presentation = try await presentation(of: code, from: catalog, context: context)
      try context.print(presentation, as: format)
      if let details = presentation.details { context.warn(of: details) }
      await catalog.waitForRefreshes()
      return .done
    }
  }

  private func presentation(
    of code: MovieCode, from catalog: MovieCatalog, context: CommandContext
  ) async throws -> MoviePresentation {
    do {
      let details = try await catalog.read(
        .movieDetails(code), policy: reading.policy, maxAge: reading.maxAge)
      return MoviePresentation(
        resource: details.resource, code: code, details: details,
        appearances: try await catalog.appearances(of: code))
    } catch let failure as CatalogFailure where reading.maxAge == nil && reading.policy != .networkOnly {
      let appearances = try await catalog.appearances(of: code)
      guard !appearances.isEmpty else { throw failure }
      context.errors.notice("no details of \(code), only its rows in stored charts: \(failure)")
      let resource = ResourceID(upstream: catalog.source.upstream, subject: .movieDetails(code))
      return MoviePresentation(resource: resource, code: code, details: nil, appearances: appearances)
    }
  }
}
