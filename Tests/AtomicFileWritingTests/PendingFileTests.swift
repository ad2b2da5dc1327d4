import AtomicFileWriting
import Foundation
import Testing

@Suite struct `When a file takes its place whole or not at all` {
  @Test func `it is there with all its bytes, and nothing else is`() async throws {
    try await withFolder { folder in
      let file = try PendingFile(for: folder + "/a.csv", permissions: 0o600, replaces: false)
      try file.write(Array("one,".utf8))
      try file.write(Array("two".utf8))
      #expect(!names(in: folder).contains("a.csv"))
      #expect(file.byteCount == 7)
      #expect(file.availableByteCount > 0)
      try file.moveIntoPlace()
      #expect(names(in: folder) == ["a.csv"])
      #expect(text(folder + "/a.csv") == "one,two")
      #expect(permissions(of: folder + "/a.csv") == 0o600)
    }
  }

  @Test func `one that is given up leaves nothing`() async throws {
    try await withFolder { folder in
      let given = try PendingFile(for: folder + "/a", permissions: 0o600, replaces: false)
      #expect(names(in: folder).count == 1)
      given.discard()
      #expect(names(in: folder).isEmpty)
      _ = try PendingFile(for: folder + "/b", permissions: 0o600, replaces: false)
      #expect(names(in: folder).isEmpty)
    }
  }

  @Test func `what is there stays unless it is to be replaced`() async throws {
    try await withFolder { folder in
      let place = folder + "/a"
      try Data("old".utf8).write(to: URL(filePath: place))
      #expect(refusal(of: place) == .exists)
      #expect(text(place) == "old")
      let file = try PendingFile(for: place, permissions: 0o600, replaces: true)
      try file.write(Array("new".utf8))
      #expect(text(place) == "old")
      try file.moveIntoPlace()
      #expect(text(place) == "new")
      #expect(names(in: folder) == ["a"])
    }
  }

  @Test func `a place that is taken meanwhile stays taken`() async throws {
    try await withFolder { folder in
      let place = folder + "/a"
      let file = try PendingFile(for: place, permissions: 0o600, replaces: false)
      try file.write(Array("late".utf8))
      try Data("first".utf8).write(to: URL(filePath: place))
      let error = #expect(throws: FileError.self) { try file.moveIntoPlace() }
      #expect(error?.code == .exists)
      #expect(error?.message.contains(place) == true)
      file.discard()
      #expect(text(place) == "first")
      #expect(names(in: folder) == ["a"])
    }
  }

  @Test(arguments: [true, false])
  func `what is no file is refused, and no folder is made`(replaces: Bool) async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(atPath: folder + "/folder", withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "nothing")
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      for name in ["folder", "link", "pipe", "folder/", ".", "..", "", "a\0b"] {
        #expect(refusal(of: folder + "/" + name, replaces: replaces) == .noFile)
      }
      #expect(refusal(of: "", replaces: replaces) == .noFile)
      #expect(refusal(of: folder + "/none/a", replaces: replaces) == .folder)
      #expect(refusal(of: folder + "/pipe/a", replaces: replaces) == .folder)
      #expect(names(in: folder) == ["folder", "link", "pipe"])
    }
  }

  @Test func `one that becomes a folder meanwhile is not replaced`() async throws {
    try await withFolder { folder in
      let file = try PendingFile(for: folder + "/a", permissions: 0o600, replaces: true)
      try FileManager.default.createDirectory(atPath: folder + "/a", withIntermediateDirectories: false)
      let error = #expect(throws: FileError.self) { try file.moveIntoPlace() }
      #expect(error?.code == .noFile)
    }
  }

  @Test
  func `links in the way to the folder are followed, and a relative path is one of the working directory`()
    async throws
  {
    try await withFolder { folder in
      try FileManager.default.createDirectory(atPath: folder + "/real", withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "real")
      let file = try PendingFile(for: folder + "/link/a", permissions: 0o600, replaces: false)
      #expect(file.target == file.folder + "/a")
      #expect(file.folder.hasSuffix("/real"))
      try file.moveIntoPlace()
      #expect(names(in: folder + "/real") == ["a"])
      let here = try PendingFile(for: "matinee-\(UUID().uuidString)", permissions: 0o600, replaces: false)
      #expect(here.folder == FileManager.default.currentDirectoryPath)
    }
  }

  @Test func `the longest name there is can be written`() async throws {
    try await withFolder { folder in
      let name = String(repeating: "가", count: 85)
      let file = try PendingFile(for: folder + "/" + name, permissions: 0o600, replaces: false)
      try file.moveIntoPlace()
      #expect(names(in: folder) == [name])
    }
  }

  @Test func `a folder that may not be written says so`() async throws {
    try await withFolder { folder in
      #expect(chmod(folder, 0o555) == 0)
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        if geteuid() == 0 { try #require(seteuid(65_534) == 0) }
        let error = #expect(throws: FileError.self) {
          try PendingFile(for: folder + "/a", permissions: 0o600, replaces: false)
        }
        try #require(error?.code == .folder)
        try #require(error?.message.contains("Permission denied") == true)
      }
      #expect(names(in: folder).isEmpty)
      #expect(chmod(folder, 0o755) == 0)
    }
  }

  @Test func `a write that fails is told, and leaves nothing`() async throws {
    try await withFolder { folder in
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 1_000, rlim_max: 1_000)
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
        let error = #expect(throws: FileError.self) {
          let file = try PendingFile(for: folder + "/a", permissions: 0o600, replaces: false)
          try file.write([UInt8](repeating: 0, count: 2_000))
        }
        try #require(error?.code == .io)
      }
      #expect(names(in: folder).isEmpty)
    }
  }
}

@Suite struct `When a writer was killed` {
  @Test func `the next one for the same place removes what it left, and nothing else`() async throws {
    try await withFolder { folder in
      await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
        let file = try PendingFile(for: folder + "/a.db", permissions: 0o600, replaces: false)
        try file.write([1, 2, 3])
        kill(getpid(), SIGKILL)
      }
      let left = names(in: folder)
      #expect(left.count == 1)
      let others = [
        ".a.db-0123456789abcdef", ".a.db-0123.partial", ".b.db-0123456789abcdef.partial", "a.db-wal",
      ]
      for name in others { try Data().write(to: URL(filePath: folder + "/" + name)) }
      let other = try PendingFile(for: folder + "/b.db", permissions: 0o600, replaces: false)
      other.discard()
      #expect(Set(left).isSubset(of: names(in: folder)))

      let next = try PendingFile(for: folder + "/a.db", permissions: 0o600, replaces: false)
      #expect(Set(left).isDisjoint(with: names(in: folder)))
      try next.moveIntoPlace()
      #expect(Set(names(in: folder)) == Set(others.filter { !$0.hasPrefix(".b.db") } + ["a.db"]))
    }
  }

  @Test func `one that is at work is left alone`() async throws {
    try await withFolder { folder in
      let one = try PendingFile(for: folder + "/a", permissions: 0o600, replaces: false)
      let other = try PendingFile(for: folder + "/a", permissions: 0o600, replaces: false)
      try one.write(Array("one".utf8))
      try other.write(Array("other".utf8))
      try one.moveIntoPlace()
      let error = #expect(throws: FileError.self) { try other.moveIntoPlace() }
      #expect(error?.code == .exists)
      #expect(text(folder + "/a") == "one")
    }
  }
}

private func refusal(of place: String, replaces: Bool = false) -> FileError.Code? {
  do throws(FileError) {
    _ = try PendingFile(for: place, permissions: 0o600, replaces: replaces)
    return nil
  } catch {
    return error.code
  }
}

private func names(in folder: String) -> [String] {
  ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
}

private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

private func permissions(of path: String) -> mode_t {
  var status = stat()
  return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
}

private func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: "matinee-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try await body(folder)
}
