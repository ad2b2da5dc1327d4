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
}

extension Connection {
  /// Runs `body` in a transaction, committed when it returns and rolled back when it throws.
  ///
  /// Transactions do not nest; for a part that may fail alone use ``savepoint(_:)``.
  ///
  /// - Throws: What `body` throws; or what the commit says, after which nothing of it is stored.
  @inlinable
  package func transaction<Result, Failure: SQLiteErrorConvertible>(
    _ kind: TransactionKind, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(SQLiteError) { try begin(kind) } catch { throw Failure(error) }
    let result: Result
    do throws(Failure) {
      result = try body()
      do throws(SQLiteError) { try commit() } catch { throw Failure(error) }
    } catch {
      rollBack()
      throw error
    }
    return result
  }

  /// Runs `body` as a part of a transaction that is undone alone when it throws.
  @inlinable
  package func savepoint<Result, Failure: SQLiteErrorConvertible>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(SQLiteError) { try beginPart() } catch { throw Failure(error) }
    let result: Result
    do throws(Failure) {
      result = try body()
      do throws(SQLiteError) { try endPart() } catch { throw Failure(error) }
    } catch {
      rollBackPart()
      throw error
    }
    return result
  }
}

extension Connection {
  @usableFromInline
  func begin(_ kind: TransactionKind) throws(SQLiteError) {
    switch kind {
    case .deferred: try control(.beginDeferred)
    case .immediate: try control(.beginImmediate)
    }
  }

  @usableFromInline
  func commit() throws(SQLiteError) {
    try control(.commit)
  }

  @usableFromInline
  func rollBack() {
    // SQLite has rolled back by itself after some failures (a full disk, an I/O error). When ROLLBACK itself
    // fails, the connection's owner sees it still in a transaction; the first failure is the one to report.
    if isInTransaction { try? control(.rollBack) }
  }

  // Savepoints of one name nest: the commands mean the innermost.

  @usableFromInline
  func beginPart() throws(SQLiteError) {
    try control(.beginPart)
  }

  @usableFromInline
  func endPart() throws(SQLiteError) {
    try control(.endPart)
  }

  @usableFromInline
  func rollBackPart() {
    guard isInTransaction else { return }
    do throws(SQLiteError) {
      try control(.rollBackPart)
      try control(.endPart)
    } catch {
      // The part must not be committed with the rest; without a transaction, the commit fails.
      rollBack()
    }
  }

  private func control(_ control: TransactionControl) throws(SQLiteError) {
    let prepared = prepared(control)
    let resultCode = sqlite3_step(prepared.handle)
    guard resultCode == SQLITE_DONE else {
      let error = error(resultCode, sql: control.sql)
      sqlite3_reset(prepared.handle)
      throw error
    }
    sqlite3_reset(prepared.handle)
  }
}

/// The statements that begin and end transactions; each read runs two.
enum TransactionControl: Int, CaseIterable {
  case beginDeferred, beginImmediate, commit, rollBack, beginPart, endPart, rollBackPart

  var sql: String {
    switch self {
    case .beginDeferred: "BEGIN DEFERRED"
    case .beginImmediate: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .rollBack: "ROLLBACK"
    case .beginPart: "SAVEPOINT part"
    case .endPart: "RELEASE part"
    case .rollBackPart: "ROLLBACK TO part"
    }
  }
}
