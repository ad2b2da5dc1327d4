/// The upstream's code of a person (KOBIS `peopleCd`): text, as `10000558`.
public struct PersonCode: Hashable, Comparable, Sendable {
  /// The code's characters.
  public let text: String

  /// Makes a code; `nil` unless it is 1 to ``MovieCode/characterCountMax`` ASCII letters and digits.
  public init?(_ text: some StringProtocol) {
    guard MovieCode.isCode(text.utf8) else { return nil }
    self.text = String(text)
  }

  /// Orders codes by their characters.
  public static func < (one: PersonCode, other: PersonCode) -> Bool { one.text < other.text }
}

extension PersonCode: CustomStringConvertible {
  /// The code's characters.
  public var description: String { text }
}
