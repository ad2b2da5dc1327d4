internal import SystemSQLite

/// Values into parameters, which count from 1.
///
/// SQLite copies text and blobs before the call returns, straight from the value's own storage.
extension Statement {
  /// - Throws: `range` for an index the statement has no parameter for; `misuse` between rows.
  package mutating func bind(_ value: Int64, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, Int32(clamping: index), value))
  }

  package mutating func bind(_ value: Int, at index: Int) throws(SQLiteError) {
    try bind(Int64(value), at: index)
  }

  /// Binds 1 for true and 0 for false, which is what SQL's own TRUE and FALSE are.
  package mutating func bind(_ value: Bool, at index: Int) throws(SQLiteError) {
    try bind(Int64(value ? 1 : 0), at: index)
  }

  /// SQLite stores NaN as NULL.
  package mutating func bind(_ value: Double, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_double(handle, Int32(clamping: index), value))
  }

  /// Binds text, whatever it holds: U+0000 too.
  package mutating func bind(_ text: String, at index: Int) throws(SQLiteError) {
    var text = text
    let resultCode = text.withUTF8 { bytes in
      Self.bindText(UnsafeRawBufferPointer(bytes), to: handle, at: index)
    }
    try check(resultCode)
  }

  /// Binds bytes that are text in UTF-8 already; they are not checked.
  package mutating func bind(utf8 text: Span<UInt8>, at index: Int) throws(SQLiteError) {
    let resultCode = text.withUnsafeBytes { bytes in
      Self.bindText(bytes, to: handle, at: index)
    }
    try check(resultCode)
  }

  package mutating func bind(blob: Span<UInt8>, at index: Int) throws(SQLiteError) {
    let resultCode = blob.withUnsafeBytes { bytes in
      Self.bindBlob(bytes, to: handle, at: index)
    }
    try check(resultCode)
  }

  package mutating func bind(blob: [UInt8], at index: Int) throws(SQLiteError) {
    let resultCode = blob.withUnsafeBytes { bytes in
      Self.bindBlob(bytes, to: handle, at: index)
    }
    try check(resultCode)
  }

  package mutating func bindNull(at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle, Int32(clamping: index)))
  }

  /// Nil is bound as NULL.
  package mutating func bind(_ value: Int64?, at index: Int) throws(SQLiteError) {
    if let value { try bind(value, at: index) } else { try bindNull(at: index) }
  }

  /// Nil is bound as NULL.
  package mutating func bind(_ value: Int?, at index: Int) throws(SQLiteError) {
    if let value { try bind(value, at: index) } else { try bindNull(at: index) }
  }

  /// Nil is bound as NULL.
  package mutating func bind(_ value: Bool?, at index: Int) throws(SQLiteError) {
    if let value { try bind(value, at: index) } else { try bindNull(at: index) }
  }

  /// Nil is bound as NULL.
  package mutating func bind(_ value: Double?, at index: Int) throws(SQLiteError) {
    if let value { try bind(value, at: index) } else { try bindNull(at: index) }
  }

  /// Nil is bound as NULL, which the empty text is not.
  package mutating func bind(_ text: String?, at index: Int) throws(SQLiteError) {
    if let text { try bind(text, at: index) } else { try bindNull(at: index) }
  }

  private static func bindText(
    _ bytes: UnsafeRawBufferPointer, to handle: OpaquePointer, at index: Int
  )
    -> Int32
  {
    withPointer(to: bytes) { pointer in
      system_sqlite3_bind_text_copied(
        handle, Int32(clamping: index), pointer, sqlite3_uint64(bytes.count))
    }
  }

  private static func bindBlob(
    _ bytes: UnsafeRawBufferPointer, to handle: OpaquePointer, at index: Int
  )
    -> Int32
  {
    withPointer(to: bytes) { pointer in
      system_sqlite3_bind_blob_copied(
        handle, Int32(clamping: index), pointer, sqlite3_uint64(bytes.count))
    }
  }

  /// Lends a pointer that is never null: SQLite takes null for NULL, and an empty buffer may have none.
  private static func withPointer(
    to bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawPointer) -> Int32
  ) -> Int32 {
    if let base = bytes.baseAddress { return body(base) }
    var nothing: UInt8 = 0
    return withUnsafePointer(to: &nothing) { body(UnsafeRawPointer($0)) }
  }

  private func check(_ resultCode: Int32) throws(SQLiteError) {
    guard resultCode == SQLITE_OK else { throw error(resultCode) }
  }
}
