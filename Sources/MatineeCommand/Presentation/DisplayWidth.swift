// How many columns of a terminal a text takes.
//
// Terminals draw on a grid. East Asian characters take two cells of it, combining marks none, and a table of Korean
// titles lines up only if cells are counted, not characters. The rules are those of UAX #11 (East Asian Width):
// Wide and Fullwidth take two cells; Ambiguous takes one, as the annex advises outside East Asian legacy encodings.
// What a terminal draws as one glyph is one `Character` to Swift, so the widest scalar of a character decides.

extension Character {
  /// The cells of a terminal's grid that the character takes: 0, 1 or 2.
  var displayWidth: Int {
    var width = 0
    for scalar in unicodeScalars {
      // VARIATION SELECTOR-16 asks for the emoji form, which is drawn wide.
      width = max(width, scalar.value == 0xFE0F ? 2 : scalar.displayWidth)
      if width == 2 { break }
    }
    return width
  }
}

extension StringProtocol {
  /// The cells of a terminal's grid that the text takes in one line.
  var displayWidth: Int {
    // Digits and punctuation are the most of a table: no property is looked up for them.
    if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return utf8.count }
    return reduce(0) { $0 + $1.displayWidth }
  }

  /// The text, cut to at most `columnCount` cells; a cut text ends in `…`.
  func truncated(toWidth columnCount: Int) -> String {
    guard displayWidth > columnCount else { return String(self) }
    var result = ""
    var width = 1
    for character in self {
      let next = width + character.displayWidth
      guard next <= columnCount else { break }
      width = next
      result.append(character)
    }
    while result.last == " " { result.removeLast() }
    return columnCount > 0 ? result + "…" : ""
  }
}

extension Unicode.Scalar {
  /// The cells that the scalar takes on its own.
  fileprivate var displayWidth: Int {
    if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) || value == 0xAD ? 0 : 1 }
    // Medial vowels and final consonants of Hangul are drawn into the initial consonant's two cells.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
    default: return isWide || properties.isEmojiPresentation ? 2 : 1
    }
  }

  /// Whether the scalar is Wide or Fullwidth by `EastAsianWidth.txt`, emoji aside.
  private var isWide: Bool {
    guard value >= 0x1100 else { return false }
    return Self.wideRanges.contains { $0.contains(value) }
  }

  /// The blocks of Wide and Fullwidth scalars, the unassigned places between them included.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF,
    0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x2FFFD,
    0x30000...0x3FFFD,
  ]
}
