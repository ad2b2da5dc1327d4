import Glibc

/// A file that holds a secret, read only if nobody else can read it.
enum KeyFile {
  /// The most bytes that a key's file may have.
  static let byteCountMax = 4096

  /// Who has put a file where it is.
  enum Provider {
    /// A person.
    case person
    /// systemd, which makes credentials `root:root` and lets the service's user in by an access control list; the
    /// mode's group bits are then the list's mask (acl(5)), and say nothing of the group.
    case systemd
  }

  /// Whether there is anything at `path`.
  static func exists(at path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 || errno != ENOENT
  }

  /// The content of the file at `path`.
  ///
  /// - Throws: ``CommandError`` of status 78 if it cannot be read, is no regular file, is too large, or if its group or
  ///   others may read it.
  static func text(at path: String, from provider: Provider) throws(CommandError) -> String {
    func refusal(_ detail: String) -> CommandError {
      CommandError(.configuration, "the key's file \(path) \(detail)")
    }
    // A FIFO without a writer would have the command wait for ever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw refusal("cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    // The file that was opened is the one that is looked at, whatever happens to the name.
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw refusal("is no regular file")
    }
    guard !isReadableByOthers(mode: status.st_mode, group: status.st_gid, from: provider) else {
      throw refusal("may be read by its group or by others; run: chmod 600 \(path)")
    }
    var bytes = [UInt8](repeating: 0, count: byteCountMax + 1)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw refusal("cannot be read: \(String(cString: strerror(errno)))") }
    guard count <= byteCountMax else { throw refusal("is larger than \(byteCountMax) bytes") }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// Whether a file's group or others may do anything with it.
  static func isReadableByOthers(mode: mode_t, group: gid_t, from provider: Provider) -> Bool {
    if mode & 0o007 != 0 { return true }
    return mode & 0o070 != 0 && !(provider == .systemd && group == 0)
  }
}
