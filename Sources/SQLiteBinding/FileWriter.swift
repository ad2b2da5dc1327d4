/// How the write-ahead log stands.
package struct WriteAheadLogStatus: Equatable, Sendable {
  /// Bytes it takes on disk now.
  package let byteCount: Int
  /// What the latest checkpoint by this process came to; nil before the first.
  package let latestCheckpoint: CheckpointReport?
  /// Why the latest automatic checkpoint failed; nil when it did not.
  package let latestFailure: SQLiteError?

  /// Whether the latest checkpoint found a reader that still needs the log.
  ///
  /// While such a reader stays, perhaps in another process, the log grows with every commit.
  package var isHeldByReader: Bool {
    latestCheckpoint?.isComplete == false
  }
}

/// The writing side of a database file: its connection, the gate, and the checkpoints.
///
/// Its calls block, and come one at a time from the database's ``WriteQueue``.
final class FileWriter: Sendable {
  let gate: WriteGate
  private let path: String
  private let checkpointByteCount: Int
  /// The newest schema this build can write; nil when it takes any.
  private let schemaVersionMax: Int?
  // nonisolated(unsafe): the lock is the database's serial WriteQueue, the only caller.
  nonisolated(unsafe) private var connection: Connection?
  // nonisolated(unsafe): the lock is the database's serial WriteQueue, as for the connection.
  nonisolated(unsafe) private var isBroken = false
  private let checkpoints: Lock<Checkpoints>

  private struct Checkpoints {
    /// Size of the log at which the next one is due.
    var nextByteCount: Int
    var latest: CheckpointReport?
    var latestFailure: SQLiteError?
  }

  /// - Parameter connection: Nobody else's: the writer owns it from now on.
  init(
    connection: Connection, gate: WriteGate, path: String, checkpointByteCount: Int,
    schemaVersionMax: Int?
  ) {
    self.connection = connection
    self.gate = gate
    self.path = path
    self.checkpointByteCount = checkpointByteCount
    self.schemaVersionMax = schemaVersionMax
    checkpoints = Lock(Checkpoints(nextByteCount: checkpointByteCount))
  }

  func write<Value, Failure: SQLiteErrorConvertible>(
    until deadline: ContinuousClock.Instant, isCancelled: () -> Bool,
    _ body: (Connection) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try gate.withLock(until: deadline, isCancelled: isCancelled) { () throws(Failure) in
      let connection = try usableConnection(orThrow: Failure.self)
      defer { closeIfInTransaction(connection) }
      let value = try connection.transaction(.immediate) { () throws(Failure) in
        do throws(SQLiteError) {
          try checkSchema(connection)
        } catch {
          throw Failure(error)
        }
        return try body(connection)
      }
      checkpointIfDue(connection)
      return value
    }
  }

  func checkpoint(until deadline: ContinuousClock.Instant, isCancelled: () -> Bool)
    throws(SQLiteError) -> CheckpointReport
  {
    try gate.withLock(until: deadline, isCancelled: isCancelled) { () throws(SQLiteError) in
      let report = try usableConnection(orThrow: SQLiteError.self).truncateWriteAheadLog()
      note(.success(report))
      return report
    }
  }

  func vacuum(until deadline: ContinuousClock.Instant, isCancelled: () -> Bool) throws(SQLiteError) {
    try gate.withLock(until: deadline, isCancelled: isCancelled) { () throws(SQLiteError) in
      let connection = try usableConnection(orThrow: SQLiteError.self)
      try checkSchema(connection)
      try connection.interruptible(when: isCancelled) { () throws(SQLiteError) in
        try connection.execute("VACUUM")
      }
      checkpointIfDue(connection)
    }
  }

  var status: WriteAheadLogStatus {
    checkpoints.withLock { checkpoints in
      WriteAheadLogStatus(
        byteCount: DatabaseFile.presence(ofSideFile: path + "-wal").byteCount,
        latestCheckpoint: checkpoints.latest, latestFailure: checkpoints.latestFailure)
    }
  }

  /// Leaves a file without a log behind where nobody is in the way, and closes the connection.
  func close() {
    guard let open = connection else { return }
    connection = nil
    if open.walByteCount > 0, !open.fileHasMoved {
      // Whoever holds the gate will see to the log; nothing is lost by leaving it.
      func neverCancelled() -> Bool { false }
      try? gate.withLock(until: .now, isCancelled: neverCancelled) { () throws(SQLiteError) in
        _ = try open.truncateWriteAheadLog()
      }
    }
    open.close()
  }

  private func usableConnection<Failure: SQLiteErrorConvertible>(orThrow: Failure.Type)
    throws(Failure) -> Connection
  {
    guard let connection else {
      throw Failure(isBroken ? .notRolledBack(path: path) : .closed(path: path))
    }
    // A commit into a file that has no name any more would be acknowledged and lost.
    if connection.fileHasMoved { throw Failure(.moved(path: path)) }
    return connection
  }

  /// Closes the connection, for good, when its transaction could be neither committed nor rolled back.
  ///
  /// It would keep SQLite's own write lock after the gate was given back, and every process that then had the
  /// gate would be busy. Closing rolls back, and needs no memory for it.
  private func closeIfInTransaction(_ connection: Connection) {
    guard connection.isInTransaction else { return }
    connection.close()
    self.connection = nil
    isBroken = true
  }

  /// Refuses to write what a newer build has migrated since this one opened it.
  ///
  /// Called inside each write transaction, where the version can no longer change; it is read from the header,
  /// which the transaction has at hand.
  private func checkSchema(_ connection: Connection) throws(SQLiteError) {
    guard let schemaVersionMax else { return }
    let version = try connection.firstValue("PRAGMA user_version") { row throws(SQLiteError) in
      try row.int(at: 0)
    }
    guard let version, version > schemaVersionMax else { return }
    throw SQLiteError(
      code: .newerSchema,
      message: "the file has schema version \(version), and this build knows none after \(schemaVersionMax): "
        + "it was migrated by a newer build while open; restart with it",
      path: path)
  }

  /// Checkpoints once the log is large enough; the write before it is committed whatever comes of it.
  private func checkpointIfDue(_ connection: Connection) {
    let byteCount = connection.walByteCount
    guard byteCount >= checkpoints.withLock({ $0.nextByteCount }) else { return }
    do throws(SQLiteError) {
      note(.success(try connection.truncateWriteAheadLog()))
    } catch {
      note(.failure(error))
    }
  }

  private func note(_ outcome: Result<CheckpointReport, SQLiteError>) {
    checkpoints.withLock { checkpoints in
      switch outcome {
      case .success(let report):
        checkpoints.latest = report
        checkpoints.latestFailure = nil
        // Behind a reader the next attempt would find the same reader; let the log grow by as much again.
        checkpoints.nextByteCount =
          report.isComplete
          ? checkpointByteCount : report.walByteCount + checkpointByteCount
      case .failure(let error):
        checkpoints.latestFailure = error
      }
    }
  }
}

extension SQLiteError {
  static func notRolledBack(path: String?) -> SQLiteError {
    let connection = path == nil ? "the database in memory" : "the connection that writes"
    return SQLiteError(
      code: .closed,
      message: "\(connection) was closed, as a transaction could not be rolled back; open the database again",
      path: path)
  }

  static func moved(path: String) -> SQLiteError {
    SQLiteError(
      code: .readOnlyDatabaseMoved,
      message:
        "the database file was renamed, replaced or deleted while it was open; open it again",
      path: path)
  }
}
