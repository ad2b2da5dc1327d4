internal import SystemSQLite

/// What a database file says of itself (https://sqlite.org/fileformat2.html#the_database_header).
package struct DatabaseHeader: Hashable, Sendable {
  /// Whose the file is.
  package let applicationID: Int32
  /// Which schema it has.
  package let userVersion: Int
  /// Bytes of a page.
  package let pageSize: Int
  /// Pages of the database, those that are free included.
  package let pageCount: Int
  /// Pages that hold nothing and are used again before the file grows.
  package let freePageCount: Int
}

extension Connection {
  /// Reads the header, as this connection sees it.
  package func header() throws(SQLiteError) -> DatabaseHeader {
    DatabaseHeader(
      applicationID: Int32(truncatingIfNeeded: try number("PRAGMA application_id")),
      userVersion: try number("PRAGMA user_version"), pageSize: try number("PRAGMA page_size"),
      pageCount: try number("PRAGMA page_count"), freePageCount: try number("PRAGMA freelist_count"))
  }

  /// The tables with how many rows each has, by name; SQLite's own are left out.
  package func tables() throws(SQLiteError) -> [TableSize] {
    let names = try withStatement(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name"
    ) { statement throws(SQLiteError) in
      try statement.mapRows { row throws(SQLiteError) in try row.string(at: 0) }
    }
    var tables: [TableSize] = []
    for name in names {
      tables.append(
        TableSize(name: name, rowCount: try number("SELECT count(*) FROM \(name.quotedAsIdentifier)")))
    }
    return tables
  }

  /// Rows that refer to a row that is not there, as sentences; at most `limit` of them.
  package func foreignKeyViolations(limit: Int) throws(SQLiteError) -> [String] {
    var findings: [String] = []
    try withStatement("PRAGMA foreign_key_check") { statement throws(SQLiteError) in
      while findings.count < limit, try statement.step() {
        let row = Row(handle: statement.handle, columnCount: statement.columnCount)
        let number = try row.optionalInt64(at: 1).map { "row \($0)" } ?? "a row"
        findings.append(
          "\(number) of \(try row.repairedString(at: 0)) refers to no row of \(try row.repairedString(at: 2))"
        )
      }
    }
    return findings
  }

  private func number(_ sql: String) throws(SQLiteError) -> Int {
    try firstValue(sql) { row throws(SQLiteError) in try row.int(at: 0) } ?? 0
  }
}

/// A table, and how many rows it has.
package struct TableSize: Hashable, Sendable {
  package let name: String
  package let rowCount: Int
}

/// The system's SQLite.
package enum SQLiteLibrary {
  /// Its version, as `3.40.1`.
  package static var version: String { String(cString: sqlite3_libversion()) }

  /// Its version as a number: major × 1,000,000 + minor × 1,000 + patch.
  package static var versionNumber: Int { Int(sqlite3_libversion_number()) }

  /// Why nothing can be done with it; nil if it is all that it must be.
  package static var refusal: SQLiteError? {
    do throws(SQLiteError) {
      try LibraryRequirement.check()
      return nil
    } catch {
      return error
    }
  }

  /// Whether it can lose a commit when a checkpoint races a writer of another process; see ``WriteGate``.
  package static var hasWALResetBug: Bool { (3_007_000..<3_051_003).contains(versionNumber) }
}

extension String {
  /// The text as an SQL identifier, whatever it holds.
  package var quotedAsIdentifier: String {
    "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
