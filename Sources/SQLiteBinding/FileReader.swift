internal import Glibc

/// The reading side of a database file, for what takes long: a backup, an export, a check.
///
/// The file is opened as it is, for reading alone: nothing is migrated, and the log stays where it is. A reader needs
/// no ``WriteGate``, as it neither appends to the log nor moves it. It runs on a thread of its own, over one snapshot:
/// what others commit meanwhile is not seen, and the log grows for as long as the reading takes.
package struct FileReader: Sendable {
  private let path: String
  /// Whose database it should be; nil takes any.
  private let migrator: Migrator?
  private let configuration: ConnectionConfiguration

  package init(
    path: String, migrator: Migrator? = nil,
    configuration: ConnectionConfiguration = ConnectionConfiguration()
  ) {
    self.path = path
    self.migrator = migrator
    self.configuration = configuration
  }

  /// Opens the file, lends its connection inside one snapshot, and closes it.
  ///
  /// Cancelling the task interrupts the statement that runs.
  ///
  /// - Parameter body: Is given a way to ask whether the task was cancelled, for its own loops.
  /// - Throws: `cannotOpen` and its extensions when there is no such file, `permission`, `foreignDatabase`,
  ///   `newerSchema`, `notADatabase`, `corrupt`; `interrupted` when cancelled; or what `body` throws.
  package func read<Value: Sendable, Failure: SQLiteErrorConvertible>(
    _ body:
      @escaping @Sendable (_ connection: Connection, _ isCancelled: () -> Bool) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let thread = WriteQueue(pendingCountMax: 1, path: path)
    return try await thread.submit { isCancelled throws(Failure) in
      let connection: Connection
      do throws(SQLiteError) { connection = try open() } catch { throw Failure(error) }
      defer { connection.close() }
      return try connection.interruptible(when: isCancelled) { () throws(Failure) in
        try connection.transaction(.deferred) { () throws(Failure) in try body(connection, isCancelled) }
      }
    }
  }

  /// What the file says of itself, as ``look(_:)`` sees it.
  ///
  /// - Throws: `notADatabase`, `corrupt`, `permission` and the like.
  package func header() async throws(SQLiteError) -> DatabaseHeader? {
    try await look { connection throws(SQLiteError) in try connection.header() }
  }

  /// Has `body` look at the file as it is, whosever it is, without a trace beside it.
  ///
  /// Only where the log holds something does SQLite need the log's index, and makes it if it is not there. Without a log
  /// the file may change meanwhile: `body` is then called again, and what it saw before is dropped.
  ///
  /// Cancelling the task interrupts the statement that runs.
  ///
  /// - Returns: What `body` saw; nil while the file is empty or absent, has a rollback journal that holds the truth, or
  ///   kept changing.
  /// - Throws: What `body` throws, or why the file cannot be read.
  package func look<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws(SQLiteError) -> Value
  ) async throws(SQLiteError) -> Value? {
    let thread = WriteQueue(pendingCountMax: 1, path: path)
    return try await thread.submit { isCancelled throws(SQLiteError) in
      let file = try presentFile(orElse: { _ in })
      return try DatabaseProbe(file: file, configuration: configuration).look {
        connection throws(SQLiteError) in
        try connection.interruptible(when: isCancelled) { () throws(SQLiteError) in try body(connection) }
      }
    }
  }

  private func open() throws(SQLiteError) -> Connection {
    let file = try presentFile { file throws(SQLiteError) in
      throw SQLiteError(code: .cannotOpen, message: "there is no such file", path: file.path)
    }
    if let migrator {
      try DatabaseProbe(file: file, configuration: configuration).check(migrator)
    }
    let connection = try Connection(
      location: .file(file.path), mode: file.modeForReading, configuration: configuration)
    // A file that kept changing, or whose journal holds the truth, was not looked at before.
    try migrator?.check(connection)
    return connection
  }

  /// The file, once it is known to be one that can be read.
  private func presentFile(
    orElse absent: (DatabaseFile) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> DatabaseFile {
    let file = try DatabaseFile(resolving: path)
    guard try file.presence() != .absent else {
      try absent(file)
      return file
    }
    if let refusal = DatabaseFile.refusal(of: R_OK, to: file.path) {
      throw SQLiteError(
        code: .permission, message: "the database file cannot be read: \(refusal)", path: file.path)
    }
    return file
  }
}
