import CatalogEngine
import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Testing

@testable import MatineeCommand

@Suite struct `When the upstream answers nonsense` {
  /// What it answers in place of a chart, the failure's code that it comes to, and the exit without anything stored.
  static let answers: [(fixture: String, code: String, status: Int32)] = [
    ("fault-320102.json", "fault", 69), ("fault-unknown.json", "fault", 69),
    ("fault-320010.json", "keyRefused", 77),
    ("fault-320011.json", "quota", 69), ("page-maintenance.html", "undecodable", 69),
    ("daily-truncated.json", "undecodable", 69), ("daily-missing-field.json", "undecodable", 69),
    ("daily-null-field.json", "undecodable", 69), ("daily-number-field.json", "undecodable", 69),
    ("daily-out-of-range.json", "undecodable", 69), ("daily-negative-count.json", "undecodable", 69),
    ("daily-wrong-day.json", "implausible", 69), ("daily-repeated-movie.json", "implausible", 69),
    ("daily-repeated-position.json", "implausible", 69), ("movie-ordered.json", "undecodable", 69),
  ]

  @Test(arguments: answers)
  func `what is stored is served with the reason, and is still there`(
    fixture: String, code: String, status: Int32
  ) async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      let good = try object(await desk.run("show", "2019-07-08", "--format", "json").output)
      let entries = try #require(good["entries"] as? NSArray)

      desk.session = ClosureSession.answering(fixture)
      desk.clock.advance(by: .seconds(240))
      let served = await desk.run("show", "2019-07-08", "--policy", "network-first", "--format", "json")
      #expect(served.status == 0)
      #expect(served.errors.hasPrefix("matinee: served from the cache, 4 min old: \(code): "))
      let reading = try object(served.output)
      #expect((reading["servedBecause"] as? [String: Any])?["code"] as? String == code)
      #expect(reading["entries"] as? NSArray == entries)

      let refused = await desk.run("show", "2019-07-08", "--policy", "network-only")
      #expect(refused.status == status)
      #expect(refused.errors.hasPrefix("matinee: \(code): "))
      #expect(refused.output.isEmpty)

      let stored = try object(await desk.run("show", "2019-07-08", "--offline", "--format", "json").output)
      #expect(stored["entries"] as? NSArray == entries)
      #expect(stored["revision"] as? Int == 1)
    }
  }

  @Test(arguments: answers)
  func `with nothing stored the reason is the error, and nothing is stored`(
    fixture: String, code: String, status: Int32
  ) async throws {
    try await withDesk(session: ClosureSession.answering(fixture)) { desk in
      let outcome = await desk.run("show", "2019-07-08")
      #expect(outcome.status == status)
      #expect(outcome.errors.hasPrefix("matinee: \(code): "))
      #expect(outcome.errors.contains("20190708"))
      #expect(await desk.run("show", "2019-07-08", "--offline").status == 66)
      let failures = try object(await desk.run("status", "--format", "json").output)["failures"]
      #expect((failures as? [[String: Any]])?.first?["code"] as? String == code)
    }
  }

  @Test func `an empty chart where there was one is not believed`() async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      #expect(await desk.run("show", "2019-07-08").status == 0)
      desk.session = ClosureSession.answering("daily-empty.json")
      let outcome = await desk.run("show", "2019-07-08", "--policy", "network-first", "--format", "json")
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("implausible"))
      let entries = try object(outcome.output)["entries"] as? [Any]
      #expect(entries?.count == 10)
    }
  }

  @Test(arguments: [404, 429, 500, 503, 302])
  func `any status but 200 is a failure that names it`(code: Int) async throws {
    let session = ClosureSession { _ in HTTPReply(status: HTTPResponse.Status(code: code), text: "no") }
    try await withDesk(session: session) { desk in
      let outcome = await desk.run("show", "2019-07-08")
      #expect(outcome.status == 69)
      #expect(outcome.errors.contains("status: ") && outcome.errors.contains("\(code)"))
    }
  }

  @Test func `an answer that is too large is refused`() async throws {
    let session = ClosureSession { _ in
      HTTPReply(text: String(repeating: " ", count: TransportLimits.default.decodedByteCountMax + 1))
    }
    try await withDesk(session: session) { desk in
      let outcome = await desk.run("show", "2019-07-08")
      #expect(outcome.status == 69)
      #expect(outcome.errors.contains("tooLarge: "))
    }
  }
}

@Suite struct `When the database is none of ours` {
  /// Puts a number into the database header's field at `offset` (sqlite.org/fileformat.html, 1.3).
  private func write(_ number: UInt32, at offset: UInt64, of file: URL) throws {
    let handle = try FileHandle(forUpdating: file)
    defer { try? handle.close() }
    try handle.seek(toOffset: offset)
    try handle.write(contentsOf: withUnsafeBytes(of: number.bigEndian) { Data($0) })
  }

  /// Every subcommand that opens the database exits 74 with `code`, and leaves the file as it is.
  private func refusesAll(_ desk: Desk, code: String, isFile: Bool = true) async throws {
    let before = isFile ? try Data(contentsOf: desk.database) : Data()
    for arguments in [
      ["show", "2019-07-08"], ["show", "2019-07-08", "--offline"], ["sync"], ["status"],
      ["movie", "20196309"],
    ] {
      let outcome = await desk.run(arguments)
      #expect(outcome.status == 74, "\(arguments)")
      #expect(outcome.errors.hasPrefix("matinee: the database: \(code): "), "\(outcome.errors)")
      #expect(outcome.errors.contains(desk.database.lastPathComponent), "\(outcome.errors)")
      #expect(outcome.output.isEmpty)
    }
    if isFile { #expect(try Data(contentsOf: desk.database) == before) }
  }

  @Test func `another application's is refused, untouched`() async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      #expect(await desk.run("show", "2019-07-08").status == 0)
      try write(0x4747_4747, at: 68, of: desk.database)
      try await refusesAll(desk, code: "foreign")
    }
  }

  @Test func `a newer version's is refused, untouched`() async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      #expect(await desk.run("show", "2019-07-08").status == 0)
      try write(9999, at: 60, of: desk.database)
      try await refusesAll(desk, code: "newer")
    }
  }

  @Test func `a text file is refused, untouched`() async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      try Data(String(repeating: "my notes, not to be lost\n", count: 100).utf8).write(to: desk.database)
      try await refusesAll(desk, code: "notADatabase")
    }
  }

  @Test func `a folder in its place is refused`() async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      try FileManager.default.createDirectory(at: desk.database, withIntermediateDirectories: false)
      try await refusesAll(desk, code: "unreadable", isFile: false)
    }
  }

  @Test func `a link in its place is refused, and what it points to untouched`() async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      let target = desk.folder.appending(path: "elsewhere")
      try Data("precious".utf8).write(to: target)
      try FileManager.default.createSymbolicLink(at: desk.database, withDestinationURL: target)
      try await refusesAll(desk, code: "unreadable", isFile: false)
      #expect(try Data(contentsOf: target) == Data("precious".utf8))
    }
  }

  @Test func `a folder that does not exist is named`() async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      desk.environment["MATINEE_DATABASE"] = desk.folder.appending(path: "nowhere/matinee.db").path
      let outcome = await desk.run("sync")
      #expect(outcome.status == 74)
      #expect(outcome.errors.contains("unreadable") && outcome.errors.contains("nowhere"))
    }
  }
}

@Suite struct `When the disk can only be read` {
  @Test(.enabled("the program cannot be run as somebody else") { await UnprivilegedCommand.canRun() })
  func `what is stored is shown, a sync is refused, and the file is untouched`() async throws {
    try await withDesk { desk in
      desk.environment["MATINEE_UPSTREAM"] = "recorded"
      #expect(await desk.run("sync").status == 0)
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: desk.database.path)
      for name in ["matinee.db-gate", "matinee.db-wal", "matinee.db-shm"] {
        try? FileManager.default.removeItem(at: desk.folder.appending(path: name))
      }
      try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: desk.folder.path)
      defer {
        try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: desk.folder.path)
      }
      let before = try Data(contentsOf: desk.database)

      let shown = try await UnprivilegedCommand.start(["show", "2019-07-08", "--offline"], at: desk).finish()
      #expect(shown.status == 0, "\(shown.errors)")
      #expect(shown.output.contains("스파이더맨: 파 프롬 홈"))
      let sync = try await UnprivilegedCommand.start(["sync"], at: desk).finish()
      #expect(sync.status == 74)
      #expect(sync.errors.contains("the database: readOnly: "), "\(sync.errors)")
      #expect(try Data(contentsOf: desk.database) == before)
    }
  }
}
