internal import SystemSQLite

/// When a transaction takes its lock (https://sqlite.org/lang_transaction.html).
package enum TransactionKind: Hashable, Sendable {
  /// At the first read or write: every read sees the database as it was at the first of them.
  case deferred
  /// At once, for writing.
  ///
  /// A deferred transaction that first reads and then writes must upgrade its snapshot; if another
  /// connection wrote in between it fails busy at once, skipping the busy timeout, and no waiting helps.
  case immediate

  fileprivate var sql: String {
    switch self {
    case .deferred: "BEGIN DEFERRED"
    case .immediate: "BEGIN IMMEDIATE"
    }
  }
}

extension Connection {
  /// Runs `body` in a transaction, committed when it returns and rolled back when it throws.
  ///
  /// Transactions do not nest; for a part that may fail alone use ``savepoint(_:)``.
  ///
  /// - Throws: What `body` throws; or what the commit says, after which nothing of it is stored.
  package func transaction<Result, Failure: SQLiteErrorConvertible>(
    _ kind: TransactionKind, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try control(kind.sql, orThrow: Failure.self)
    let result: Result
    do throws(Failure) {
      result = try body()
      try control("COMMIT", orThrow: Failure.self)
    } catch {
      // SQLite has rolled back by itself after some failures (a full disk, an I/O error). When ROLLBACK
      // itself fails, the handle is in the hands of its owner; the first failure is the one to report.
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
    return result
  }

  /// Runs `body` as a part of a transaction that is undone alone when it throws.
  package func savepoint<Result, Failure: SQLiteErrorConvertible>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try control("SAVEPOINT part", orThrow: Failure.self)
    let result: Result
    do throws(Failure) {
      result = try body()
      try control("RELEASE part", orThrow: Failure.self)
    } catch {
      // Savepoints of one name nest: both commands mean the innermost.
      if isInTransaction { try? execute("ROLLBACK TO part; RELEASE part") }
      throw error
    }
    return result
  }

  /// Runs a statement that controls a transaction, from the cache.
  private func control<Failure: SQLiteErrorConvertible>(_ sql: String, orThrow: Failure.Type)
    throws(Failure)
  {
    do throws(SQLiteError) {
      try withStatement(sql) { statement throws(SQLiteError) in try statement.run() }
    } catch {
      throw Failure(error)
    }
  }
}
