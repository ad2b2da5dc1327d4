/// The colours of what is printed: ANSI sequences, or nothing where they are not wanted.
struct Style: Hashable, Sendable {
  /// What a text is, which decides how it is drawn.
  enum Role: Hashable, Sendable {
    case plain, heading, faint, rise, fall, new, warning, success, failure
  }

  /// Whether sequences are written.
  let isColored: Bool

  /// Writes no sequences.
  static let plain = Style(isColored: false)

  /// `text` as its role is drawn.
  func drawn(_ text: String, as role: Role) -> String {
    guard isColored, !text.isEmpty, let code = Self.code(of: role) else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  /// The parameters of SGR (ECMA-48, 8.3.117): the eight basic colours, which every palette makes legible.
  private static func code(of role: Role) -> String? {
    switch role {
    case .plain: nil
    case .heading: "1"
    case .faint: "2"
    case .rise, .success: "32"
    case .fall, .failure: "31"
    case .new, .warning: "33"
    }
  }
}
