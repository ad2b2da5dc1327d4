internal import SystemSQLite

/// What a checkpoint came to.
package struct CheckpointReport: Hashable, Sendable {
  /// Whether the whole log was moved into the database and cut to nothing.
  ///
  /// False when a reader still needs a part of the log: it was moved as far as that reader allows.
  package let isComplete: Bool
  /// Bytes the log takes on disk now.
  package let walByteCount: Int

  package init(isComplete: Bool, walByteCount: Int) {
    self.isComplete = isComplete
    self.walByteCount = walByteCount
  }
}

extension Connection {
  /// Moves the write-ahead log into the database and cuts it to nothing, as far as readers allow.
  ///
  /// It waits for nobody: TRUNCATE waits for every reader of the log for as long as the busy timeout is, with
  /// the gate held, and all writers behind it. Call it with the ``WriteGate`` held, outside a transaction.
  ///
  /// - Throws: What SQLite says, but for a reader in the way.
  func truncateWriteAheadLog() throws(SQLiteError) -> CheckpointReport {
    let resultCode = withoutBusyTimeout {
      sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }
    guard resultCode == SQLITE_OK || ResultCode(rawValue: resultCode).primary == .busy else {
      throw error(resultCode, sql: nil)
    }
    return CheckpointReport(isComplete: resultCode == SQLITE_OK, walByteCount: walByteCount)
  }

  /// Bytes the write-ahead log takes on disk; 0 in memory.
  var walByteCount: Int {
    guard let path else { return 0 }
    return DatabaseFile.presence(ofSideFile: path + "-wal").byteCount
  }
}
