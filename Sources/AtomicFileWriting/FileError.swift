import Glibc

/// Why a file could not be written; what was at its place is still there, and nothing of the attempt is.
package struct FileError: Error, Hashable, Sendable {
  /// The kinds of errors.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The place is taken, and what is there is not to be replaced.
    package static let exists = Code(rawValue: "exists")
    /// The path names no file, or what is at the place is a folder, a link or something else that is no file.
    package static let noFile = Code(rawValue: "noFile")
    /// The folder is not there or may not be written.
    package static let folder = Code(rawValue: "folder")
    /// The file system can only be read.
    package static let readOnly = Code(rawValue: "readOnly")
    /// The disk, or the user's share of it, is full.
    package static let full = Code(rawValue: "full")
    /// Anything else that the system says.
    package static let io = Code(rawValue: "io")
  }

  package let code: Code
  /// One sentence for a person: what, where, and what to do.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The failure of the call just made on this thread.
  init(system number: Int32, _ what: String) {
    let code: Code =
      switch number {
      case ENOSPC, EDQUOT: .full
      case EROFS: .readOnly
      case EACCES, EPERM, ENOENT, ENOTDIR: .folder
      case EEXIST: .exists
      default: .io
      }
    self.init(code, "\(what): \(String(cString: strerror(number)))")
  }
}
