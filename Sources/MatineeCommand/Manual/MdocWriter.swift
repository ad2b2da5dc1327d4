/// Writes a page in mdoc(7), the language of manual pages that names what things are.
struct MdocWriter {
  private(set) var text = ""

  /// The longest line of running text in the page's source, by mdoc(7)'s custom.
  private static let lineCharacterCountMax = 80

  /// Writes a macro with words, which must be escaped where they can hold anything.
  mutating func macro(_ words: String...) { text += "." + words.joined(separator: " ") + "\n" }

  /// Writes running text, each sentence from a new line on, as formatters want it.
  mutating func prose(_ prose: String) {
    var line = ""
    var isSentenceOver = false
    for word in prose.split(separator: " ") {
      // The name of a file or of a variable is not to be broken by hyphens.
      let isName = word.contains { "_/$-".contains($0) }
      let escaped = (isName ? "\\%" : "") + Self.escaped(String(word))
      let isFull = line.count + 1 + escaped.count > Self.lineCharacterCountMax
      if !line.isEmpty, isSentenceOver || isFull {
        self.line(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + escaped
      isSentenceOver = word.last.map { ".?!".contains($0) } ?? false
    }
    if !line.isEmpty { self.line(line) }
  }

  /// Writes lines as they are.
  mutating func literal(_ lines: [String]) {
    macro("Bd", "-literal", "-offset", "2n")
    for line in lines { self.line(Self.escaped(line)) }
    macro("Ed")
  }

  /// Writes a line of escaped text, which is no request even if it begins with a period.
  private mutating func line(_ line: String) { text += (line.hasPrefix(".") ? "\\&" : "") + line + "\n" }

  /// A word of a macro: in quotes where it has blanks, and never taken for a macro itself.
  static func word(_ text: String) -> String {
    let word = escaped(text)
    if word.contains(" ") { return "\"\(word)\"" }
    let looksLikeMacro = word.count <= 3 && word.first?.isUppercase == true
    return (looksLikeMacro ? "\\&" : "") + word
  }

  /// Text that shows as it is: ASCII that formatters would make typographic, or obey, is named, and so is all else.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "\"": result += "\\(dq"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case " "..."}": result.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
      }
    }
    return result
  }
}
