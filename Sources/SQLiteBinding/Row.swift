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

  @usableFromInline
  init(handle: OpaquePointer, columnCount: Int) {
    self.handle = handle
    self.columnCount = columnCount
  }
}

extension Row {
  package func int64(at column: Int) throws(SQLiteError) -> Int64 {
    let value = value(at: column)
    guard sqlite3_value_type(value) == SQLITE_INTEGER else {
      throw mismatch(column, expected: "an integer")
    }
    return sqlite3_value_int64(value)
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
    let value = value(at: column)
    let type = sqlite3_value_type(value)
    guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else {
      throw mismatch(column, expected: "a number")
    }
    return sqlite3_value_double(value)
  }

  /// Reads text.
  ///
  /// - Throws: `mismatch` for another form, and for bytes that are not UTF-8, which SQLite lets a TEXT hold.
  package func string(at column: Int) throws(SQLiteError) -> String {
    let bytes = try textBytes(at: column)
    // Five times faster than String(validating:as:), and never repairs.
    do throws(UTF8.ValidationError) {
      return String(copying: try UTF8Span(validating: bytes.span))
    } catch {
      throw mismatch(column, expected: "a text in UTF-8")
    }
  }

  /// Reads a blob into an array.
  package func blob(at column: Int) throws(SQLiteError) -> [UInt8] {
    Array(try blobBytes(at: column))
  }

  package func isNull(at column: Int) -> Bool {
    sqlite3_value_type(value(at: column)) == SQLITE_NULL
  }

  /// Reads text, putting U+FFFD for what is not UTF-8.
  package func repairedString(at column: Int) throws(SQLiteError) -> String {
    String(decoding: try textBytes(at: column), as: UTF8.self)
  }

  /// Lends a text's bytes in SQLite's buffer; they need not be valid UTF-8.
  @inlinable
  package func withText<Result, Failure: SQLiteErrorConvertible>(
    at column: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes: UnsafeBufferPointer<UInt8>
    do throws(SQLiteError) { bytes = try textBytes(at: column) } catch { throw Failure(error) }
    return try body(bytes.span)
  }

  /// Lends a blob's bytes in SQLite's buffer.
  @inlinable
  package func withBlob<Result, Failure: SQLiteErrorConvertible>(
    at column: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes: UnsafeBufferPointer<UInt8>
    do throws(SQLiteError) { bytes = try blobBytes(at: column) } catch { throw Failure(error) }
    return try body(bytes.span)
  }

  package func storageClass(at column: Int) -> StorageClass {
    switch sqlite3_value_type(value(at: column)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }
}

/// The same for columns that may be NULL, which is nil; the empty text and the empty blob are not.
extension Row {
  package func optionalInt64(at column: Int) throws(SQLiteError) -> Int64? {
    isNull(at: column) ? nil : try int64(at: column)
  }

  package func optionalInt(at column: Int) throws(SQLiteError) -> Int? {
    isNull(at: column) ? nil : try int(at: column)
  }

  package func optionalBool(at column: Int) throws(SQLiteError) -> Bool? {
    isNull(at: column) ? nil : try bool(at: column)
  }

  package func optionalDouble(at column: Int) throws(SQLiteError) -> Double? {
    isNull(at: column) ? nil : try double(at: column)
  }

  package func optionalString(at column: Int) throws(SQLiteError) -> String? {
    isNull(at: column) ? nil : try string(at: column)
  }

  package func optionalBlob(at column: Int) throws(SQLiteError) -> [UInt8]? {
    isNull(at: column) ? nil : try blob(at: column)
  }
}

extension Row {
  /// The column as an unprotected value.
  ///
  /// Form and content then cost one look-up of the column and not two. Reading such a value is not
  /// thread-safe (https://sqlite.org/c3ref/column_blob.html), which a connection never needs to be.
  private func value(at column: Int) -> OpaquePointer? {
    precondition(column >= 0 && column < columnCount, "the row has no such column")
    return sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
  }

  @usableFromInline
  func textBytes(at column: Int) throws(SQLiteError) -> UnsafeBufferPointer<UInt8> {
    let value = value(at: column)
    guard sqlite3_value_type(value) == SQLITE_TEXT else {
      throw mismatch(column, expected: "a text")
    }
    // In this order: sqlite3_value_bytes tells the size of the form last asked for.
    guard let start = sqlite3_value_text(value) else { throw outOfMemory }
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  @usableFromInline
  func blobBytes(at column: Int) throws(SQLiteError) -> UnsafeBufferPointer<UInt8> {
    let value = value(at: column)
    guard sqlite3_value_type(value) == SQLITE_BLOB else {
      throw mismatch(column, expected: "a blob")
    }
    // Null for the empty blob.
    let start = sqlite3_value_blob(value)?.assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  private func mismatch(_ column: Int, expected: String) -> SQLiteError {
    let name = sqlite3_column_name(handle, Int32(truncatingIfNeeded: column)).map {
      String(cString: $0)
    }
    return SQLiteError(
      code: .mismatch,
      message: "column \(column) (\(name ?? "unnamed")) should hold \(expected) and holds "
        + "\(storageClass(at: column))",
      sql: sql)
  }

  private var outOfMemory: SQLiteError {
    SQLiteError(code: .outOfMemory, message: "no memory to read a column", sql: sql)
  }

  private var sql: String? {
    sqlite3_sql(handle).map { String(cString: $0) }
  }
}
