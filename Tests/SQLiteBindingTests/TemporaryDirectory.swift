import Glibc

/// A directory of one test's own, removed with what is in it when the test ends.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/matinee-sqlite-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemFailure(call: "mkdtemp", number: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    _ = try? Process.run("/bin/rm", ["-rf", path])
  }

  func file(_ name: String) -> String {
    path + "/" + name
  }

  /// What lies in the directory, by name.
  func names() throws -> [String] {
    guard let directory = opendir(path) else { throw SystemFailure(call: "opendir", number: errno) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}

struct SystemFailure: Error {
  let call: String
  let number: Int32
}

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
    try Process.run("/bin/cp", [source, destination])
  }
}

enum Process {
  /// Runs a program to its end.
  @discardableResult
  static func run(_ program: String, _ arguments: [String]) throws -> Int32 {
    var pointers = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var child = pid_t()
    let result = posix_spawn(&child, program, nil, nil, &pointers, environ)
    guard result == 0 else { throw SystemFailure(call: "posix_spawn \(program)", number: result) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw SystemFailure(call: program, number: status) }
    return status
  }
}
