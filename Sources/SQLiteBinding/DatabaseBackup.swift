internal import AtomicFileWriting
internal import SystemSQLite

/// How far a backup has come.
package struct BackupProgress: Hashable, Sendable {
  /// Pages that are copied.
  package let copiedPageCount: Int
  /// Pages there are to copy.
  package let pageCount: Int
}

/// What a backup holds.
package struct BackupReport: Hashable, Sendable {
  /// The backup's resolved path.
  package let path: String
  /// Its size.
  package let byteCount: Int64
  /// Its schema.
  package let schemaVersion: Int
  /// Its tables, by name.
  package let tables: [TableSize]
}

/// A whole copy of a database file, made while others read and write it.
///
/// The idea: SQLite's backup copies pages, some at a time, and begins anew whenever another process has written in
/// between, for ever where one writes all the time (https://sqlite.org/backup.html). Here the reading connection holds
/// one snapshot of the write-ahead log from the first page to the last, so that there is nothing to begin anew for: the
/// copy is the database of one moment, writers go on, and neither they nor the gate are waited for. The price is that
/// the log cannot be cut meanwhile. `VACUUM INTO` would give the same moment, but in one step that tells nothing of how
/// far it has come, and would build every index again.
///
/// The copy is written beside its place, readable by its owner alone, read through for damage, counted against the
/// source, and moved into place (see `PendingFile`); until then nothing is there, or what was there before.
package struct DatabaseBackup: Sendable {
  package let source: String
  package let target: String
  /// Whether a file that is in the target's place is replaced.
  package let replaces: Bool
  /// Whose database the source should be; nil takes any.
  package let migrator: Migrator?

  /// Pages of one step: what is copied between two looks at whether to go on.
  static let stepPageCount: Int32 = 256

  package init(of source: String, to target: String, replaces: Bool, migrator: Migrator?) {
    self.source = source
    self.target = target
    self.replaces = replaces
    self.migrator = migrator
  }

  /// Makes the backup.
  ///
  /// - Parameter onProgress: Called after each step, on the thread that copies.
  /// - Throws: `fileExists`; `cannotOpen` for a target that is no file, is one of the source's, has a log of another
  ///   database beside it, or whose folder cannot be written; `full`; `corrupt` when the source, and so the copy, is
  ///   damaged; `interrupted` when the task is cancelled; or why the source cannot be read, as
  ///   ``FileReader/read(_:)``. The source is as it was, and of the copy nothing is left.
  package func run(
    onProgress: @escaping @Sendable (BackupProgress) -> Void = { _ in }
  ) async throws(SQLiteError) -> BackupReport {
    try await FileReader(path: source, migrator: migrator).read {
      [self] connection, isCancelled throws(SQLiteError) in
      // The first read takes the snapshot.
      let header = try connection.header()
      let pending = try pendingFile(besides: connection.path)
      let byteCount = Int64(header.pageCount) * Int64(header.pageSize)
      guard pending.availableByteCount >= byteCount else {
        throw SQLiteError(
          code: .full,
          message: "the backup takes \(byteCount) bytes, which \(pending.folder) does not have left",
          path: target)
      }
      try copy(connection, to: pending.path, isCancelled: isCancelled, onProgress: onProgress)
      let tables = try check(pending.path, against: connection, isCancelled: isCancelled)
      let report = BackupReport(
        path: pending.target, byteCount: pending.byteCount, schemaVersion: header.userVersion, tables: tables)
      try throwingSQLiteError { () throws(FileError) in try pending.moveIntoPlace() }
      return report
    }
  }

  /// The file to copy into, once it is known that its place may be taken.
  private func pendingFile(besides source: String?) throws(SQLiteError) -> PendingFile {
    if let objection = TargetPlace(target, for: .backup).objection(besides: source) {
      throw SQLiteError(code: .cannotOpen, message: objection, path: target)
    }
    return try throwingSQLiteError { () throws(FileError) in
      try PendingFile(for: target, permissions: 0o600, replaces: replaces)
    }
  }

  private func copy(
    _ source: Connection, to path: String, isCancelled: () -> Bool,
    onProgress: (BackupProgress) -> Void
  ) throws(SQLiteError) {
    let destination = try Connection(location: .file(path), mode: .scratch)
    defer { destination.close() }
    guard let backup = sqlite3_backup_init(destination.handle, "main", source.handle, "main") else {
      throw destination.error(sqlite3_errcode(destination.handle), sql: nil)
    }
    var resultCode = SQLITE_OK
    while resultCode == SQLITE_OK, !isCancelled() {
      resultCode = sqlite3_backup_step(backup, Self.stepPageCount)
      let pageCount = Int(sqlite3_backup_pagecount(backup))
      onProgress(
        BackupProgress(
          copiedPageCount: pageCount - Int(sqlite3_backup_remaining(backup)), pageCount: pageCount))
    }
    // A lock in the way is told by the step alone, anything else by the end, too.
    let end = sqlite3_backup_finish(backup)
    if resultCode == SQLITE_DONE, end == SQLITE_OK { return }
    guard resultCode == SQLITE_OK, end == SQLITE_OK else {
      let error = destination.error(end == SQLITE_OK ? resultCode : end, sql: nil)
      throw SQLiteError(code: error.code, message: error.message, path: target)
    }
    throw SQLiteError(code: .interrupted, message: "the backup was cancelled", path: target)
  }

  /// Reads the copy through for damage and for rows that are missing.
  ///
  /// - Returns: Its tables.
  private func check(
    _ path: String, against source: Connection, isCancelled: () -> Bool
  ) throws(SQLiteError) -> [TableSize] {
    let copy = try Connection(location: .file(path), mode: .immutable)
    defer { copy.close() }
    var tables: [TableSize] = []
    var finding: String?
    do throws(SQLiteError) {
      finding = try copy.interruptible(when: isCancelled) { () throws(SQLiteError) in
        if let finding = try copy.integrityCheck().first { return finding }
        tables = try copy.tables()
        return try source.tables() == tables ? nil : "a table has other rows than its copy"
      }
    } catch  where error.code.primary == .corrupt {
      // Too damaged to be read through.
      finding = error.message
    } catch {
      throw error
    }
    guard let finding else { return tables }
    throw SQLiteError(
      code: .corrupt, message: "the database is damaged, and so is its copy, which was removed: \(finding)",
      path: source.path)
  }

  private func throwingSQLiteError<Value>(
    _ body: () throws(FileError) -> Value
  ) throws(SQLiteError) -> Value {
    do throws(FileError) { return try body() } catch {
      throw SQLiteError(code: ResultCode(error.code), message: error.message, path: nil)
    }
  }
}

extension ResultCode {
  fileprivate init(_ code: FileError.Code) {
    switch code {
    case .exists: self = .fileExists
    case .noFile, .folder: self = .cannotOpen
    case .readOnly: self = .readOnly
    case .full: self = .full
    default: self = .inputOutput
    }
  }
}
