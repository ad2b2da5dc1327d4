/// Why bytes are not JSON, and where.
public struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, counted from 1.
  public let line: Int
  /// The byte in the line, counted from 1.
  public let column: Int
  /// What was wrong there.
  public let reason: String
  /// Whether the bytes ended there: what is cut off is told from what is wrong.
  public let isAtEnd: Bool

  /// Line, column and reason in one line.
  public var description: String { "line \(line), column \(column): \(reason)" }
}

extension JSONValue {
  /// Reads one JSON document of UTF-8 bytes.
  ///
  /// - Throws: ``JSONSyntaxError`` if it is not JSON, repeats a name in an object, or nests deeper than 512.
  public init(parsing bytes: some Sequence<UInt8>) throws(JSONSyntaxError) {
    self = try JSONNode(parsing: bytes).value
  }
}
