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

  /// The path as it may be told: what is no path at all and names nothing may be the key, put in the wrong place.
  static func shown(_ path: String) -> String {
    path.contains("/") || exists(at: path) ? path : "(not shown, as it looks like no path)"
  }

  /// The content of the file at `path`.
  ///
  /// - Throws: ``CommandError`` of status 78 if it cannot be read, is no regular file, is too large, or if its group or
  ///   others may read it.
  static func text(at path: String, from provider: Provider) throws(CommandError) -> String {
    do throws(RegularFile.Refusal) {
      let bytes = try RegularFile.bytes(at: path, byteCountMax: byteCountMax) { status in
        guard isReadableByOthers(mode: status.st_mode, group: status.st_gid, from: provider) else {
          return nil
        }
        return "may be read by its group or by others; run: chmod 600 \(shown(path))"
      }
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      throw CommandError(.configuration, "the key's file \(shown(path)) \(error.reason)")
    }
  }

  /// Whether a file's group or others may do anything with it.
  static func isReadableByOthers(mode: mode_t, group: gid_t, from provider: Provider) -> Bool {
    if mode & 0o007 != 0 { return true }
    return mode & 0o070 != 0 && !(provider == .systemd && group == 0)
  }
}
