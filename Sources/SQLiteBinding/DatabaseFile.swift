internal import Glibc

/// A database file's resolved place, and the places of the files beside it.
///
/// The parent is resolved through its links, the last component never: SQLite's `SQLITE_OPEN_NOFOLLOW`
/// refuses a link in any component, and directories given by systemd are links. A link as the last
/// component is refused: the files beside the database would be looked for beside the link.
struct DatabaseFile: Hashable, Sendable {
  /// The absolute path with no link in its directories.
  let path: String
  /// The directory that holds the file.
  let directory: String

  /// The write-ahead log.
  var walPath: String { path + "-wal" }
  /// The log's index, which the connections of all processes share.
  var indexPath: String { path + "-shm" }
  /// The rollback journal, which only a database not yet in WAL mode has.
  var journalPath: String { path + "-journal" }
  /// The side file of the ``WriteGate``.
  var gatePath: String { path + "-gate" }

  /// - Throws: `cannotOpen` when the path is no name of a file or its directory cannot be reached.
  init(resolving path: String) throws(SQLiteError) {
    // A NUL would end the path early in C, and so open another file.
    guard !path.isEmpty, !path.utf8.contains(0),
      let name = path.split(separator: "/").last.map(String.init),
      !path.hasSuffix("/"), name != ".", name != ".."
    else {
      throw SQLiteError(code: .cannotOpen, message: "the path names no file", path: path)
    }
    let parent = path.utf8.count == name.utf8.count ? "." : String(path.dropLast(name.count))
    guard let resolved = realpath(parent, nil) else {
      throw SQLiteError(
        code: .cannotOpen, message: "cannot reach the directory \(parent): \(SystemError.latest)",
        path: path)
    }
    defer { free(resolved) }
    let directory = String(cString: resolved)
    self.directory = directory
    self.path = directory == "/" ? "/" + name : directory + "/" + name
  }

  /// The path as a `file:` URI for `sqlite3_open_v2`, which takes options no other way.
  ///
  /// https://sqlite.org/uri.html
  func uri(parameters: [(name: String, value: String)]) -> String {
    var uri = "file:" + Self.percentEncoded(path)
    for (index, parameter) in parameters.enumerated() {
      uri += (index == 0 ? "?" : "&") + parameter.name + "=" + Self.percentEncoded(parameter.value)
    }
    return uri
  }

  private static func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    encoded.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.append(byte)
      default:
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}

extension DatabaseFile {
  /// What the directory holds under a name.
  enum Presence: Equatable, Sendable {
    case absent
    case present(byteCount: Int, modifiedNanoseconds: Int, inode: UInt64)

    /// 0 for a file that is absent.
    var byteCount: Int {
      switch self {
      case .absent: 0
      case .present(let byteCount, _, _): byteCount
      }
    }

    var isEmptyOrAbsent: Bool { byteCount == 0 }
  }

  /// Whether the database exists.
  ///
  /// - Throws: `cannotOpenDirectory`, `cannotOpenSymbolicLink`, `notADatabase` or `cannotOpen` when something
  ///   else is in its place.
  func presence() throws(SQLiteError) -> Presence {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return .absent }
      throw SQLiteError(
        code: .cannotOpen, message: "cannot examine the file: \(SystemError.latest)", path: path)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      // SQLite takes a file of one byte for an empty one, and would write over it.
      guard status.st_size != 1 else {
        throw SQLiteError(code: .notADatabase, message: "file is not a database", path: path)
      }
      return Self.presence(status)
    case S_IFDIR:
      throw SQLiteError(
        code: .cannotOpenDirectory, message: "a directory is in the place of the database file",
        path: path)
    case S_IFLNK:
      throw SQLiteError(
        code: .cannotOpenSymbolicLink,
        message: "a symbolic link is in the place of the database file; name the file it points to",
        path: path)
    default:
      throw SQLiteError(
        code: .cannotOpen, message: "what is in the place of the database is not a regular file",
        path: path)
    }
  }

  /// How to read a file beside which nothing can be made.
  ///
  /// An empty log with its index may be that of a writer at work, who has just moved the log into the file. An
  /// empty log without its index is a copy that nobody has open; without the index SQLite could not open it
  /// but as immutable.
  var modeWhereNothingCanBeMade: ConnectionMode {
    let log = Self.presence(ofSideFile: walPath)
    let hasIndex = Self.presence(ofSideFile: indexPath) != .absent
    return log != .absent && (hasIndex || !log.isEmptyOrAbsent) ? .readOnly : .immutable
  }

  /// How to read the file without changing it.
  var modeForReading: ConnectionMode {
    // The log's index is made in the directory, by readers too.
    Self.refusal(of: W_OK | X_OK, to: directory) == nil ? .readOnly : modeWhereNothingCanBeMade
  }

  /// What lies at a path beside the database; absent when it cannot be examined.
  static func presence(ofSideFile path: String) -> Presence {
    var status = stat()
    return lstat(path, &status) == 0 ? presence(status) : .absent
  }

  private static func presence(_ status: stat) -> Presence {
    .present(
      byteCount: Int(status.st_size),
      modifiedNanoseconds: Int(status.st_mtim.tv_sec) &* 1_000_000_000
        &+ Int(status.st_mtim.tv_nsec),
      inode: UInt64(status.st_ino))
  }

  /// Whether this process may do `access` (`R_OK`, `W_OK` …) to a path, and why not.
  static func refusal(of access: Int32, to path: String) -> SystemError? {
    faccessat(AT_FDCWD, path, access, AT_EACCESS) == 0 ? nil : SystemError.latest
  }
}

extension DatabaseFile {
  /// Whether two paths are names of one file.
  static func isSameFile(_ one: String, _ other: String) -> Bool {
    var first = stat()
    var second = stat()
    return lstat(one, &first) == 0 && lstat(other, &second) == 0
      && first.st_ino == second.st_ino && first.st_dev == second.st_dev
  }
}
