extension StringProtocol {
  /// The text as it may be shown on a terminal: without characters that would move the cursor, colour what follows,
  /// start a line of their own, or turn the direction of the text around them.
  ///
  /// Each is shown as U+FFFD, so that a text that was tampered with looks like it.
  var neutralized: String {
    if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return String(self) }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars { result.append(scalar.isHarmless ? scalar : "\u{FFFD}") }
    return String(result)
  }
}

extension Unicode.Scalar {
  fileprivate var isHarmless: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F: false
    // Line and paragraph separator; embeddings, overrides and isolates of the Unicode Bidirectional Algorithm.
    case 0x2028...0x202E, 0x2066...0x2069: false
    default: true
    }
  }
}
