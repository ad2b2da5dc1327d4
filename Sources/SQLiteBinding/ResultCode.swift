/// What an operation on a database came to: SQLite's result code, or one of this layer's own.
///
/// The value is open: a code that a later SQLite adds is carried as it came. SQLite's codes are never
/// negative (https://sqlite.org/rescode.html); the negative ones belong to this layer and name what SQLite
/// has no code for.
///
/// In a pattern a primary code matches its extended codes too, so `catch` and `switch` can ask as widely or
/// as narrowly as they need:
///
///     switch error.code {
///     case .constraintUnique: …   // this one only
///     case .constraint: …         // any constraint
///     default: …
///     }
package struct ResultCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The code without its extension: `constraint` for `constraintUnique`.
  package var primary: ResultCode {
    rawValue < 0 ? self : ResultCode(rawValue: rawValue & 0xff)
  }

  /// True when the codes are equal, or `pattern` is the primary code of `code`.
  package static func ~= (pattern: ResultCode, code: ResultCode) -> Bool {
    pattern == code || pattern == code.primary
  }
}

/// SQLite's primary codes.
extension ResultCode {
  package static let ok = ResultCode(rawValue: 0)
  package static let error = ResultCode(rawValue: 1)
  package static let `internal` = ResultCode(rawValue: 2)
  package static let permission = ResultCode(rawValue: 3)
  package static let abort = ResultCode(rawValue: 4)
  package static let busy = ResultCode(rawValue: 5)
  package static let locked = ResultCode(rawValue: 6)
  package static let outOfMemory = ResultCode(rawValue: 7)
  package static let readOnly = ResultCode(rawValue: 8)
  package static let interrupted = ResultCode(rawValue: 9)
  package static let inputOutput = ResultCode(rawValue: 10)
  package static let corrupt = ResultCode(rawValue: 11)
  package static let notFound = ResultCode(rawValue: 12)
  package static let full = ResultCode(rawValue: 13)
  package static let cannotOpen = ResultCode(rawValue: 14)
  package static let lockProtocol = ResultCode(rawValue: 15)
  package static let schema = ResultCode(rawValue: 17)
  package static let tooBig = ResultCode(rawValue: 18)
  package static let constraint = ResultCode(rawValue: 19)
  package static let mismatch = ResultCode(rawValue: 20)
  package static let misuse = ResultCode(rawValue: 21)
  package static let unsupported = ResultCode(rawValue: 22)
  package static let authorization = ResultCode(rawValue: 23)
  package static let range = ResultCode(rawValue: 25)
  package static let notADatabase = ResultCode(rawValue: 26)
}

/// The extended codes that callers tell apart.
extension ResultCode {
  package static let busyRecovery = ResultCode(rawValue: 261)
  package static let busySnapshot = ResultCode(rawValue: 517)
  package static let cannotOpenDirectory = ResultCode(rawValue: 526)
  package static let cannotOpenSymbolicLink = ResultCode(rawValue: 1550)
  package static let constraintCheck = ResultCode(rawValue: 275)
  package static let constraintForeignKey = ResultCode(rawValue: 787)
  package static let constraintNotNull = ResultCode(rawValue: 1299)
  package static let constraintPrimaryKey = ResultCode(rawValue: 1555)
  package static let constraintTrigger = ResultCode(rawValue: 1811)
  package static let constraintUnique = ResultCode(rawValue: 2067)
  package static let constraintRowID = ResultCode(rawValue: 2579)
  package static let constraintDataType = ResultCode(rawValue: 3091)
  package static let readOnlyDatabaseMoved = ResultCode(rawValue: 1032)
  package static let readOnlyDirectory = ResultCode(rawValue: 1544)
}

/// This layer's own codes.
extension ResultCode {
  /// The file is another program's database: another `application_id`, or tables under none.
  package static let foreignDatabase = ResultCode(rawValue: -1)
  /// The file's `user_version` is higher than the highest migration of this build.
  package static let newerSchema = ResultCode(rawValue: -2)
  /// The ``Database`` was closed before the call.
  package static let closed = ResultCode(rawValue: -3)
  /// As many writes are under way or wait as ``DatabaseConfiguration/pendingWriteCountMax`` allows.
  package static let writeQueueFull = ResultCode(rawValue: -4)
  /// What is to be made is there already, and is not to be replaced.
  package static let fileExists = ResultCode(rawValue: -5)
}

extension ResultCode: CustomStringConvertible {
  /// The symbolic name and the number: `SQLITE_CONSTRAINT_UNIQUE (2067)`.
  package var description: String {
    if let name = Self.names[rawValue] { return "\(name) (\(rawValue))" }
    if let name = Self.names[primary.rawValue] { return "\(name) (extended code \(rawValue))" }
    return "result code \(rawValue)"
  }

  private static let names: [Int32: String] = [
    -1: "FOREIGN_DATABASE", -2: "NEWER_SCHEMA", -3: "CLOSED", -4: "WRITE_QUEUE_FULL",
    -5: "FILE_EXISTS",
    0: "SQLITE_OK", 1: "SQLITE_ERROR", 2: "SQLITE_INTERNAL", 3: "SQLITE_PERM", 4: "SQLITE_ABORT",
    5: "SQLITE_BUSY", 6: "SQLITE_LOCKED", 7: "SQLITE_NOMEM", 8: "SQLITE_READONLY",
    9: "SQLITE_INTERRUPT", 10: "SQLITE_IOERR", 11: "SQLITE_CORRUPT", 12: "SQLITE_NOTFOUND",
    13: "SQLITE_FULL", 14: "SQLITE_CANTOPEN", 15: "SQLITE_PROTOCOL", 17: "SQLITE_SCHEMA",
    18: "SQLITE_TOOBIG", 19: "SQLITE_CONSTRAINT", 20: "SQLITE_MISMATCH", 21: "SQLITE_MISUSE",
    22: "SQLITE_NOLFS", 23: "SQLITE_AUTH", 25: "SQLITE_RANGE", 26: "SQLITE_NOTADB",
    261: "SQLITE_BUSY_RECOVERY", 517: "SQLITE_BUSY_SNAPSHOT", 773: "SQLITE_BUSY_TIMEOUT",
    264: "SQLITE_READONLY_RECOVERY", 520: "SQLITE_READONLY_CANTLOCK",
    776: "SQLITE_READONLY_ROLLBACK", 1032: "SQLITE_READONLY_DBMOVED",
    1288: "SQLITE_READONLY_CANTINIT", 1544: "SQLITE_READONLY_DIRECTORY",
    266: "SQLITE_IOERR_READ", 522: "SQLITE_IOERR_SHORT_READ", 778: "SQLITE_IOERR_WRITE",
    1034: "SQLITE_IOERR_FSYNC", 1290: "SQLITE_IOERR_DIR_FSYNC", 1546: "SQLITE_IOERR_TRUNCATE",
    1802: "SQLITE_IOERR_FSTAT", 4618: "SQLITE_IOERR_SHMOPEN", 4874: "SQLITE_IOERR_SHMSIZE",
    5386: "SQLITE_IOERR_SHMMAP", 526: "SQLITE_CANTOPEN_ISDIR", 782: "SQLITE_CANTOPEN_FULLPATH",
    1550: "SQLITE_CANTOPEN_SYMLINK", 267: "SQLITE_CORRUPT_VTAB", 779: "SQLITE_CORRUPT_INDEX",
    275: "SQLITE_CONSTRAINT_CHECK", 787: "SQLITE_CONSTRAINT_FOREIGNKEY",
    1299: "SQLITE_CONSTRAINT_NOTNULL", 1555: "SQLITE_CONSTRAINT_PRIMARYKEY",
    1811: "SQLITE_CONSTRAINT_TRIGGER", 2067: "SQLITE_CONSTRAINT_UNIQUE",
    2579: "SQLITE_CONSTRAINT_ROWID", 3091: "SQLITE_CONSTRAINT_DATATYPE",
  ]
}
