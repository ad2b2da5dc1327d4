internal import SystemSQLite

/// What the system's SQLite must be.
enum LibraryRequirement {
  /// 3.37.0, the first with STRICT tables.
  private static let versionMin: Int32 = 3_037_000

  /// - Throws: `unsupported` when the library that was loaded is too old, or was built without the locking
  ///   that several connections in one process need.
  static func check() throws(SQLiteError) {
    guard sqlite3_libversion_number() >= versionMin, sqlite3_threadsafe() != 0 else {
      throw SQLiteError(
        code: .unsupported,
        message: "SQLite \(String(cString: sqlite3_libversion())) is too old or not thread-safe; "
          + "3.37.0 or later is needed")
    }
  }
}
