internal import SystemSQLite

/// From SQL to a statement on loan.
extension Connection {
  /// Lends the prepared form of one SQL statement for the time of `body`.
  ///
  /// The cache keeps the handle, so a text used again costs a look-up. The lease ends with `body`: the
  /// statement is reset and its bindings cleared, whatever happened. The same text may be lent again
  /// inside `body`; the inner lease then has a handle of its own, finalized at its end.
  ///
  /// - Parameters:
  ///   - sql: Exactly one statement; values go in as parameters (`?1`), never into the text.
  ///   - body: States its error type: `{ statement throws(SQLiteError) in … }`.
  /// - Throws: `error` for SQL that SQLite does not understand, `misuse` for none or more than one
  ///   statement, `readOnly` for a write where only reads are allowed, or what `body` throws.
  @inlinable
  package func withStatement<Result, Failure: SQLiteErrorConvertible>(
    _ sql: String, _ body: (inout Statement) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var statement: Statement
    do throws(SQLiteError) {
      statement = try lease(sql)
    } catch {
      throw Failure(error)
    }
    return try body(&statement)
  }

  @usableFromInline
  func lease(_ sql: String) throws(SQLiteError) -> Statement {
    let prepared: PreparedStatement
    if let cached = cache.take(sql) {
      prepared = cached
    } else {
      prepared = try prepare(sql)
      cache.insert(prepared)
    }
    let statement = Statement(prepared: prepared, connection: self)
    if refusesWrites, !prepared.isReadOnly {
      throw SQLiteError(
        code: .readOnly, message: "a statement that writes was used to read", sql: sql, path: path)
    }
    return statement
  }

  /// Ends a lease; called by ``Statement`` alone.
  func endLease(of prepared: PreparedStatement) {
    cache.putBack(prepared)
  }

  func prepare(_ sql: String) throws(SQLiteError) -> PreparedStatement {
    try refuseNUL(in: sql)
    var sql = sql
    var resultCode = SQLITE_OK
    var handle: OpaquePointer?
    let hasMore = sql.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) { text in
        var tail: UnsafePointer<CChar>?
        resultCode = sqlite3_prepare_v3(
          self.handle, text.baseAddress, Int32(clamping: text.count),
          UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &tail)
        guard resultCode == SQLITE_OK, handle != nil, let tail, let start = text.baseAddress else {
          return false
        }
        return isFollowed(UnsafeBufferPointer(start: tail, count: text.count - (tail - start)))
      }
    }
    guard resultCode == SQLITE_OK else { throw error(resultCode, sql: sql) }
    guard let handle, !hasMore else {
      sqlite3_finalize(handle)
      throw SQLiteError(
        code: .misuse, message: "exactly one SQL statement is expected", sql: sql, path: path)
    }
    return PreparedStatement(handle: handle, sql: sql)
  }

  /// SQLite would take a NUL for the end and leave the rest out without a word.
  func refuseNUL(in sql: String) throws(SQLiteError) {
    guard sql.utf8.contains(0) else { return }
    throw SQLiteError(code: .misuse, message: "the SQL holds a NUL character", sql: sql, path: path)
  }

  /// Whether anything but blanks and comments follows a statement.
  private func isFollowed(_ tail: UnsafeBufferPointer<CChar>) -> Bool {
    guard !tail.isEmpty else { return false }
    var next: OpaquePointer?
    let resultCode = sqlite3_prepare_v3(
      handle, tail.baseAddress, Int32(clamping: tail.count), 0, &next, nil)
    sqlite3_finalize(next)
    return resultCode != SQLITE_OK || next != nil
  }

  /// Runs a statement without parameters and decodes its first row; nil when it gives none.
  @inlinable
  package func firstValue<Value, Failure: SQLiteErrorConvertible>(
    _ sql: String, _ decode: (borrowing Row) throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    try withStatement(sql) { statement throws(Failure) in
      try statement.firstRow(decode)
    }
  }
}
