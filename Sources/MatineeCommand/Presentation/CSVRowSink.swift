import SQLiteMovieStore

/// Writes an export's rows as comma-separated values by RFC 4180, under a header.
///
/// A field that is absent is empty; an empty text is a pair of quotes, so that the two can be told apart.
struct CSVRowSink: TextRowSink {
  var buffer: RowBuffer
  private var isFirst = true
  let target: ExportTarget

  init(to target: ExportTarget) {
    self.target = target
    buffer = RowBuffer(target.write)
  }

  mutating func begin(columns: [String]) throws {
    for column in columns { text(column) }
    try endRow()
    // Whoever reads a pipe sees the header at once.
    try buffer.flush()
  }

  mutating func null() { beginValue() }

  mutating func text(utf8: Span<UInt8>) {
    guard utf8.isValidUTF8 else { return text(utf8.repaired) }
    beginValue()
    guard Self.needsQuotes(utf8) else { return buffer.append(utf8) }
    buffer.append("\"")
    for index in utf8.indices {
      if utf8[index] == UInt8(ascii: "\"") { buffer.append("\"") }
      buffer.append(utf8[index])
    }
    buffer.append("\"")
  }

  mutating func blob(_ bytes: Span<UInt8>) {
    beginValue()
    buffer.append(base64: bytes)
  }

  mutating func endRow() throws {
    buffer.append("\r\n")
    isFirst = true
    try buffer.flushIfFull()
  }

  mutating func beginValue() {
    if !isFirst { buffer.append(",") }
    isFirst = false
  }

  private static func needsQuotes(_ utf8: Span<UInt8>) -> Bool {
    if utf8.isEmpty { return true }
    for index in utf8.indices {
      switch utf8[index] {
      case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"): return true
      default: break
      }
    }
    return false
  }
}
