/// A database shared by the tasks of a process: one writer, several readers.
///
/// - Reads are synchronous: ``read(_:)`` borrows one of a pool's connections on the caller's thread, inside a
///   transaction, so that all it sees is one moment. For a file the pool grows to
///   ``DatabaseConfiguration/readerCountMax``, and a writer disturbs no reader. In memory there is one
///   connection, and readers and writer take turns.
/// - Writes are asynchronous and in order: ``write(_:)`` runs on a thread of its own, under the ``WriteGate``,
///   in a transaction that is rolled back unless the closure returns.
/// - No connection, statement or row leaves its closure; what a closure returns is `Sendable`.
///
/// The database owns its connections and closes them in ``close()``, or when it is released.
package final class Database: Sendable {
  /// The resolved path of the file, or nil in memory.
  package let path: String?
  /// Why nothing can be written, or nil when the database can be written.
  package let readOnlyReason: String?
  /// The migrations that opening it ran, oldest first.
  package let migrationsRun: [Migration]

  let configuration: DatabaseConfiguration
  /// For ``read(_:)``, which is inlined where it is called; use that.
  package let readers: ConnectionPool
  let writes: WriteQueue
  /// What a write needs of a file; nil in memory and where nothing can be written.
  let writer: FileWriter?
  private let watch: ChangeWatch

  init(
    path: String?, readOnlyReason: String?, migrationsRun: [Migration],
    configuration: DatabaseConfiguration, readers: ConnectionPool, writes: WriteQueue,
    writer: FileWriter?, watch: ChangeWatch
  ) {
    self.path = path
    self.readOnlyReason = readOnlyReason
    self.migrationsRun = migrationsRun
    self.configuration = configuration
    self.readers = readers
    self.writes = writes
    self.writer = writer
    self.watch = watch
  }
}

extension Database {
  /// Reads, on this thread, from one snapshot.
  ///
  /// The snapshot is taken at the first statement: what commits later is not seen, in this process or
  /// another. Keep it short: a reader holds back the checkpoint of the log. Do not nest reads: each takes a
  /// connection, and in memory there is one.
  ///
  /// - Parameter body: States its error type: `{ connection throws(SQLiteError) in … }`.
  /// - Throws: `closed`; `busy` when every connection was in use for too long; or what `body` throws.
  @inlinable
  package func read<Value: Sendable, Failure: SQLiteErrorConvertible>(
    _ body: @Sendable (Connection) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try readers.withConnection { connection throws(Failure) in
      try connection.transaction(.deferred) { () throws(Failure) in
        try body(connection)
      }
    }
  }

  /// Reads, on this thread, with one statement: that is one snapshot by itself, and two steps cheaper than
  /// ``read(_:)``.
  ///
  /// - Throws: As ``read(_:)``.
  @inlinable
  package func readOne<Value: Sendable, Failure: SQLiteErrorConvertible>(
    _ body: @Sendable (Connection) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try readers.withConnection { connection throws(Failure) in try body(connection) }
  }

  /// Writes, in one transaction, after the writes before it.
  ///
  /// The transaction is IMMEDIATE and is committed when `body` returns; when `body` or the commit throws,
  /// nothing of it is stored. When this returns, the change is on disk (`synchronous=FULL`). `body` runs on
  /// the writer's thread with the ``WriteGate`` held: let it do nothing but write.
  ///
  /// Cancelling the task ends the waiting, not a write that has begun.
  ///
  /// - Throws: `readOnly`, `closed`, `writeQueueFull`; `newerSchema` when a newer build has migrated the file
  ///   since it was opened; `busy` when other processes held the gate for
  ///   ``DatabaseConfiguration/gateWaitMax``; `interrupted` when cancelled before it began;
  ///   `readOnlyDatabaseMoved` when the file is no longer at its path; or what `body` throws.
  package func write<Value: Sendable, Failure: SQLiteErrorConvertible>(
    _ body: @escaping @Sendable (Connection) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let deadline = ContinuousClock.now + configuration.gateWaitMax
    return try await writes.submit { [self] isCancelled throws(Failure) in
      try perform(until: deadline, isCancelled: isCancelled, body)
    }
  }

  /// Moves the write-ahead log into the file and cuts it to nothing, as far as readers allow.
  ///
  /// Writes do so by themselves when the log reaches ``DatabaseConfiguration/checkpointByteCount``.
  ///
  /// - Throws: As ``write(_:)``; not for a reader in the way, which the report tells.
  @discardableResult
  package func checkpoint() async throws(SQLiteError) -> CheckpointReport {
    guard path != nil else { return CheckpointReport(isComplete: true, walByteCount: 0) }
    let deadline = ContinuousClock.now + configuration.gateWaitMax
    return try await writes.submit { [self] isCancelled throws(SQLiteError) in
      guard let writer else { throw readOnlyError }
      return try writer.checkpoint(until: deadline, isCancelled: isCancelled)
    }
  }

  /// Writes the whole file anew, without its free pages.
  ///
  /// It takes a temporary file of the same size, and a log of that size. Other writers wait for it; cancelling the task
  /// interrupts it, and leaves the file as it was. A database in memory is left alone.
  ///
  /// - Throws: As ``write(_:)``; `interrupted` when cancelled.
  package func vacuum() async throws(SQLiteError) {
    guard path != nil else { return }
    let deadline = ContinuousClock.now + configuration.gateWaitMax
    try await writes.submit { [self] isCancelled throws(SQLiteError) in
      guard let writer else { throw readOnlyError }
      try writer.vacuum(until: deadline, isCancelled: isCancelled)
    }
  }

  /// Lets other processes write before this one writes again.
  ///
  /// The gate is not fair: who writes again and again has it back before anybody else looks at it. For work in many
  /// transactions.
  package func giveWay() async {
    guard path != nil else { return }
    func rest() async throws(SQLiteError) {
      try await writes.submit { _ throws(SQLiteError) in WriteGate.rest() }
    }
    // A queue that takes no more is full of others' writes, which is what is asked for.
    try? await rest()
  }

  /// How large the write-ahead log is, and whether a reader keeps it so.
  package var writeAheadLogStatus: WriteAheadLogStatus {
    writer?.status ?? WriteAheadLogStatus(byteCount: 0, latestCheckpoint: nil, latestFailure: nil)
  }

  /// A value that changes with every commit, of this process or another.
  ///
  /// It costs about 2 µs: poll it, rather than ask at each read.
  ///
  /// - Throws: `closed`; `readOnlyDatabaseMoved` when the file is no longer at its path.
  package func changeToken() throws(SQLiteError) -> ChangeToken {
    try watch.token()
  }

  /// Reads the whole file for damage (`PRAGMA integrity_check`), in a thread of its own.
  ///
  /// - Returns: What is wrong, at most a hundred findings; empty when all is well.
  /// - Throws: `corrupt` or `notADatabase` when it is too damaged to be checked.
  package func integrityCheck() async throws(SQLiteError) -> [String] {
    let thread = WriteQueue(pendingCountMax: 1, path: path)
    return try await thread.submit { [readers] _ throws(SQLiteError) in
      try readers.withConnection { connection throws(SQLiteError) in
        try connection.integrityCheck()
      }
    }
  }

  /// Closes every connection and returns when the last is closed.
  ///
  /// Reads and the write that run now end first; writes that wait get `closed`, and so does every later call.
  /// The log is moved into the file if no other process holds the gate at this moment.
  package func close() async {
    writes.refuse()
    watch.close()
    await readers.close()
    await writes.finish { [writer] in writer?.close() }
  }
}

extension Database {
  private func perform<Value, Failure: SQLiteErrorConvertible>(
    until deadline: ContinuousClock.Instant, isCancelled: () -> Bool,
    _ body: (Connection) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if let writer {
      return try writer.write(until: deadline, isCancelled: isCancelled, body)
    }
    guard path == nil else { throw Failure(readOnlyError) }
    return try readers.withConnection { connection throws(Failure) in
      connection.refusesWrites = false
      defer { connection.refusesWrites = true }
      let value = try connection.transaction(.immediate) { () throws(Failure) in
        try body(connection)
      }
      watch.countCommit()
      return value
    }
  }

  private var readOnlyError: SQLiteError {
    SQLiteError(
      code: .readOnly,
      message: "the database is open for reading only: \(readOnlyReason ?? "unknown")",
      path: path)
  }
}

extension Connection {
  /// What `PRAGMA integrity_check` finds, at most a hundred lines; empty when all is well.
  package func integrityCheck() throws(SQLiteError) -> [String] {
    let findings = try withStatement("PRAGMA integrity_check(100)") {
      statement throws(SQLiteError) in
      try statement.mapRows { row throws(SQLiteError) in try row.repairedString(at: 0) }
    }
    return findings == ["ok"] ? [] : findings
  }
}
