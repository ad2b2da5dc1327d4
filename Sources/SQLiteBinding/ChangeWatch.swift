/// A value to compare with an earlier one: equal when nothing was committed in between.
package struct ChangeToken: Hashable, Sendable {
  let value: Int
}

/// Notices commits.
///
/// For a file, `PRAGMA data_version` tells a connection of the commits of every other, so this has one that
/// never writes (https://sqlite.org/pragma.html#pragma_data_version). A database in memory has one
/// connection, and its commits are counted.
final class ChangeWatch: Sendable {
  private let path: String?
  private let state: Lock<State>

  private enum State {
    case file(Connection)
    case memory(commitCount: Int)
    case closed
  }

  /// - Parameter connection: One that nobody else uses; the watch owns it.
  init(file connection: sending Connection) {
    path = connection.path
    state = Lock(.file(connection))
  }

  /// Watches a database in memory.
  init() {
    path = nil
    state = Lock(.memory(commitCount: 0))
  }

  func token() throws(SQLiteError) -> ChangeToken {
    try state.withLock { state throws(SQLiteError) in
      switch state {
      case .closed: throw .closed(path: path)
      case .memory(let commitCount): return ChangeToken(value: commitCount)
      case .file(let connection):
        if connection.fileHasMoved { throw .moved(path: path ?? "") }
        let version = try connection.firstValue("PRAGMA data_version") { row throws(SQLiteError) in
          try row.int(at: 0)
        }
        return ChangeToken(value: version ?? 0)
      }
    }
  }

  func countCommit() {
    state.withLock { state in
      if case .memory(let commitCount) = state { state = .memory(commitCount: commitCount + 1) }
    }
  }

  func close() {
    state.withLock { state in
      if case .file(let connection) = state { connection.close() }
      state = .closed
    }
  }
}
