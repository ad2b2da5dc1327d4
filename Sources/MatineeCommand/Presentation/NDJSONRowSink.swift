import SQLiteMovieStore

/// Writes an export's rows as lines of JSON: an object each, its keys in the order of the columns.
struct NDJSONRowSink: TextRowSink {
  var buffer: RowBuffer
  /// What stands before each value: `{"name":`, then `,"name":`.
  private var heads: [[UInt8]] = []
  private var column = 0
  let target: ExportTarget

  init(to target: ExportTarget) {
    self.target = target
    buffer = RowBuffer(target.write)
  }

  mutating func begin(columns: [String]) throws {
    heads = columns.enumerated().map { index, name in
      var head = RowBuffer { _ in }
      head.append(index == 0 ? "{" : ",")
      head.append(quoted: name.utf8.span)
      head.append(":")
      return head.bytes
    }
  }

  mutating func null() { plain("null") }

  mutating func text(utf8: Span<UInt8>) {
    guard utf8.isValidUTF8 else { return text(utf8.repaired) }
    beginValue()
    buffer.append(quoted: utf8)
  }

  mutating func blob(_ bytes: Span<UInt8>) {
    beginValue()
    buffer.append("\"")
    buffer.append(base64: bytes)
    buffer.append("\"")
  }

  mutating func endRow() throws {
    buffer.append("}\n")
    column = 0
    try buffer.flushIfFull()
  }

  mutating func beginValue() {
    buffer.append(heads[column])
    column += 1
  }
}

extension RowBuffer {
  /// Appends a JSON string; as ``JSONWriter`` does it, but of bytes that are known to be text.
  fileprivate mutating func append(quoted utf8: Span<UInt8>) {
    append("\"")
    var index = 0
    while index < utf8.count {
      let byte = utf8[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case UInt8(ascii: "\n"): append("\\n")
      case UInt8(ascii: "\r"): append("\\r")
      case UInt8(ascii: "\t"): append("\\t")
      case 0x00...0x1F, 0x7F: append(escape: byte)
      // U+0080 to U+009F, which a terminal obeys as it does the controls before them.
      case 0xC2 where utf8[index] < 0xA0:
        append(escape: utf8[index])
        index += 1
      default: append(byte)
      }
    }
    append("\"")
  }

  private mutating func append(escape value: UInt8) {
    let digits = Array("0123456789abcdef".utf8)
    append("\\u00")
    append(digits[Int(value >> 4)])
    append(digits[Int(value & 15)])
  }
}
