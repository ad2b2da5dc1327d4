/// Writes comma-separated values by RFC 4180: a header line, CRLF behind every record, quotes where a field needs them.
///
/// Fields are data and are written as they are. A spreadsheet takes a field that begins with `=`, `+`, `-` or `@` for
/// a formula; whoever opens an untrusted file in one should import its columns as text.
struct CSVWriter {
  private(set) var text = ""

  /// Makes a writer that has written the header.
  init(header: [String]) { append(header) }

  /// Writes a record; an absent field is empty.
  mutating func append(_ fields: [String?]) {
    text += fields.map { $0.map(Self.field) ?? "" }.joined(separator: ",")
    text += "\r\n"
  }

  private static func field(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { byte in
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
      default: false
      }
    }
    guard needsQuotes else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}
