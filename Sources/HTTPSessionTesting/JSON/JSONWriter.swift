extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON, names in ascending order.
  public var description: String {
    JSONNode(self).encoded(isPretty: false)
  }

  /// The value as JSON in UTF-8, names in ascending order, so that equal values give equal bytes.
  ///
  /// - Parameter isPretty: Whether to put each member on a line of its own, indented by two spaces.
  public func encoded(isPretty: Bool = false) -> [UInt8] {
    Array(JSONNode(self).encoded(isPretty: isPretty).utf8)
  }
}

/// Writes JSON whose bytes depend on the value alone.
struct JSONWriter {
  private(set) var text = ""
  private let isPretty: Bool
  private var depth = 0

  init(isPretty: Bool) { self.isPretty = isPretty }

  mutating func write(_ node: JSONNode) {
    switch node.content {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let spelling): text += spelling
    case .string(let value): writeString(value)
    case .array(let elements):
      writeList("[", "]", elements) { writer, element in writer.write(element) }
    case .object(let members):
      writeList("{", "}", members) { writer, member in
        writer.writeString(member.name)
        writer.text += writer.isPretty ? ": " : ":"
        writer.write(member.node)
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
