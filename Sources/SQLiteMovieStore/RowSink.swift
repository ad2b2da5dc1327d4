/// Takes the rows of an export, one value after another, on the thread that reads them.
package protocol RowSink: SendableMetatype {
  /// Comes first, also where there are no rows.
  mutating func begin(columns: [String]) throws
  mutating func null()
  mutating func integer(_ value: Int64)
  mutating func real(_ value: Double)
  /// Takes a number that is spelled already, as an exact decimal.
  mutating func decimal(_ spelling: String)
  mutating func boolean(_ value: Bool)
  mutating func text(_ text: String)
  /// Takes a text out of SQLite's buffer, which need not be valid UTF-8.
  mutating func text(utf8: Span<UInt8>)
  mutating func blob(_ bytes: Span<UInt8>)
  mutating func endRow() throws
  /// Comes last, if all rows came.
  mutating func end() throws
}
