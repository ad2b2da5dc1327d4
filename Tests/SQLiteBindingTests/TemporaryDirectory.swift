import Glibc

/// A directory of one test's own, removed with what is in it when the test ends.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir
    // As a database's own path is reported: without links.
    guard let resolved = realpath(parent, nil) else { throw SystemFailure(call: "realpath", number: errno) }
    defer { free(resolved) }
    var template = Array((String(cString: resolved) + "/matinee-sqlite-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemFailure(call: "mkdtemp", number: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    _ = try? ChildProcess.run("/bin/rm", ["-rf", path])
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

  /// Descriptors of this process that are open on a file of the directory.
  func openFileCount() -> Int { descriptors { $0.hasPrefix(path + "/") }.count }
}

/// The locks that this process has on a file, as the kernel tells them of each descriptor open on it.
///
/// Not from `/proc/locks`, which tells those of the whole machine, and in pieces: a lock that somebody takes or drops
/// between two of them hides or doubles another.
func locks(onFile path: String) throws -> [Substring] {
  try descriptors { $0 == path }.flatMap { descriptor in
    String(decoding: try RawFile.bytes(of: "/proc/self/fdinfo/\(descriptor)"), as: UTF8.self)
      .split(separator: "\n").filter { $0.hasPrefix("lock:") }
  }.sorted()
}

/// The descriptors of this process that are open on a file of such a path.
private func descriptors(_ isMeant: (String) -> Bool) -> [Int] {
  let limit = Int(sysconf(Int32(_SC_OPEN_MAX)))
  return (0..<min(limit, 4_096)).filter { descriptor in
    var target = [CChar](repeating: 0, count: 512)
    let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count - 1)
    guard count > 0 else { return false }
    return isMeant(String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }
}

struct SystemFailure: Error {
  let call: String
  let number: Int32
}
