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
      store alone. Without details, the rows are printed by themselves, and stderr says why.

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

  @Option(help: ArgumentHelp("How to print it; csv is the chart days alone.", valueName: "format"))
  var format = RowFormat.table

  @OptionGroup(title: "Global options") var global: GlobalOptions

  // Read once the parser is content: what follows a mistyped option is taken for an argument first.
  private var code: MovieCode {
    get throws {
      guard let code = MovieCode(codeText) else {
        throw CommandError(
          .usage,
          "The value '\(codeText)' is invalid for '<code>': a code is 1 to \(MovieCode.characterCountMax) letters and "
            + "digits, as 20196309")
      }
      return code
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let code = try code
    let settings = try context.settings(global)
    let key = try context.key(for: settings.upstream)
    return try await context.withCatalog(settings, key: key, use: .keeping) { catalog in
      let presentation = try await presentation(of: code, from: catalog, context: context)
      switch format {
      case .table: try context.print(presentation.table(width: context.columnCount, style: context.style))
      case .json: try context.print(presentation.json())
      case .csv: try context.print(presentation.csv())
      }
      if let details = presentation.details {
        for warning in ReadingProvenance(details).warnings { context.errors.notice(warning) }
      }
      await catalog.waitForRefreshes()
      return .done
    }
  }

  private func presentation(
    of code: MovieCode, from catalog: MovieCatalog, context: CommandContext
  ) async throws -> MoviePresentation {
    do {
      let details = try await catalog.read(.movieDetails(code))
      return MoviePresentation(
        resource: details.resource, code: code, details: details,
        appearances: try await catalog.appearances(of: code))
    } catch let failure as CatalogFailure {
      let appearances = try await catalog.appearances(of: code)
      guard !appearances.isEmpty else { throw failure }
      context.errors.notice("no details of \(code), only its rows in stored charts: \(failure)")
      let resource = ResourceID(upstream: UpstreamID("kobis"), subject: .movieDetails(code))
      return MoviePresentation(resource: resource, code: code, details: nil, appearances: appearances)
    }
  }
}
