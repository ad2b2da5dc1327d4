/// A first look at a file, to refuse one that is not ours without leaving a trace beside it.
///
/// Opening a database in WAL mode, even to read, makes its `-shm` and `-wal` files. So where there is no log,
/// or an empty one, the file is opened as immutable, which makes none and takes no lock. Another process may
/// be changing it at that moment, and such a look may see anything: a refusal counts only when the file was
/// the same before and after it. Whatever this says, the migrator looks again inside the write lock.
struct DatabaseProbe {
  let file: DatabaseFile
  let migrator: Migrator
  let configuration: ConnectionConfiguration

  /// Looks at a file that kept changing; after that many, the look inside the write lock decides.
  private static let lookCountMax = 5

  /// - Throws: As ``Migrator/check(_:)``, or why the file cannot be read.
  func check() throws(SQLiteError) {
    for _ in 0..<Self.lookCountMax {
      let before = try file.presence()
      // A rollback journal may hold the true content; only a connection that may write can bring it back.
      guard !before.isEmptyOrAbsent, !hasContent(file.journalPath) else { return }
      let isLogged = hasContent(file.walPath)
      do throws(SQLiteError) {
        try migrator.check(
          Connection(
            location: .file(file.path), mode: isLogged ? .readOnly : .immutable,
            configuration: configuration))
        return
      } catch {
        if isLogged { throw error }
        if try file.presence() == before, !hasContent(file.walPath) { throw error }
      }
    }
  }

  private func hasContent(_ path: String) -> Bool {
    DatabaseFile.presence(ofSideFile: path).byteCount > 0
  }
}
