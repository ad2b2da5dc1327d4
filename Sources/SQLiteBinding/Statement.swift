internal import SystemSQLite

/// A prepared statement on loan, for the time of ``Connection/withStatement(_:_:)``.
///
/// The connection's cache owns the handle; this is the right to use it, held by one scope at a time. It
/// keeps its connection alive, cannot be copied, and at its end the handle is reset, its bindings cleared
/// and given back. Nothing read from it by closure outlives that closure.
///
/// Parameters count from 1 and columns from 0, as in SQL and in SQLite.
package struct Statement: ~Copyable {
  @usableFromInline let handle: OpaquePointer
  let prepared: PreparedStatement
  let connection: Connection

  init(prepared: PreparedStatement, connection: Connection) {
    handle = prepared.handle
    self.prepared = prepared
    self.connection = connection
  }

  deinit {
    connection.endLease(of: prepared)
  }
}

extension Statement {
  /// The SQL it was prepared from.
  package var sql: String { prepared.sql }

  /// Columns in each of its rows; 0 for a statement that gives none.
  package var columnCount: Int { prepared.columnCount }

  /// The names of its columns, in order; SQLite makes them up where the SQL gives none.
  package var columnNames: [String] {
    (0..<columnCount).map { column in
      sqlite3_column_name(handle, Int32(truncatingIfNeeded: column)).map { String(cString: $0) } ?? ""
    }
  }

  /// Parameters it takes: the highest number of a `?`.
  package var parameterCount: Int { prepared.parameterCount }

  /// Runs until the next row or the end.
  ///
  /// At the end it is reset with its bindings kept, so that it may be bound anew and run again.
  ///
  /// - Returns: True when there is a row, false at the end.
  package mutating func step() throws(SQLiteError) -> Bool {
    let resultCode = sqlite3_step(handle)
    if resultCode == SQLITE_ROW { return true }
    if resultCode == SQLITE_DONE {
      sqlite3_reset(handle)
      return false
    }
    throw failure(resultCode)
  }

  /// Runs to the end, ignoring rows.
  package mutating func run() throws(SQLiteError) {
    while try step() {}
  }

  /// Goes back to before the first row, keeping the bindings.
  package mutating func reset() {
    // Its result repeats the failure of the latest step, which was thrown then.
    sqlite3_reset(handle)
  }

  /// Runs to the end, lending each row in turn.
  @inlinable
  package mutating func forEachRow<Failure: SQLiteErrorConvertible>(
    _ body: (borrowing Row) throws(Failure) -> Void
  ) throws(Failure) {
    let row = Row(handle: handle, columnCount: columnCount)
    do {
      while try advance(orThrow: Failure.self) { try body(row) }
    } catch {
      // An open cursor keeps its snapshot, and so the log from being checkpointed.
      reset()
      throw error
    }
  }

  /// Runs to the end and collects what `decode` makes of each row.
  @inlinable
  package mutating func mapRows<Value, Failure: SQLiteErrorConvertible>(
    _ decode: (borrowing Row) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    var values: [Value] = []
    try forEachRow { row throws(Failure) in
      values.append(try decode(row))
    }
    return values
  }

  /// Decodes the first row and goes back to before it; nil when there is none.
  @inlinable
  package mutating func firstRow<Value, Failure: SQLiteErrorConvertible>(
    _ decode: (borrowing Row) throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    defer { reset() }
    guard try advance(orThrow: Failure.self) else { return nil }
    return try decode(Row(handle: handle, columnCount: columnCount))
  }

  @inlinable
  mutating func advance<Failure: SQLiteErrorConvertible>(orThrow: Failure.Type)
    throws(Failure) -> Bool
  {
    do throws(SQLiteError) {
      return try step()
    } catch {
      throw Failure(error)
    }
  }

  /// The error of the latest step, which is undone.
  private mutating func failure(_ resultCode: Int32) -> SQLiteError {
    let error = error(resultCode)
    sqlite3_reset(handle)
    return error
  }

  func error(_ resultCode: Int32) -> SQLiteError {
    connection.error(resultCode, sql: sql)
  }
}
