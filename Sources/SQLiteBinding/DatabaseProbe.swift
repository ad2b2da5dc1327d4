/// A first look at a file, to refuse one that is not ours without leaving a trace beside it.
///
/// Opening a database in WAL mode, even to read, makes its `-shm` and `-wal` files. So where there is no log,
/// or an empty one, the file is opened as immutable, which makes none and takes no lock. Another process may
/// be changing it at that moment, and such a look may see anything: what it saw counts only when the file was
/// the same before and after it. Whatever this says of whose file it is, the migrator looks again inside a lock.
struct DatabaseProbe {
  let file: DatabaseFile
  let configuration: ConnectionConfiguration

  /// Looks at a file that kept changing; after that many, it is given up.
  private static let lookCountMax = 5

  /// - Throws: As ``Migrator/check(_:)``, or why the file cannot be read.
  func check(_ migrator: Migrator) throws(SQLiteError) {
    _ = try look { connection throws(SQLiteError) in try migrator.check(connection) }
  }

  /// Has `body` look at the file.
  ///
  /// - Returns: What it saw; nil for a file that is absent, empty, or kept changing, and for one whose rollback journal
  ///   may hold the true content, which only a connection that may write can bring back.
  /// - Throws: What `body` throws, or why the file cannot be read.
  func look<Value>(_ body: (Connection) throws(SQLiteError) -> Value) throws(SQLiteError) -> Value? {
    for _ in 0..<Self.lookCountMax {
      let before = try file.presence()
      guard !before.isEmptyOrAbsent, !hasContent(file.journalPath) else { return nil }
      let isLogged = hasContent(file.walPath)
      let seen: Result<Value, SQLiteError>
      do throws(SQLiteError) {
        seen = .success(
          try body(
            Connection(
              location: .file(file.path), mode: isLogged ? .readOnly : .immutable,
              configuration: configuration)))
      } catch {
        seen = .failure(error)
      }
      if isLogged { return try seen.get() }
      if try file.presence() == before, !hasContent(file.walPath) { return try seen.get() }
    }
    return nil
  }

  private func hasContent(_ path: String) -> Bool {
    DatabaseFile.presence(ofSideFile: path).byteCount > 0
  }
}
