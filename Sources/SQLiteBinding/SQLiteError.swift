internal import SystemSQLite

/// A failure of the database: what went wrong, in which SQL, in which file.
///
/// It never holds a bound value. SQLite's own messages name tables and columns, not their contents; the SQL
/// is the statement's text, whose parameters stay `?`.
package struct SQLiteError: Error, Equatable, Sendable {
  /// The extended result code.
  package let code: ResultCode
  /// What SQLite, the system or this layer says of it, in English.
  package let message: String
  /// The text of the statement that failed, cut after ``sqlByteCountMax`` bytes; nil when none was involved.
  package let sql: String?
  /// The database file, or nil for a database in memory.
  package let path: String?

  /// Bytes of SQL an error keeps: a migration's whole script would drown the message.
  package static let sqlByteCountMax = 2_000

  package init(code: ResultCode, message: String, sql: String? = nil, path: String? = nil) {
    self.code = code
    self.message = message
    self.path = path
    self.sql = sql.map { text in
      text.utf8.count <= Self.sqlByteCountMax
        ? text : String(decoding: text.utf8.prefix(Self.sqlByteCountMax), as: UTF8.self) + "…"
    }
  }
}

/// An error that a failure of the database can be turned into.
///
/// The calls that run a caller's closure throw one type: the closure's. What the database itself has to say
/// is turned into that type through this initializer, so that a store may throw its own error throughout.
/// Such a closure states the type it throws, as Swift does not infer it:
/// `database.read { connection throws(SQLiteError) in … }`.
package protocol SQLiteErrorConvertible: Error, Sendable {
  init(_ error: SQLiteError)
}

extension SQLiteError: SQLiteErrorConvertible {
  package init(_ error: SQLiteError) {
    self = error
  }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String {
    var text = "\(code): \(message)"
    if let path { text += "; database: \(path)" }
    if let sql { text += "; SQL: \(sql)" }
    return text
  }
}

extension SQLiteError {
  /// The error the connection reports for its latest call, which returned `resultCode`.
  ///
  /// - Parameter connection: Null when SQLite had no memory even for the handle.
  init(resultCode: Int32, connection: OpaquePointer?, sql: String?, path: String?) {
    var code = ResultCode(rawValue: resultCode)
    var message = Self.text(sqlite3_errstr(resultCode)) ?? "unknown error"
    if let connection {
      let latest = ResultCode(rawValue: sqlite3_extended_errcode(connection))
      // The connection's message is about this failure only when its code says so: a call refused as
      // misuse, for one, leaves the message of an earlier failure in place.
      if latest.primary == code.primary {
        code = latest
        message = Self.text(sqlite3_errmsg(connection)) ?? message
        let systemError = sqlite3_system_errno(connection)
        if systemError != 0, code.primary == .cannotOpen || code.primary == .inputOutput {
          message += " (\(SystemError(number: systemError)))"
        }
      }
    }
    self.init(code: code, message: message, sql: sql, path: path)
  }

  /// SQLite's text as a String; malformed UTF-8 is repaired, as messages about corrupt files can hold it.
  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    guard let pointer else { return nil }
    return String(cString: pointer)
  }
}
