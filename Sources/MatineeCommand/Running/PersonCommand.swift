import ArgumentParser
import CatalogEngine

/// `matinee person`: one person's details and filmography.
struct PersonCommand: Runnable {
  static let configuration = CommandConfiguration(
    commandName: "person",
    abstract: "Print a person's details and filmography.",
    discussion: """
      They come from the store while they are fresh, and from the upstream otherwise; if that fails, what is stored is \
      printed all the same, and stderr says how old it is and why. Codes are found by 'matinee list people'.

      EXAMPLES:
        matinee person 20112313
        matinee person 20112313 --format json | jq -r '.filmography[].title'
        matinee person 20112313 --format csv  the filmography alone
      """)

  @Argument(
    help: ArgumentHelp(
      "The person's code at the upstream, as 'list people' prints it.", valueName: "code"))
  var codeText: String

  @OptionGroup var reading: ReadingOptions

  @Option(help: ArgumentHelp("How to print it; csv is the filmography alone.", valueName: "format"))
  var format = RowFormat.table

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    guard let code = PersonCode(codeText) else {
      throw CommandError.malformedCode(codeText, example: "20112313")
    }
    return try await context.show(
      .personDetails(code), settings: context.settings(global), policy: reading.policy,
      maxAge: reading.maxAge, format: format
    ) { CreditedPresentation($0) }
  }
}
