internal import Glibc

/// Whom files belong to that root makes: nobody but root could use them otherwise, and the gate least of all, which a
/// service that owns the database has to hold.
///
/// SQLite does the same for the log and its index, which it gives to the database's owner.
enum RootOwnership {
  // Linux's `O_PATH` and `AT_EMPTY_PATH`, the same on all its architectures that Swift has, and not imported from Glibc.
  private static let openPath: Int32 = 0o10_000_000
  private static let emptyPath: Int32 = 0x1000

  private struct Owner {
    var user: uid_t
    var group: gid_t
  }

  /// Gives a gate that this process has just made to the database's owner, or to its folder's while there is none.
  ///
  /// Where the file system knows no owners, it stays as it is.
  static func hand(gate descriptor: Int32, ofDatabase path: String) {
    guard geteuid() == 0, let taker = owner(of: path, S_IFREG) ?? owner(ofFolderOf: path) else { return }
    _ = fchown(descriptor, taker.user, taker.group)
  }

  /// Gives a database that this process has just made, and written nothing to, to its folder's owner.
  ///
  /// The folder's owner may put another file in its place at any time: one with another name elsewhere, with anything in
  /// it or of another user is none that was just made, and is left alone.
  static func hand(newDatabase path: String) {
    guard geteuid() == 0, let taker = owner(ofFolderOf: path) else { return }
    // To close a descriptor of the database that is open in full would drop every lock this process holds on it.
    let descriptor = open(path, Self.openPath | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == 0,
      status.st_nlink == 1, status.st_size == 0
    else { return }
    _ = fchownat(descriptor, "", taker.user, taker.group, Self.emptyPath)
  }

  private static func owner(ofFolderOf path: String) -> Owner? {
    guard let slash = path.lastIndex(of: "/") else { return nil }
    return owner(of: slash == path.startIndex ? "/" : String(path[..<slash]), S_IFDIR)
  }

  private static func owner(of path: String, _ kind: mode_t) -> Owner? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == kind else { return nil }
    return Owner(user: status.st_uid, group: status.st_gid)
  }
}
