import Glibc

/// Files looked at from outside SQLite.
///
/// Only while no connection of this process has the file open: closing a descriptor drops the process's locks
/// on it. A copy of a file in use is made by another process.
enum RawFile {
  static func bytes(of path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure(call: "open \(path)", number: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count >= 0 else { throw SystemFailure(call: "read", number: errno) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SystemFailure(call: "open \(path)", number: errno) }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw SystemFailure(call: "write", number: errno)
    }
  }

  static func permissions(of path: String) throws -> mode_t {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw SystemFailure(call: "lstat \(path)", number: errno)
    }
    return status.st_mode & 0o777
  }

  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  static func copy(_ source: String, to destination: String) throws {
    try ChildProcess.run("/bin/cp", [source, destination])
  }
}
