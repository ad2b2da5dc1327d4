/// A strict parser of RFC 8259 that keeps lines.
struct JSONParser {
  /// The deepest nesting read: deeper documents would threaten the stack.
  static let depthMax = 512

  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var lineStart = 0
  private var depth = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func parseDocument() throws(JSONSyntaxError) -> JSONNode {
    skipSpace()
    let node = try parseValue()
    skipSpace()
    guard index == bytes.count else { throw failure("there is more after the end of the document") }
    return node
  }

  private func failure(_ reason: String, isAtEnd: Bool = false) -> JSONSyntaxError {
    JSONSyntaxError(line: line, column: index - lineStart + 1, reason: reason, isAtEnd: isAtEnd)
  }

  private var isAtEnd: Bool { index >= bytes.count }

  /// Whether the bytes end in the middle of `text`.
  private func endsWithin(_ text: String) -> Bool {
    bytes.count - index < text.utf8.count && text.utf8.starts(with: bytes[index...])
  }

  private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = current {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): index += 1
      case UInt8(ascii: "\n"):
        index += 1
        line += 1
        lineStart = index
      default: return
      }
    }
  }

  private mutating func expect(_ byte: Unicode.Scalar, _ what: String) throws(JSONSyntaxError) {
    guard let current else { throw failure("the document ends where \(what) was expected", isAtEnd: true) }
    guard current == UInt8(ascii: byte) else { throw failure("\(what) was expected") }
    index += 1
  }

  private mutating func parseValue() throws(JSONSyntaxError) -> JSONNode {
    let start = line
    guard let byte = current else {
      throw failure("the document ends where a value was expected", isAtEnd: true)
    }
    switch byte {
    case UInt8(ascii: "{"): return JSONNode(line: start, try parseObject())
    case UInt8(ascii: "["): return JSONNode(line: start, try parseArray())
    case UInt8(ascii: "\""):
      return JSONNode(line: start, .string(try parseString()))
    case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
    case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    default: return JSONNode(line: start, .number(try parseNumber()))
    }
  }

  private mutating func parseWord(_ word: String, _ content: JSONNode.Content)
    throws(JSONSyntaxError)
    -> JSONNode
  {
    guard bytes[index...].starts(with: word.utf8) else {
      throw failure("a value was expected", isAtEnd: endsWithin(word))
    }
    index += word.utf8.count
    return JSONNode(line: line, content)
  }

  private mutating func parseObject() throws(JSONSyntaxError) -> JSONNode.Content {
    try enter()
    defer { depth -= 1 }
    var members: [JSONNode.Member] = []
    var names: Set<String> = []
    skipSpace()
    if current == UInt8(ascii: "}") {
      index += 1
      return .object(members)
    }
    while true {
      skipSpace()
      guard current == UInt8(ascii: "\"") else {
        throw failure("a member's name was expected", isAtEnd: isAtEnd)
      }
      let nameLine = line
      let name = try parseString()
      guard names.insert(name).inserted else {
        throw failure("the name \"\(name)\" is there twice")
      }
      skipSpace()
      try expect(":", "a colon")
      skipSpace()
      members.append(JSONNode.Member(name: name, line: nameLine, node: try parseValue()))
      skipSpace()
      if current == UInt8(ascii: ",") {
        index += 1
        continue
      }
      try expect("}", "a comma or a closing brace")
      return .object(members)
    }
  }

  private mutating func parseArray() throws(JSONSyntaxError) -> JSONNode.Content {
    try enter()
    defer { depth -= 1 }
    var elements: [JSONNode] = []
    skipSpace()
    if current == UInt8(ascii: "]") {
      index += 1
      return .array(elements)
    }
    while true {
      skipSpace()
      elements.append(try parseValue())
      skipSpace()
      if current == UInt8(ascii: ",") {
        index += 1
        continue
      }
      try expect("]", "a comma or a closing bracket")
      return .array(elements)
    }
  }

  private mutating func enter() throws(JSONSyntaxError) {
    index += 1
    depth += 1
    guard depth <= Self.depthMax else { throw failure("it nests deeper than \(Self.depthMax)") }
  }

  private mutating func parseString() throws(JSONSyntaxError) -> String {
    index += 1
    var text: [UInt8] = []
    while let byte = current {
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else {
          throw failure("it is not UTF-8")
        }
        return string
      case UInt8(ascii: "\\"): try parseEscape(into: &text)
      case 0..<0x20: throw failure("a control character in a string must be escaped")
      default: text.append(byte)
      }
    }
    throw failure("the document ends within a string", isAtEnd: true)
  }

  private mutating func parseEscape(into text: inout [UInt8]) throws(JSONSyntaxError) {
    guard let byte = current else { throw failure("the document ends within a string", isAtEnd: true) }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var scalar = UInt32(try parseHex())
      if (0xD800..<0xDC00).contains(scalar), bytes[index...].starts(with: "\\u".utf8) {
        index += 2
        let low = UInt32(try parseHex())
        guard (0xDC00..<0xE000).contains(low) else {
          throw failure("half of a surrogate pair is missing")
        }
        scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let unicode = Unicode.Scalar(scalar) else {
        let isCut = (0xD800..<0xDC00).contains(scalar) && endsWithin("\\u")
        throw failure("half of a surrogate pair is missing", isAtEnd: isCut)
      }
      text.append(contentsOf: String(Character(unicode)).utf8)
    default: throw failure("there is no such escape")
    }
  }

  private mutating func parseHex() throws(JSONSyntaxError) -> UInt16 {
    let digits = bytes[index..<min(index + 4, bytes.count)]
    let areHex = digits.allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
    guard digits.count == 4, areHex,
      let value = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure("four hexadecimal digits were expected", isAtEnd: areHex && digits.count < 4) }
    index += 4
    return value
  }

  private mutating func parseNumber() throws(JSONSyntaxError) -> String {
    let start = index
    if current == UInt8(ascii: "-") { index += 1 }
    let isZeroFirst = current == UInt8(ascii: "0")
    let digitCount = skipDigits()
    guard digitCount > 0 else { throw failure("a value was expected", isAtEnd: isAtEnd) }
    guard !isZeroFirst || digitCount == 1 else { throw failure("a number does not start with 0") }
    if current == UInt8(ascii: ".") {
      index += 1
      guard skipDigits() > 0 else { throw failure("a digit was expected", isAtEnd: isAtEnd) }
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      index += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { index += 1 }
      guard skipDigits() > 0 else { throw failure("a digit was expected", isAtEnd: isAtEnd) }
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func skipDigits() -> Int {
    let start = index
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
    return index - start
  }
}
