import Glibc
import Testing

@testable import SQLiteBinding

@Suite struct `When a process is out of file descriptors` {
  @Test func `reads and writes fail clearly, and go on once there are some`() async throws {
    let directory = try TemporaryDirectory()
    await #expect(processExitsWith: .success) { [path = directory.file("a.db") as String] in
      // What is tested is synchronous, and runs in a process with one thread: libdispatch examines its workers
      // through /proc from a thread of its own, and ends the process when it finds no descriptor for it.
      let child = fork()
      if child == 0 { _exit(DescriptorShortage(path: path).run()) }
      try #require(child > 0)
      var status: Int32 = 0
      while waitpid(child, &status, 0) < 0, errno == EINTR {}
      try #require(status == 0)
    }
  }
}

/// The body of the test above.
private struct DescriptorShortage {
  let path: String

  /// The descriptors a process may have; few, so that they are soon all taken.
  private static let countMax: rlim_t = 64

  /// - Returns: The status to exit with: 0 when all is as it should be.
  func run() -> Int32 {
    alarm(60)
    do {
      let wrong = try unmetExpectations()
      for line in wrong { report("not met: \(line)\n") }
      return wrong.isEmpty ? 0 : 1
    } catch {
      report("\(error)\n")
      return 2
    }
  }

  private func report(_ line: String) {
    _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  private func unmetExpectations() throws -> [String] {
    let connection = try Connection(location: .file(path))
    try connection.execute("CREATE TABLE film (code INTEGER)")
    let writer = FileWriter(
      connection: connection, gate: WriteGate(file: try DatabaseFile(resolving: path)), path: path,
      checkpointByteCount: .max, schemaVersionMax: nil)
    let readers = ConnectionPool(countMax: 1, waitMax: .zero, path: path) { [path] () throws(SQLiteError) in
      try Connection(location: .file(path), mode: .readOnly)
    }

    let taken = try takeDescriptors()
    let read = failure { () throws(SQLiteError) in _ = try filmCount(readers) }
    let write = failure { () throws(SQLiteError) in try addFilm(writer) }
    for descriptor in taken { close(descriptor) }

    var unmet: [String] = []
    if read?.code.primary != .cannotOpen { unmet.append("read: \(String(describing: read))") }
    if write?.code != .cannotOpen || write?.message.contains("Too many open files") != true {
      unmet.append("write: \(String(describing: write))")
    }
    try addFilm(writer)
    let count = try filmCount(readers)
    if count != 1 { unmet.append("\(String(describing: count)) films") }
    return unmet
  }

  private func filmCount(_ readers: ConnectionPool) throws(SQLiteError) -> Int? {
    try readers.withConnection { connection throws(SQLiteError) in
      try connection.integer("SELECT count(*) FROM film")
    }
  }

  private func addFilm(_ writer: FileWriter) throws(SQLiteError) {
    func neverCancelled() -> Bool { false }
    try writer.write(until: .now, isCancelled: neverCancelled) { connection throws(SQLiteError) in
      try connection.execute("INSERT INTO film VALUES (1)")
    }
  }

  /// Takes every descriptor there is.
  private func takeDescriptors() throws -> [Int32] {
    var limit = rlimit(rlim_cur: Self.countMax, rlim_max: Self.countMax)
    guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      throw SystemFailure(call: "setrlimit", number: errno)
    }
    var taken: [Int32] = []
    while true {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      if descriptor < 0 { return taken }
      taken.append(descriptor)
    }
  }
}
