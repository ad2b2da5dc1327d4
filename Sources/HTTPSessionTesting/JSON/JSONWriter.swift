extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON, names in ascending order.
  public var description: String {
    var writer = JSONWriter(isPretty: false)
    writer.write(self)
    return writer.text
  }

  /// The value as JSON in UTF-8, names in ascending order, so that equal values give equal bytes.
  ///
  /// - Parameter isPretty: Whether to put each member on a line of its own, indented by two spaces.
  public func encoded(isPretty: Bool = false) -> [UInt8] {
    var writer = JSONWriter(isPretty: isPretty)
    writer.write(self)
    return Array(writer.text.utf8)
  }
}

/// Writes JSON whose bytes depend on the value alone.
struct JSONWriter {
  private(set) var text = ""
  private let isPretty: Bool
  private var depth = 0

  init(isPretty: Bool) { self.isPretty = isPretty }

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    // JSON has no infinities and no NaN.
    case .number(let value): text += value.isFinite ? "\(value)" : "null"
    case .string(let value): writeString(value)
    case .array(let elements):
      writeList("[", "]", elements) { writer, element in writer.write(element) }
    case .object(let members):
      writeList("{", "}", members.sorted { $0.key < $1.key }) { writer, member in
        writer.writeString(member.key)
        writer.text += writer.isPretty ? ": " : ":"
        writer.write(member.value)
      }
    }
  }

  private mutating func writeList<Element>(
    _ open: String, _ close: String, _ elements: [Element],
    _ writeElement: (inout JSONWriter, Element) -> Void
  ) {
    text += open
    depth += 1
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      breakLine()
      writeElement(&self, element)
    }
    depth -= 1
    if !elements.isEmpty { breakLine() }
    text += close
  }

  private mutating func breakLine() {
    guard isPretty else { return }
    text += "\n" + String(repeating: "  ", count: depth)
  }

  private mutating func writeString(_ value: String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // Line separators would break the file's lines in editors; controls are forbidden.
      case "\u{0}"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}":
        let hex = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
