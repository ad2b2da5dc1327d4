/// Writes one JSON text (RFC 8259) with its members in the order they are given.
///
/// The command's contract fixes the order of keys, which encoders that go through dictionaries do not keep.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// The text written so far.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Writes an object whose members `body` writes.
  mutating func object(_ body: (inout JSONWriter) -> Void) { nested("{", "}", body) }

  /// Writes an array whose elements `body` writes.
  mutating func array(_ body: (inout JSONWriter) -> Void) { nested("[", "]", body) }

  /// Writes an array of one element for each of `elements`.
  mutating func array<Element>(_ elements: [Element], _ body: (inout JSONWriter, Element) -> Void) {
    array { json in for element in elements { body(&json, element) } }
  }

  /// Writes a member's name; its value follows.
  mutating func name(_ name: String) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a string, or `null`.
  mutating func value(_ text: String?) {
    separate()
    if let text { quote(text) } else { literal("null") }
  }

  /// Writes an integer, or `null`.
  mutating func value(_ number: (some BinaryInteger)?) {
    separate()
    literal(number.map { String($0) } ?? "null")
  }

  /// Writes `true` or `false`.
  mutating func value(_ flag: Bool) {
    separate()
    literal(flag ? "true" : "false")
  }

  /// Writes `null`.
  mutating func null() {
    separate()
    literal("null")
  }

  /// Writes a number that is spelled already, as an exact decimal.
  mutating func number(_ spelling: String) {
    separate()
    literal(spelling)
  }

  mutating func member(_ name: String, _ text: String?) {
    self.name(name)
    value(text)
  }

  mutating func member(_ name: String, _ number: (some BinaryInteger)?) {
    self.name(name)
    value(number)
  }

  mutating func member(_ name: String, _ flag: Bool) {
    self.name(name)
    value(flag)
  }

  /// Writes a member of an array, one element for each of `elements`.
  mutating func member<Element>(
    _ name: String, each elements: [Element], _ body: (inout JSONWriter, Element) -> Void
  ) {
    self.name(name)
    array(elements, body)
  }

  /// Writes a member whose value is an object of `content`, or `null`.
  mutating func member<Content>(
    _ name: String, object content: Content?, _ body: (inout JSONWriter, Content) -> Void
  ) {
    self.name(name)
    if let content { object { body(&$0, content) } } else { null() }
  }

  private mutating func nested(_ open: String, _ close: String, _ body: (inout JSONWriter) -> Void) {
    separate()
    literal(open)
    needsComma = false
    body(&self)
    literal(close)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func literal(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Escapes what RFC 8259 demands, and the C1 controls with it, which a terminal obeys as it does the others.
  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal("\\\"")
      case "\\": literal("\\\\")
      case "\n": literal("\\n")
      case "\r": literal("\\r")
      case "\t": literal("\\t")
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16)
        literal("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
