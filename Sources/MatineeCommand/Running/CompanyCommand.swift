import ArgumentParser
import CatalogEngine

/// `matinee company`: one company's details and filmography.
struct CompanyCommand: Runnable {
  static let configuration = CommandConfiguration(
    commandName: "company",
    abstract: "Print a company's details and filmography.",
    discussion: """
      They come from the store while they are fresh, and from the upstream otherwise; if that fails, what is stored is \
      printed all the same, and stderr says how old it is and why. Codes are found by 'matinee list companies', and in \
      a movie's details.

      EXAMPLES:
        matinee company 20122353
        matinee company 20122353 --format json | jq -r '.filmography[].title'
        matinee company 20122353 --format csv  the filmography alone
      """)

  @Argument(
    help: ArgumentHelp(
      "The company's code at the upstream, as 'list companies' prints it.", valueName: "code"))
  var codeText: String

  @OptionGroup var reading: ReadingOptions

  @Option(help: ArgumentHelp("How to print it; csv is the filmography alone.", valueName: "format"))
  var format = RowFormat.table

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    guard let code = CompanyCode(codeText) else {
      throw CommandError.malformedCode(codeText, example: "20122353")
    }
    return try await context.show(
      .companyDetails(code), settings: context.settings(global), policy: reading.policy,
      maxAge: reading.maxAge, format: format
    ) { CreditedPresentation($0) }
  }
}
