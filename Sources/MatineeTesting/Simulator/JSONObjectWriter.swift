/// Writes one JSON object of strings, numbers, objects and lists of objects, field by field.
struct JSONObjectWriter {
  private var bytes: [UInt8]
  private var isFirst = true

  /// Begins an object.
  init() { bytes = [UInt8(ascii: "{")] }

  /// Writes a string; an empty one for `nil`, as KOBIS does.
  mutating func text(_ key: String, _ value: String?) {
    begin(key)
    quote(value ?? "")
  }

  /// Writes a number.
  mutating func number(_ key: String, _ value: Int) {
    begin(key)
    bytes += String(value).utf8
  }

  /// Writes an object.
  mutating func object(_ key: String, _ write: (inout JSONObjectWriter) -> Void) {
    begin(key)
    nested { write(&$0) }
  }

  /// Writes a list of objects.
  mutating func list<Element>(
    _ key: String, _ elements: [Element], _ write: (inout JSONObjectWriter, Element) -> Void
  ) {
    begin(key)
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      nested { write(&$0, element) }
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Ends the object and returns its text.
  consuming func finish() -> [UInt8] { bytes + [UInt8(ascii: "}")] }

  private mutating func nested(_ write: (inout JSONObjectWriter) -> Void) {
    var writer = JSONObjectWriter()
    write(&writer)
    bytes += writer.finish()
  }

  private mutating func begin(_ key: String) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    quote(key)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: bytes += Array("\\u00\(String(byte, radix: 16).leftPadded(to: 2))".utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
