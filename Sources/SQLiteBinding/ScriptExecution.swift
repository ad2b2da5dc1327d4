internal import SystemSQLite

extension Connection {
  /// Runs every statement of a script once, in order, ignoring the rows they give.
  ///
  /// - Throws: The first failure; what ran before it stays done, unless a transaction is around it.
  package func execute(_ script: String) throws(SQLiteError) {
    try refuseNUL(in: script)
    var script = script
    var offset = 0
    while let statement = try nextStatement(of: &script, offset: &offset) {
      defer { sqlite3_finalize(statement) }
      if refusesWrites, sqlite3_stmt_readonly(statement) == 0 {
        throw SQLiteError(
          code: .readOnly, message: "a statement that writes was used to read", sql: script,
          path: path)
      }
      var resultCode = sqlite3_step(statement)
      while resultCode == SQLITE_ROW { resultCode = sqlite3_step(statement) }
      guard resultCode == SQLITE_DONE else {
        // SQLite counts what is empty before a statement as its text.
        let sql = String(cString: sqlite3_sql(statement)).drop { $0.isWhitespace || $0 == ";" }
        throw error(resultCode, sql: String(sql))
      }
    }
  }

  /// Compiles the statement at `offset` and moves `offset` past it; nil at the end of the script.
  private func nextStatement(of script: inout String, offset: inout Int) throws(SQLiteError)
    -> OpaquePointer?
  {
    var statement: OpaquePointer?
    var resultCode = SQLITE_OK
    script.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) { text in
        // Blanks and comments compile to no statement; what follows them may.
        while offset < text.count, statement == nil, resultCode == SQLITE_OK {
          let rest = UnsafeBufferPointer(rebasing: text[offset...])
          var tail: UnsafePointer<CChar>?
          resultCode = sqlite3_prepare_v3(
            handle, rest.baseAddress, Int32(clamping: rest.count), 0, &statement, &tail)
          guard let tail, let start = rest.baseAddress, tail > start else { break }
          offset += tail - start
        }
      }
    }
    guard resultCode == SQLITE_OK else { throw error(resultCode, sql: script) }
    return statement
  }
}
