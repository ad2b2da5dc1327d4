import CatalogEngine
import Foundation
import HTTPTransport
import LoopbackServer
import Matinee
import MatineeTesting
import SQLiteBinding
import Testing

@testable import MatineeCommand

/// Runs `body` at a desk whose database holds the recorded week.
func withRecordedWeek<Result>(_ body: (inout Desk) async throws -> Result) async throws -> Result {
  try await withDesk { desk in
    #expect(await desk.run("sync", "--upstream", "recorded").status == 0)
    return try await body(&desk)
  }
}

extension Desk {
  /// A path in the desk's folder.
  func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

  /// What lies in the desk's folder, by name.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? [])
      .sorted()
  }

  /// Makes the database larger by `megabyteCount`, in a table that is no part of the schema.
  func addBallast(megabyteCount: Int) throws {
    let connection = try Connection(location: .file(path("matinee.db")))
    try connection.execute("CREATE TABLE IF NOT EXISTS ballast (content BLOB) STRICT; BEGIN")
    for _ in 0..<megabyteCount { try connection.execute("INSERT INTO ballast VALUES (randomblob(1000000))") }
    try connection.execute("COMMIT")
  }
}

/// The content of a database file, by table, to compare with another.
func fingerprint(of path: String) throws -> [String] {
  let connection = try Connection(location: .file(path), mode: .readOnly)
  let names = try connection.tables().map(\.name)
  #expect(try connection.integrityCheck() == [])
  var rows: [String] = []
  for name in names {
    rows.append(name)
    try connection.withStatement("SELECT * FROM \(name.quotedAsIdentifier)") {
      statement throws(SQLiteError) in
      try statement.forEachRow { row throws(SQLiteError) in
        var texts: [String] = []
        for column in 0..<row.columnCount {
          switch row.storageClass(at: column) {
          case .integer: texts.append(String(try row.int64(at: column)))
          case .real: texts.append(String(try row.double(at: column)))
          case .text: texts.append(try row.string(at: column))
          case .blob:
            texts.append(try row.withBlob(at: column) { bytes throws(SQLiteError) in "\(bytes.count)" })
          case .null: texts.append("∅")
          }
        }
        rows.append(texts.joined(separator: "|"))
      }
    }
  }
  return rows
}

@Suite struct `When a backup is made by the command` {
  @Test func `it holds what the database holds, and can be used in its place`() async throws {
    try await withRecordedWeek { desk in
      let copy = desk.path("copy.db")
      let outcome = await desk.run("backup", copy)
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      let size = try #require(
        try FileManager.default.attributesOfItem(atPath: copy)[.size] as? Int64)
      #expect(outcome.output.hasPrefix("Backup \(copy) (\(size.byteCountShown), schema 3, checked)\n"))
      #expect(outcome.output.contains("\nof \(desk.path("matinee.db"))\n"))
      #expect(outcome.output.contains("\nresource "))
      #expect(try fingerprint(of: copy) == fingerprint(of: desk.path("matinee.db")))
      let before = await desk.run("show", "2019-07-13", "--offline").output
      #expect(await desk.run("show", "2019-07-13", "--offline", "--database", copy).output == before)
      #expect(await desk.run("sync", "--upstream", "recorded", "--database", copy).status == 0)
    }
  }

  @Test func `json says where, how large, which schema, and what is in it`() async throws {
    try await withRecordedWeek { desk in
      let copy = desk.path("copy.db")
      let outcome = await desk.run("backup", "--format", "json", copy)
      #expect(
        memberNames(outcome.output) == [
          "database", "file", "byteCount", "schemaVersion", "tables", " name", " rows",
        ])
      let backup = try object(outcome.output)
      #expect(backup["database"] as? String == desk.path("matinee.db"))
      #expect(backup["file"] as? String == copy)
      #expect(backup["byteCount"] as? Int == (try Data(contentsOf: URL(filePath: copy)).count))
      #expect(backup["schemaVersion"] as? Int == 3)
      let tables = try #require(backup["tables"] as? [[String: Any]])
      #expect(tables.first { $0["name"] as? String == "resource" }?["rows"] as? Int == 22)
      #expect(tables.map { $0["name"] as? String ?? "" }.contains("movie_details"))
    }
  }

  @Test func `an existing file is left alone unless --force is given`() async throws {
    try await withRecordedWeek { desk in
      let copy = desk.path("copy.db")
      try Data("precious".utf8).write(to: URL(filePath: copy))
      let refused = await desk.run("backup", copy)
      #expect(refused.status == 74)
      #expect(refused.output.isEmpty)
      #expect(
        refused.errors == "matinee: \(copy) exists already, and is left as it is; --force replaces it\n")
      #expect(try String(contentsOfFile: copy, encoding: .utf8) == "precious")
      #expect(await desk.run("backup", "--force", copy).status == 0)
      #expect(try fingerprint(of: copy) == fingerprint(of: desk.path("matinee.db")))
      #expect(!desk.names.contains { $0.hasSuffix(".partial") })
    }
  }

  @Test func `the database itself, a folder, and a place in no folder are refused`() async throws {
    try await withRecordedWeek { desk in
      let before = try fingerprint(of: desk.path("matinee.db"))
      for place in [
        desk.path("matinee.db"), desk.path("matinee.db-wal"), desk.folder.path, desk.path("none/copy.db"),
      ] {
        let outcome = await desk.run("backup", "--force", place)
        #expect(outcome.status == 74)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("matinee: no backup was made: unreadable: "))
      }
      #expect(try fingerprint(of: desk.path("matinee.db")) == before)
      #expect(desk.names.allSatisfy { $0.hasPrefix("matinee.db") })
    }
  }

  @Test func `progress is drawn on a terminal that can take a line back, and on no other`() async throws {
    try await withRecordedWeek { desk in
      desk.errorTerminal = Terminal(columnCount: 60)
      #expect(await desk.run("backup", desk.path("copy.db")).errors.contains("backup: "))
      desk.environment["TERM"] = "dumb"
      let outcome = await desk.run("backup", desk.path("other.db"))
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
    }
  }

  @Test func `a key that stands in a path is not printed`() async throws {
    try await withDesk { desk in
      desk.environment["MATINEE_DATABASE"] = desk.path("a-test-key-of-no-use.db")
      #expect(await desk.run("sync", "--upstream", "recorded").status == 0)
      for format in ["table", "json"] {
        let outcome = await desk.run("backup", desk.path("copy.db"), "--force", "--format", format)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("/[key].db"))
        #expect(!outcome.output.contains("a-test-key"))
      }
    }
  }

  @Test func `without a database there is nothing to back up, and nothing is made`() async throws {
    try await withDesk { desk in
      let outcome = await desk.run("backup", desk.path("copy.db"))
      #expect(outcome.status == 66)
      #expect(outcome.errors.contains("there is no database at \(desk.path("matinee.db"))"))
      #expect(desk.names.isEmpty)
      #expect(await desk.run("backup").status == 64)
    }
  }

  @Test func `a foreign, newer or damaged database is 74, and no backup is made`() async throws {
    try await withRecordedWeek { desk in
      let copy = desk.path("copy.db")
      try Connection(location: .file(desk.path("foreign.db"))).execute(
        "PRAGMA application_id = 7; CREATE TABLE t (x)")
      try Connection(location: .file(desk.path("newer.db"))).execute(
        "PRAGMA application_id = \(0x4D54_4E45); PRAGMA user_version = 9999; CREATE TABLE t (x)")
      try Data("a text of some length, and no database at all".utf8).write(
        to: URL(filePath: desk.path("notes.txt")))
      for (name, code) in [("foreign.db", "foreign"), ("newer.db", "newer"), ("notes.txt", "notADatabase")] {
        let outcome = await desk.run("backup", copy, "--database", desk.path(name))
        #expect(outcome.status == 74)
        #expect(outcome.errors.hasPrefix("matinee: no backup was made: \(code): "))
      }
      #expect(!desk.names.contains("copy.db"))
    }
  }

  @Test func `a terminal is shown how far it has come`() async throws {
    try await withRecordedWeek { desk in
      desk.errorTerminal = Terminal(columnCount: 80)
      let outcome = await desk.run("backup", desk.path("copy.db"))
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("backup: 100%"))
      #expect(outcome.errors.hasSuffix("\r\u{1B}[K"))
    }
  }
}

@Suite struct `When a backup is ended from outside` {
  /// The seed of the moments, so that a failure can be had again.
  static let seed: UInt64 = 0x4B61_7070_7570_2121
  static let killCount = 20

  @Test func `SIGTERM leaves nothing of it, and is 75`() async throws {
    try await withRecordedWeek { desk in
      try desk.addBallast(megabyteCount: 30)
      try await untilCaughtAtWork {
        let command = try SpawnedCommand(["backup", desk.path("copy.db")], environment: desk.environment)
        try await command.send(SIGTERM) { desk.names.contains { $0.hasSuffix(".partial") } }
        let end = await command.finish()
        guard end.status != 0 else {
          try FileManager.default.removeItem(atPath: desk.path("copy.db"))
          return false
        }
        #expect(end.status == 75)
        #expect(end.output.isEmpty)
        #expect(end.errors.contains("SIGTERM: stopping"))
        #expect(end.errors.contains("no backup was made, and nothing is left of it"))
        #expect(desk.names.allSatisfy { $0.hasPrefix("matinee.db") })
        return true
      }
    }
  }

  @Test func `killed 20 times at random moments, the file is absent or whole, and the next one cleans up`()
    async throws
  {
    try await withRecordedWeek { desk in
      try desk.addBallast(megabyteCount: 10)
      let copy = desk.path("copy.db")
      let whole = try fingerprint(of: desk.path("matinee.db"))
      var moments = RandomMoments(seed: Self.seed)
      var absentCount = 0
      for _ in 0..<Self.killCount {
        let command = try SpawnedCommand(["backup", copy], environment: desk.environment)
        try await Task.sleep(for: .microseconds(moments.next(below: 150_000)))
        command.send(SIGKILL)
        _ = await command.finish()
        if FileManager.default.fileExists(atPath: copy) {
          #expect(try fingerprint(of: copy) == whole)
          for name in ["copy.db", "copy.db-wal", "copy.db-shm"] { unlink(desk.path(name)) }
        } else {
          absentCount += 1
        }
        #expect(desk.names.count { $0.hasSuffix(".partial") } <= 1)
      }
      #expect(absentCount > 0)
      let end = try await SpawnedCommand(["backup", copy], environment: desk.environment).finish()
      #expect(end.status == 0)
      #expect(!desk.names.contains { $0.hasSuffix(".partial") })
      #expect(try fingerprint(of: copy) == whole)
      #expect(try fingerprint(of: desk.path("matinee.db")) == whole)
    }
  }

  @Test func `a sync in another process goes on while backups are made`() async throws {
    try await withServer(session: PathSession()) { server in
      try await withDesk { desk in
        desk.environment["MATINEE_UPSTREAM"] = server.origin
        let sync = try SpawnedCommand(
          ["sync", "--from", "2018-07-15", "--to", "2019-07-14", "--only", "daily", "--format", "ndjson"],
          environment: desk.environment)
        var chartCounts: [Int] = []
        // From its first line on there is a chart in the database.
        _ = await sync.readLines(count: 1)
        for number in 0..<10 {
          let copy = desk.path("copy-\(number).db")
          let outcome = await desk.run("backup", copy)
          #expect(outcome.status == 0, "\(outcome.errors)")
          let connection = try Connection(location: .file(copy), mode: .immutable)
          #expect(try connection.integrityCheck() == [])
          #expect(try connection.foreignKeyViolations(limit: 1) == [])
          let count = try connection.firstValue("SELECT count(*) FROM resource WHERE fetched_at IS NOT NULL")
          {
            row throws(SQLiteError) in try row.int(at: 0)
          }
          chartCounts.append(count ?? -1)
        }
        let end = await sync.finish()
        #expect(end.status == 0, "\(end.errors)")
        let last = try object(String(#require(end.output.split(separator: "\n").last)))
        #expect((last["summary"] as? [String: Any])?["fetched"] as? Int == 365)
        #expect(chartCounts.count == 10 && chartCounts.allSatisfy { $0 >= 1 })
        #expect(chartCounts == chartCounts.sorted())
      }
    }
  }
}
