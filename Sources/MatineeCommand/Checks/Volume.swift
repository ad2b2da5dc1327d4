import Glibc

/// What a folder lies on.
package struct Volume: Hashable, Sendable {
  /// The kind of file system, as `ext4`; `nil` if the system does not tell.
  package var fileSystem: String?
  /// The bytes that this user may still write; `nil` if the system does not tell.
  package var freeByteCount: Int64?

  package init(fileSystem: String?, freeByteCount: Int64?) {
    self.fileSystem = fileSystem
    self.freeByteCount = freeByteCount
  }

  /// Asks the system.
  package init(holding folder: String) {
    var status = statvfs()
    if statvfs(folder, &status) == 0 {
      let (product, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(
        by: UInt64(status.f_frsize))
      freeByteCount = overflow ? .max : Int64(clamping: product)
    }
    guard let resolved = realpath(folder, nil) else { return }
    defer { free(resolved) }
    fileSystem = MountTable.present.flatMap { $0.fileSystem(of: String(cString: resolved)) }
  }
}

/// What is mounted where, as this process sees it (proc_pid_mountinfo(5)).
struct MountTable: Sendable {
  private var mounts: [(point: String, fileSystem: String)] = []

  /// The most bytes of the system's table that are read; a machine full of containers has some hundred KiB.
  static let byteCountMax = 4 * 1024 * 1024

  /// Reads the lines of `/proc/self/mountinfo`; a line that is none is left out.
  init(_ text: some StringProtocol) {
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      // Between the sixth field and the separator are any number of others.
      guard fields.count > 6, let separator = fields[6...].firstIndex(of: "-"),
        separator + 1 < fields.count
      else { continue }
      mounts.append((Self.unescaped(fields[4]), Self.unescaped(fields[separator + 1])))
    }
  }

  /// The process's own; `nil` if it cannot be read.
  static var present: MountTable? {
    guard let file = fopen("/proc/self/mountinfo", "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < byteCountMax {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    return MountTable(String(decoding: bytes, as: UTF8.self))
  }

  /// The kind of file system that holds an absolute path without links; `nil` if none is known to.
  func fileSystem(of path: String) -> String? {
    var longest: (point: String, fileSystem: String)?
    // Of two on one point the later one lies over the other.
    for mount in mounts where Self.holds(mount.point, path) {
      if mount.point.utf8.count >= longest?.point.utf8.count ?? 0 { longest = mount }
    }
    return longest?.fileSystem
  }

  private static func holds(_ point: String, _ path: String) -> Bool {
    point == "/" || path == point || path.hasPrefix(point + "/")
  }

  /// A field's text: blanks and the like stand as three octal digits after a backslash.
  private static func unescaped(_ field: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(field.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), rest.count >= 3,
        let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
