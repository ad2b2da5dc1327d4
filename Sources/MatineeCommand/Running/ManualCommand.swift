import ArgumentParser

/// `matinee generate-manual`: the manual page, for whoever installs the command. Help texts do not name it, as they do
/// not name the parser's own `--generate-completion-script`.
struct ManualCommand: Runnable {
  static let configuration = CommandConfiguration(
    commandName: "generate-manual",
    abstract: "Print the manual page, matinee(1), in mdoc(7).",
    shouldDisplay: false)

  func run(in context: CommandContext) async throws -> ExitStatus {
    try context.print(try ManualPage().text)
    return .done
  }
}
