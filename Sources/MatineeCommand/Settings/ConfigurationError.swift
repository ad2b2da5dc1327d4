import KOBIS

/// Why a configuration file is refused, and where.
struct ConfigurationError: Error, Hashable {
  /// The line, from 1.
  var line: Int
  /// What is wrong; it repeats no value, which might be a key.
  var reason: String

  init(line: Int, reason: String) {
    self.line = line
    self.reason = reason
  }

  /// Tells why `bytes` are not JSON.
  init(_ error: JSONError, in bytes: [UInt8]) {
    let before = bytes.prefix(error.offset)
    let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
    let reason = Self.explanation(of: error.kind)
    self.init(
      line: Self.line(at: error.offset, in: bytes), reason: "\(reason), at byte \(column) of the line")
  }

  /// The line, from 1, on which the byte at `offset` stands.
  static func line(at offset: Int, in bytes: [UInt8]) -> Int {
    1 + bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") }
  }

  private static func explanation(of kind: JSONError.Kind) -> String {
    switch kind {
    case .empty: "there is nothing in it; a configuration is a JSON object, if an empty one: {}"
    case .wrongType(_, let found):
      "a configuration is a JSON object, and this is another type: \(found.rawValue)"
    case .truncated: "this is no JSON: it ends too early"
    case .unexpectedByte: "this is no JSON: a character does not belong there"
    case .byteOrderMark: "this is no JSON: it begins with a byte order mark"
    case .malformedUTF8: "this is no JSON: it is not UTF-8"
    case .controlCharacter: "this is no JSON: a text holds a line end or a control character"
    case .unknownEscape, .loneSurrogate: "this is no JSON: a text holds an unknown escape"
    case .tooDeep: "it nests too deep"
    case .trailingBytes: "this is no JSON: something follows the closing brace"
    }
  }
}
