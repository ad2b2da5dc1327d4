import ArgumentParser

extension MatineeArguments {
  private static let help = "help"
  private static let helpOptions: Set<String> = ["-h", "--help", "--version"]
  /// The options that stand before a subcommand and have a value, which is no subcommand's name.
  private static let valuedOptions: Set<String> = ["--database", "--upstream", "--config", "--log-level"]

  /// Refuses a subcommand that there is not. The parser by itself prints the root's help for `help nope` and
  /// `nope --help`, as if that had been asked for.
  ///
  /// - Throws: ``CommandError`` of status 64 that names it, and the nearest there is.
  static func checkSubcommand(_ arguments: [String]) throws(CommandError) {
    let words = words(arguments[...])
    guard let first = words.first else { return }
    let names = configuration.subcommands.compactMap { $0.configuration.commandName }
    guard first == help else { return try check(first, among: names + [help]) }
    guard words.count > 1 else { return }
    try check(words[1], among: names + [help])
    if words.count > 2 {
      throw CommandError(.usage, "help is of one subcommand, and '\(words[2])' is one word too many")
    }
  }

  private static func check(_ name: String, among names: [String]) throws(CommandError) {
    guard !names.contains(name) else { return }
    let nearest = NearestName.nearest(to: name, in: names).map { "; the nearest is '\($0)'" } ?? ""
    throw CommandError(.usage, "there is no subcommand '\(name)'\(nearest). `matinee help` lists them")
  }

  /// The arguments up to the first that only the parser knows, without options and their values.
  private static func words(_ arguments: ArraySlice<String>) -> [String] {
    guard let first = arguments.first else { return [] }
    let rest = arguments.dropFirst()
    if valuedOptions.contains(first) { return words(rest.dropFirst()) }
    if helpOptions.contains(first) || valuedOptions.contains(where: { first.hasPrefix("\($0)=") }) {
      return words(rest)
    }
    return first.hasPrefix("-") ? [] : [first] + words(rest)
  }
}
