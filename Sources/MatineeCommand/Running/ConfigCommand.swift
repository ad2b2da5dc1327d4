import ArgumentParser
import CatalogEngine

/// `matinee config`: the settings that hold, and where they come from.
struct ConfigCommand: Runnable {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print the settings that hold, and where each comes from.",
    discussion: """
      Asks nobody and opens no database. Of the API key it tells whether it is set and where, and never a character; \
      a key's file that is refused is told, too, and makes the exit status 78.

      EXAMPLES:
        matinee config
        matinee config --config new.json     tries a file before it is put in place
        matinee config --format json | jq '.settings[] | select(.origin != "default")'
      """)

  @OptionGroup(title: "Global options") var global: GlobalOptions

  @Option(help: ArgumentHelp("How to print it.", valueName: "format"))
  var format = StateFormat.table

  func run(in context: CommandContext) async throws -> ExitStatus {
    let settings = try context.settings(global)
    let environment = context.surroundings.environment
    let place = APIKeySetting.place(in: environment, file: settings.keyFile)
    var refusal: CommandError?
    do throws(CommandError) {
      if let place { context.errors.hide(try APIKeySetting.key(at: place, in: environment)) }
    } catch {
      refusal = error
    }

    let presentation = ConfigPresentation(settings: settings, keyPlace: place, keyRefusal: refusal?.message)
    let text =
      switch format {
      case .table: presentation.table(width: context.columnCount, style: context.style)
      case .json: presentation.json()
      }
    try context.report(text)
    for variable in UnknownVariable.all(in: environment) { context.errors.notice(variable.sentence) }
    if let refusal { throw refusal }
    return .done
  }
}
