internal import SystemSQLite

/// The form in which SQLite stores a value (https://sqlite.org/datatype3.html).
package enum StorageClass: Hashable, Sendable {
  case integer, real, text, blob, null
}

/// The current row of a statement, lent while the statement stays on it.
///
/// Its columns count from 0. Every read says which form it expects, and another form is a `mismatch`: SQLite
/// would make something of anything, such as 0 of a text. Text and blobs can be looked at in SQLite's own
/// buffer, by closure; no pointer outlives it.
package struct Row: ~Copyable {
  let handle: OpaquePointer
  /// Columns in the row.
  package let columnCount: Int

  init(handle: OpaquePointer, columnCount: Int) {
    self.handle = handle
    self.columnCount = columnCount
  }
}

extension Row {
  package func int64(at column: Int) throws(SQLiteError) -> Int64 {
    guard type(at: column) == SQLITE_INTEGER else { throw mismatch(column, expected: "an integer") }
    return sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
  }

  package func int(at column: Int) throws(SQLiteError) -> Int {
    Int(try int64(at: column))
  }

  /// Reads an integer as true unless it is 0.
  package func bool(at column: Int) throws(SQLiteError) -> Bool {
    try int64(at: column) != 0
  }

  /// Reads a real, or an integer as the real next to it.
  package func double(at column: Int) throws(SQLiteError) -> Double {
    let type = type(at: column)
    guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else {
      throw mismatch(column, expected: "a number")
    }
    return sqlite3_column_double(handle, Int32(truncatingIfNeeded: column))
  }

  /// Reads text.
  ///
  /// - Throws: `mismatch` for another form, and for bytes that are not UTF-8, which SQLite lets a TEXT hold.
  package func string(at column: Int) throws(SQLiteError) -> String {
    guard type(at: column) == SQLITE_TEXT else { throw mismatch(column, expected: "a text") }
    guard let string = String(validating: textBytes(at: column), as: UTF8.self) else {
      throw mismatch(column, expected: "a text in UTF-8")
    }
    return string
  }

  /// Reads a blob into an array.
  package func blob(at column: Int) throws(SQLiteError) -> [UInt8] {
    guard type(at: column) == SQLITE_BLOB else { throw mismatch(column, expected: "a blob") }
    return Array(blobBytes(at: column))
  }

  package func isNull(at column: Int) -> Bool {
    type(at: column) == SQLITE_NULL
  }

  /// Nil for NULL.
  package func optionalInt64(at column: Int) throws(SQLiteError) -> Int64? {
    isNull(at: column) ? nil : try int64(at: column)
  }

  /// Nil for NULL.
  package func optionalInt(at column: Int) throws(SQLiteError) -> Int? {
    isNull(at: column) ? nil : try int(at: column)
  }

  /// Nil for NULL.
  package func optionalBool(at column: Int) throws(SQLiteError) -> Bool? {
    isNull(at: column) ? nil : try bool(at: column)
  }

  /// Nil for NULL.
  package func optionalDouble(at column: Int) throws(SQLiteError) -> Double? {
    isNull(at: column) ? nil : try double(at: column)
  }

  /// Nil for NULL, which the empty text is not.
  package func optionalString(at column: Int) throws(SQLiteError) -> String? {
    isNull(at: column) ? nil : try string(at: column)
  }

  /// Nil for NULL, which the empty blob is not.
  package func optionalBlob(at column: Int) throws(SQLiteError) -> [UInt8]? {
    isNull(at: column) ? nil : try blob(at: column)
  }

  /// Reads text, putting U+FFFD for what is not UTF-8.
  package func repairedString(at column: Int) throws(SQLiteError) -> String {
    guard type(at: column) == SQLITE_TEXT else { throw mismatch(column, expected: "a text") }
    return String(decoding: textBytes(at: column), as: UTF8.self)
  }

  /// Lends a text's bytes in SQLite's buffer; they need not be valid UTF-8.
  package func withText<Result, Failure: SQLiteErrorConvertible>(
    at column: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard type(at: column) == SQLITE_TEXT else {
      throw Failure(mismatch(column, expected: "a text"))
    }
    return try body(textBytes(at: column).span)
  }

  /// Lends a blob's bytes in SQLite's buffer.
  package func withBlob<Result, Failure: SQLiteErrorConvertible>(
    at column: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard type(at: column) == SQLITE_BLOB else {
      throw Failure(mismatch(column, expected: "a blob"))
    }
    return try body(blobBytes(at: column).span)
  }

  package func storageClass(at column: Int) -> StorageClass {
    switch type(at: column) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  private func type(at column: Int) -> Int32 {
    precondition(column >= 0 && column < columnCount, "the row has no column \(column)")
    return sqlite3_column_type(handle, Int32(truncatingIfNeeded: column))
  }

  /// The bytes of a column known to be text.
  private func textBytes(at column: Int) -> UnsafeBufferPointer<UInt8> {
    let column = Int32(truncatingIfNeeded: column)
    // In this order: sqlite3_column_bytes tells the size of the form last asked for.
    let start = sqlite3_column_text(handle, column)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// The bytes of a column known to be a blob.
  private func blobBytes(at column: Int) -> UnsafeBufferPointer<UInt8> {
    let column = Int32(truncatingIfNeeded: column)
    let start = sqlite3_column_blob(handle, column)?.assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  private func mismatch(_ column: Int, expected: String) -> SQLiteError {
    let name = sqlite3_column_name(handle, Int32(truncatingIfNeeded: column)).map {
      String(cString: $0)
    }
    return SQLiteError(
      code: .mismatch,
      message:
        "column \(column) (\(name ?? "unnamed")) should hold \(expected) and is \(storageClass(at: column))",
      sql: sqlite3_sql(handle).map { String(cString: $0) })
  }
}
