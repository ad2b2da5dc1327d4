/// The options that `doctor` was given and that the commands of its remedies need as well, to be about the same
/// database, upstream and configuration.
struct RepeatedOptions: Sendable {
  /// An option and its value.
  struct Option: Hashable, Sendable {
    var name: String
    var value: String
  }

  var options: [Option] = []

  /// A result whose remedy has the options in each of matinee's commands, before the backtick that ends it.
  func added(to result: CheckResult) -> CheckResult {
    var result = result
    result.remedy = result.remedy.map { added(to: $0) }
    return result
  }

  /// A text with the options in each command between backticks that is matinee's, and has not got them.
  func added(to text: String) -> String {
    var result = ""
    var command: String?
    var isQuoted = false
    for character in text {
      switch (character, command) {
      // What stands in quotes is a word of the shell, whatever it holds.
      case ("`", let open?) where !isQuoted:
        result += open + suffix(of: open) + "`"
        command = nil
      case ("`", nil):
        result.append(character)
        command = ""
      case (_, let open?):
        if character == "'", isQuoted || open.last != "\\" { isQuoted.toggle() }
        command = open + String(character)
      case (_, nil):
        result.append(character)
      }
    }
    return result + (command ?? "")
  }

  private func suffix(of command: String) -> String {
    let words = command.split(separator: " ")
    // Help is of no database.
    let own = words.starts(with: ["sudo", "-u"]) ? words.dropFirst(3) : words[...]
    guard own.first == "matinee", own.dropFirst().first != "help" else { return "" }
    return options.filter { !words.contains($0.name[...]) }
      .map { " \($0.name) \($0.value.shellWord)" }.joined()
  }
}
