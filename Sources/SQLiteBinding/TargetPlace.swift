/// The place that a file which is made of a database is to take, and the databases that this would harm.
///
/// A database is more than its file: what is put in the place of its log or its gate damages it no less than what is
/// put in its own, and a log that lies beside a new file of its name is applied to that.
package struct TargetPlace: Sendable {
  /// What is made of the database.
  package enum Product: String, Sendable { case backup, export }

  private let path: String
  private let product: Product

  /// Makes the place at a path, where there need be nothing.
  package init(_ path: String, for product: Product) {
    self.path = path
    self.product = product
  }

  /// Why the file must not take the place, in a sentence; nil if no database is in the way.
  ///
  /// - Parameter source: The path of the database that the file is made of; nil if it lies in no file.
  package func objection(besides source: String?) -> String? {
    // What is no name of a file cannot be taken, which is for whoever tries to say.
    guard let file = try? DatabaseFile(resolving: path) else { return nil }
    if let source, let own = try? DatabaseFile(resolving: source), Self.isOne(of: own, file) {
      return "the \(product.rawValue) would take the place of the database that it is made of"
    }
    if let database = Self.database(beside: file) {
      return "\(file.path) belongs to the database \(database); name another file"
    }
    // A backup may take the place of an earlier one, which somebody may have looked into: a database is what it is.
    if product != .backup, Self.isDatabase(file) {
      return "\(file.path) is a database, with the file \(file.gatePath) beside it; name another file"
    }
    // SQLite would take a log or a journal for one of whatever database is beside it, and apply it.
    for path in [file.walPath, file.journalPath]
    where !DatabaseFile.presence(ofSideFile: path).isEmptyOrAbsent {
      return
        "\(path) belongs to another database of this name; name another file, or remove it if that database "
        + "is no longer wanted"
    }
    return nil
  }

  /// Whether a file is a database's, or one of those beside it, by name or by another name of the same file.
  private static func isOne(of database: DatabaseFile, _ file: DatabaseFile) -> Bool {
    [database.path, database.walPath, database.indexPath, database.journalPath, database.gatePath]
      .contains { $0 == file.path || DatabaseFile.isSameFile($0, file.path) }
  }

  /// Whether a file has a gate, and so is a database that this library writes to.
  ///
  /// The file is not opened: closing it would drop the locks that this process may have on it.
  private static func isDatabase(_ file: DatabaseFile) -> Bool {
    ((try? file.presence()) ?? .absent) != .absent
      && DatabaseFile.presence(ofSideFile: file.gatePath) != .absent
  }

  /// The database beside which a file of this name would be its log, index, journal or gate; nil if there is none.
  private static func database(beside file: DatabaseFile) -> String? {
    for suffix in ["-wal", "-shm", "-journal", "-gate"] where file.path.hasSuffix(suffix) {
      let name = String(file.path.dropLast(suffix.count))
      guard let database = try? DatabaseFile(resolving: name),
        // Of a database that was not yet written to, the gate is missing.
        isDatabase(database) || suffix == "-gate" && ((try? database.presence()) ?? .absent) != .absent
      else { continue }
      return database.path
    }
    return nil
  }
}
