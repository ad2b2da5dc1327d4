import Glibc

/// What the system tells of a file or a folder.
struct FileFacts: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case file, folder, link, other
  }

  var kind: Kind
  /// The permissions, of `07777`.
  var mode: mode_t
  var owner: uid_t
  var byteCount: Int64
  /// Why this process may not read it; `nil` if it may.
  var readRefusal: String?
  /// Why this process may not write it; of a folder, make files in it. `nil` if it may.
  var writeRefusal: String?

  /// The permissions as `chmod` takes them: `0600`.
  var modeShown: String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Whether the group or others may do anything with it.
  var isOpenToOthers: Bool { mode & 0o077 != 0 }

  /// Whether anybody may put another file in the place of one in this folder: the sticky bit keeps them from it.
  var isWritableByEverybody: Bool { mode & 0o002 != 0 && mode & 0o1000 == 0 }

  /// Whether its group, or anybody, may put another file in the place of one in this folder.
  var isWritableByOthers: Bool { mode & 0o022 != 0 && mode & 0o1000 == 0 }
}

/// What lies at a path.
enum FilePresence: Hashable, Sendable {
  case absent
  case present(FileFacts)
  /// It cannot be looked at, for this reason.
  case hidden(String)

  /// Looks at a path, as the user that this process acts for.
  ///
  /// - Parameter followsLinks: Whether a link is taken for what it points to.
  init(at path: String, followsLinks: Bool = false) {
    var status = stat()
    guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
      let number = errno
      self = number == ENOENT ? .absent : .hidden(Self.reason(number))
      return
    }
    let kind: FileFacts.Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    self = .present(
      FileFacts(
        kind: kind, mode: status.st_mode & 0o7777, owner: status.st_uid, byteCount: Int64(status.st_size),
        readRefusal: Self.refusal(of: R_OK, to: path),
        writeRefusal: Self.refusal(of: kind == .folder ? W_OK | X_OK : W_OK, to: path)))
  }

  /// What is there; `nil` where nothing is, or nothing can be seen.
  var facts: FileFacts? {
    if case .present(let facts) = self { facts } else { nil }
  }

  private static func refusal(of access: Int32, to path: String) -> String? {
    faccessat(AT_FDCWD, path, access, AT_EACCESS) == 0 ? nil : reason(errno)
  }

  private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}
