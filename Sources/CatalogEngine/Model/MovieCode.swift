/// The upstream's code of a movie (KOBIS `movieCd`): text, as `20199882` or `2023C165`.
public struct MovieCode: Hashable, Comparable, Sendable {
  /// The code's characters.
  public let text: String

  /// The most characters a code may have; the upstream's have eight.
  public static let characterCountMax = 20

  /// Makes a code; `nil` unless it is 1 to ``characterCountMax`` ASCII letters and digits.
  public init?(_ text: some StringProtocol) {
    guard Self.isCode(text.utf8) else { return nil }
    self.text = String(text)
  }

  /// Makes a code from its bytes, for decoders: a generic initializer is not specialized across modules.
  package init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    guard Self.isCode(bytes) else { return nil }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// Whether bytes are 1 to ``characterCountMax`` ASCII letters and digits; the codes of people and companies are of
  /// the same form.
  @inline(__always)
  static func isCode(_ bytes: some Collection<UInt8>) -> Bool {
    (1...characterCountMax).contains(bytes.count) && bytes.allSatisfy(isAllowed)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  /// Orders codes by their characters.
  public static func < (one: MovieCode, other: MovieCode) -> Bool { one.text < other.text }
}

extension MovieCode: CustomStringConvertible {
  /// The code's characters.
  public var description: String { text }
}
