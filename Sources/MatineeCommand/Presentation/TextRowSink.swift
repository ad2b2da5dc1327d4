import SQLiteMovieStore

/// What the forms have in common in which an export is written as text: most values are spelled alike in all, rows end
/// with a text of the form's own, and bytes go out in pieces.
protocol TextRowSink: RowSink {
  var buffer: RowBuffer { get set }
  var target: ExportTarget { get }

  /// Writes what stands between values, in front of the next one.
  mutating func beginValue()
}

extension TextRowSink {
  mutating func integer(_ value: Int64) { plain(String(value)) }

  mutating func real(_ value: Double) { plain(value.spelledExactly) }

  mutating func decimal(_ spelling: String) { plain(spelling) }

  mutating func boolean(_ value: Bool) { plain(value ? "true" : "false") }

  mutating func text(_ text: String) { self.text(utf8: text.utf8.span) }

  /// Writes a value that is spelled already.
  mutating func plain(_ spelling: String) {
    beginValue()
    buffer.append(spelling)
  }

  mutating func end() throws {
    try buffer.flush()
    try target.finish()
  }
}
