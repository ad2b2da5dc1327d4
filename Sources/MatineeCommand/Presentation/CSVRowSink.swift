import SQLiteMovieStore

/// Writes an export's rows as comma-separated values by RFC 4180, under a header.
///
/// A field that is absent is empty; an empty text is a pair of quotes, so that the two can be told apart.
struct CSVRowSink: RowSink {
  private var buffer: RowBuffer
  private var isFirst = true
  private let target: ExportTarget

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

  mutating func null() { separate() }

  mutating func integer(_ value: Int64) { plain(String(value)) }

  mutating func real(_ value: Double) { plain(value.spelledExactly) }

  mutating func decimal(_ spelling: String) { plain(spelling) }

  mutating func boolean(_ value: Bool) { plain(value ? "true" : "false") }

  mutating func text(_ text: String) { self.text(utf8: text.utf8.span) }

  mutating func text(utf8: Span<UInt8>) {
    guard utf8.isValidUTF8 else { return text(utf8.repaired) }
    separate()
    guard Self.needsQuotes(utf8) else { return buffer.append(utf8) }
    buffer.append("\"")
    for index in utf8.indices {
      if utf8[index] == UInt8(ascii: "\"") { buffer.append("\"") }
      buffer.append(utf8[index])
    }
    buffer.append("\"")
  }

  mutating func blob(_ bytes: Span<UInt8>) {
    separate()
    buffer.append(base64: bytes)
  }

  mutating func endRow() throws {
    buffer.append("\r\n")
    isFirst = true
    try buffer.flushIfFull()
  }

  mutating func end() throws {
    try buffer.flush()
    try target.finish()
  }

  private mutating func plain(_ text: String) {
    separate()
    buffer.append(text)
  }

  private mutating func separate() {
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
