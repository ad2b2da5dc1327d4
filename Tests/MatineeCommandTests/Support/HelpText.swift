/// What a help text says, for tests that hold other texts to it.
struct HelpText {
  let text: String

  init(_ text: String) { self.text = text }

  /// The options that stand at the beginning of a line, a flag and its opposite as `--wait/--no-wait`.
  var options: Set<String> {
    Set(
      text.split(separator: "\n").flatMap { line -> [String] in
        let line = line.drop { $0 == " " }
        let words = line.split(whereSeparator: { $0 == " " || $0 == "," })
        guard line.hasPrefix("-"), let name = words.first(where: { $0.hasPrefix("--") }) else { return [] }
        return name.split(separator: "/").map(String.init)
      })
  }
}
