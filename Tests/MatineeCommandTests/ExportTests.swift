import CatalogEngine
import Foundation
import Glibc
import HTTPTransport
import Matinee
import MatineeTesting
import SQLiteBinding
import Testing

@testable import MatineeCommand

/// Reads comma-separated values by RFC 4180; a field without quotes that is empty is nil.
func csvRecords(_ text: String) -> [[String?]] {
  var records: [[String?]] = []
  var record: [String?] = []
  var field = ""
  var wasQuoted = false
  var isQuoted = false
  var rest = Substring(text).unicodeScalars
  while let scalar = rest.popFirst() {
    if isQuoted {
      if scalar != "\"" {
        field.unicodeScalars.append(scalar)
      } else if rest.first == "\"" {
        field.unicodeScalars.append(scalar)
        rest.removeFirst()
      } else {
        isQuoted = false
      }
      continue
    }
    switch scalar {
    case "\"":
      isQuoted = true
      wasQuoted = true
    case ",", "\r":
      record.append(field.isEmpty && !wasQuoted ? nil : field)
      (field, wasQuoted) = ("", false)
      if scalar == "\r" {
        #expect(rest.first == "\n")
        rest.removeFirst()
        records.append(record)
        record = []
      }
    default: field.unicodeScalars.append(scalar)
    }
  }
  #expect(record.isEmpty && field.isEmpty)
  return records
}

extension Desk {
  /// Changes the database as another program would.
  func execute(_ script: String) throws {
    try Connection(location: .file(path("matinee.db"))).execute(script)
  }
}

@Suite struct `When rows are exported` {
  @Test func `charts are told as show tells them, all of them in order`() async throws {
    try await withRecordedWeek { desk in
      let outcome = await desk.run("export", "charts")
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      let records = csvRecords(outcome.output)
      let head: [String?] = ["resource", "day", "through", "filter", "source", "fetchedAt", "revision"]
      #expect(records[0] == head + ChartField.names)
      #expect(records.count == 1 + 90)
      let rows = records.dropFirst()
      #expect(rows.map { $0[0] ?? "" } == rows.map { $0[0] ?? "" }.sorted())
      for number in 8...14 {
        let day = "2019-07-\(number < 10 ? "0" : "")\(number)"
        let shown = csvRecords(await desk.run("show", day, "--offline", "--format", "csv").output)
        let exported = rows.filter { $0[0]?.contains("daily") == true && $0[1] == day }
        #expect(exported.map { Array($0.dropFirst(7)) } == Array(shown.dropFirst()))
        #expect(exported.allSatisfy { $0[2] == day && $0[3] == nil && $0[4] == "recorded" && $0[6] == "1" })
      }
      let weekend = rows.filter { $0[0] == "kobis/weekend-box-office/20190712" }
      let shown = csvRecords(
        await desk.run("show", "2019-07-14", "--weekend", "--offline", "--format", "csv").output)
      #expect(weekend.map { Array($0.dropFirst(7)) } == Array(shown.dropFirst()))
      #expect(weekend.allSatisfy { $0[1] == "2019-07-12" && $0[2] == "2019-07-14" })
      #expect(weekend[0][5] == desk.clock.wallTime.description)
    }
  }

  @Test func `charts of a part say of which, in both forms`() async throws {
    try await withRecordedWeek { desk in
      let names = [
        "korean+diversity/20190713": "korean+diversity", "area-0105001/20190708": "area-0105001",
        "20190712": nil,
      ]
      // The recorded charts are of the whole; some are taken for charts of a part.
      for key in names.keys {
        try desk.execute(
          """
          UPDATE resource SET key = '\(key)', filter = '\((names[key] ?? nil) ?? "")'
          WHERE kind = 'daily-box-office' AND key = '\(key.suffix(8))'
          """)
      }
      let records = csvRecords(await desk.run("export", "charts").output).dropFirst()
      #expect(records.count == 90)
      for (key, filter) in names {
        let rows = records.filter { $0[0] == "kobis/daily-box-office/\(key)" }
        #expect(rows.count == 10)
        #expect(rows.allSatisfy { $0[3] == filter })
      }
      let lines = await desk.run("export", "charts", "--format", "ndjson").output.split(separator: "\n")
      #expect(lines.count { $0.contains(#","filter":"korean+diversity","source":"#) } == 10)
      #expect(lines.count { $0.contains(#","filter":null,"source":"#) } == 70)
    }
  }

  @Test func `lines of JSON say the same, with the keys in order`() async throws {
    try await withRecordedWeek { desk in
      let records = csvRecords(await desk.run("export", "charts").output)
      let outcome = await desk.run("export", "charts", "--format", "ndjson")
      let lines = outcome.output.split(separator: "\n").map(String.init)
      #expect(lines.count == 90)
      #expect(memberNames(lines[0]) == records[0].map { $0 ?? "" })
      for (line, record) in zip(lines, records.dropFirst()) {
        let row = try object(line)
        for (name, field) in zip(records[0], record) {
          let value = row[name ?? ""]
          switch value {
          case is NSNull: #expect(field == nil)
          case let text as String: #expect(text == field)
          case let flag as Bool where name == "isNew": #expect("\(flag)" == field)
          case let number as NSNumber: #expect(number.stringValue == field)
          default: Issue.record("\(name ?? "") is \(String(describing: value))")
          }
        }
      }
      #expect(lines[0].contains(#""salesShare":"#) && !lines[0].contains(#""salesShare":""#))
    }
  }

  @Test(
    arguments: [
      (["--from", "2019-07-13"], 40), (["--to", "2019-07-09"], 20),
      (["--from", "2019-07-10", "--to", "2019-07-11"], 20), (["--from", "20190714", "--to", "20190714"], 30),
      (["--from", "2019-07-15"], 0),
    ])
  func `charts are narrowed to those that end within days`(options: [String], count: Int) async throws {
    try await withRecordedWeek { desk in
      let outcome = await desk.run(["export", "charts"] + options)
      #expect(outcome.status == 0)
      #expect(csvRecords(outcome.output).count == 1 + count)
    }
  }

  @Test func `movies come with their details and lists`() async throws {
    try await withRecordedWeek { desk in
      let records = csvRecords(await desk.run("export", "movies").output)
      #expect(
        records[0] == [
          "movieCode", "title", "titleEnglish", "titleOriginal", "openedOn", "runningMinutes",
          "productionYear",
          "status", "type", "nations", "genres", "directors", "source", "fetchedAt",
        ])
      #expect(records.count == 1 + 13)
      let movie = try #require(records.first { $0[0] == "20196309" })
      let shown = try object(
        await desk.run("movie", "20196309", "--upstream", "recorded", "--format", "json").output)
      #expect(movie[1] == shown["title"] as? String)
      #expect(movie[4] == shown["openedOn"] as? String)
      #expect(movie[5] == "129")
      #expect(movie[10] == (shown["genres"] as? [String])?.joined(separator: "; "))
      let directors = (shown["directors"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
      #expect(movie[11] == directors?.joined(separator: "; "))
    }
  }

  @Test func `runs, failures, resources and quotas are told in the terms of status`() async throws {
    try await withRecordedWeek { desk in
      desk.session = ClosureSession.refusing
      _ = await desk.run("sync", "--days", "2", "--only", "daily")
      let status = try object(await desk.run("status", "--format", "json").output)
      let runs = csvRecords(await desk.run("export", "runs").output)
      #expect(
        runs[0] == [
          "id", "startedAt", "endedAt", "planned", "fetched", "unchanged", "revised", "failed",
          "stoppedBecause",
        ])
      let lastRun = try #require(status["lastRun"] as? [String: Any])
      #expect(runs.count == 3)
      #expect(runs[2][0] == "\(lastRun["id"] ?? "")")
      #expect(runs[2][1] == lastRun["startedAt"] as? String)
      #expect(runs[2][7] == "2")

      let failures = csvRecords(await desk.run("export", "failures").output)
      #expect(failures[0] == ["resource", "code", "message", "at", "isStored"])
      let told = try #require(status["failures"] as? [[String: Any]])
      #expect(
        failures.dropFirst().map { $0[0] ?? "" } == told.reversed().map { $0["resource"] as? String ?? "" })
      #expect(failures.dropFirst().allSatisfy { $0[1] == "transport" && $0[4] == "true" })

      let resources = csvRecords(await desk.run("export", "resources").output)
      #expect(resources.count == 1 + 22)
      #expect(resources.dropFirst().count { $0[9] == "transport" } == 2)
      let quotas = csvRecords(await desk.run("export", "quotas").output)
      #expect(quotas == [["upstream", "day", "used", "exhaustedAt"], ["kobis", "2019-07-15", "2", nil]])
    }
  }

  @Test func `everything that is listed can be exported, whole and in order of its key`() async throws {
    try await withRecordedWeek { desk in
      let list = await desk.run("export", "--list").output
      let names = list.split(separator: "\n").dropFirst().compactMap {
        $0.split(separator: " ").first.map(String.init)
      }
      #expect(names.prefix(6) == ["charts", "movies", "resources", "failures", "runs", "quotas"])
      #expect(Set(names).isSuperset(of: ["resource", "movie", "chart_entry", "chart", "lease", "sync_run"]))
      #expect(!names.contains { $0.hasPrefix("sqlite") })
      let connection = try Connection(location: .file(desk.path("matinee.db")), mode: .readOnly)
      for name in names.dropFirst(6) {
        let count = try connection.firstValue("SELECT count(*) FROM \(name)") { row throws(SQLiteError) in
          try row.int(at: 0)
        }
        let outcome = await desk.run("export", name)
        #expect(outcome.status == 0)
        #expect(csvRecords(outcome.output).count == 1 + (count ?? -1), "\(name)")
        let lines = await desk.run("export", name, "--format", "ndjson").output.split(separator: "\n")
        #expect(lines.count == count)
      }
      let details = csvRecords(await desk.run("export", "movie_actor").output).dropFirst()
      let keys = details.map { [Int($0[0] ?? "") ?? 0, Int($0[1] ?? "") ?? 0] }
      #expect(keys == keys.sorted { $0.lexicographicallyPrecedes($1) })
    }
  }

  @Test func `values of every form are exact`() async throws {
    try await withRecordedWeek { desk in
      try desk.execute(
        #"""
        CREATE TABLE "odd ""name""" (id INTEGER PRIMARY KEY, "a,b" ANY) STRICT;
        INSERT INTO "odd ""name""" VALUES (1, 9223372036854775807), (2, -9223372036854775808), (3, 0.1),
          (4, 1e300), (5, -0.0), (6, 9e999), (7, -9e999), (8, 5e-324), (9, ''), (10, NULL), (11, x''),
          (12, x'00ff10'), (13, 'say "hi", 둘' || char(10) || 'end' || char(13)), (14, 'a' || char(0) || 'b'),
          (15, CAST(x'61ff62' AS TEXT)), (16, char(155) || char(27) || '\'), (17, x'01'), (18, x'0102'), (19, 3.0)
        """#)
      let name = "odd \"name\""
      let csv = csvRecords(await desk.run("export", name).output)
      #expect(csv[0] == ["id", "a,b"])
      #expect(
        csv.dropFirst().map { $0[1] } == [
          "9223372036854775807", "-9223372036854775808", "0.1", "1e+300", "-0.0", "9e999", "-9e999", "5e-324",
          "",
          nil, nil, "AP8Q", "say \"hi\", 둘\nend\r", "a\0b", "a\u{FFFD}b", "\u{9B}\u{1B}\\", "AQ==", "AQI=",
          "3.0",
        ])
      let lines = await desk.run("export", name, "--format", "ndjson").output.split(separator: "\n")
      #expect(lines[0] == #"{"id":1,"a,b":9223372036854775807}"#)
      #expect(lines[1] == #"{"id":2,"a,b":-9223372036854775808}"#)
      #expect(lines[5] == #"{"id":6,"a,b":9e999}"#)
      #expect(lines[7] == #"{"id":8,"a,b":5e-324}"#)
      #expect(lines[8] == #"{"id":9,"a,b":""}"#)
      #expect(lines[9] == #"{"id":10,"a,b":null}"#)
      #expect(lines[10] == #"{"id":11,"a,b":""}"#)
      #expect(lines[11] == #"{"id":12,"a,b":"AP8Q"}"#)
      #expect(lines[12] == #"{"id":13,"a,b":"say \"hi\", 둘\nend\r"}"#)
      #expect(lines[13] == #"{"id":14,"a,b":"a\u0000b"}"#)
      #expect(lines[14] == "{\"id\":15,\"a,b\":\"a\u{FFFD}b\"}")
      #expect(lines[15] == #"{"id":16,"a,b":"\u009b\u001b\\"}"#)
      #expect(lines[18] == #"{"id":19,"a,b":3.0}"#)
    }
  }

  @Test func `what is committed meanwhile is not in it`() async throws {
    try await withRecordedWeek { desk in
      let database = desk.path("matinee.db")
      desk.output = CapturedOutput(onFirstWrite: {
        #expect(throws: Never.self) {
          try Connection(location: .file(database)).execute("DELETE FROM resource")
        }
      })
      #expect(csvRecords(await desk.run("export", "charts").output).count == 91)
      desk.output = CapturedOutput()
      #expect(csvRecords(await desk.run("export", "charts").output).count == 1)
    }
  }

  @Test func `however much there is, it is written in pieces of a bounded size`() async throws {
    try await withRecordedWeek { desk in
      try desk.execute(
        """
        CREATE TABLE ballast (id INTEGER PRIMARY KEY, text TEXT);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO ballast SELECT i, hex(randomblob(50)) FROM n
        """)
      let output = PieceOutput()
      let status = await CommandRunner(
        Surroundings(
          environment: desk.environment, clock: desk.clock, standardOutput: output,
          standardError: CapturedOutput())
      ).run(["export", "ballast", "--format", "ndjson"])
      #expect(status == 0)
      let sizes = output.sizes.withLock { $0 }
      #expect(sizes.reduce(0, +) > 2_000_000)
      #expect(sizes.allSatisfy { $0 <= RowBuffer.byteCountMax + 200 })
    }
  }

  @Test func `a reader that has seen enough is no error`() async throws {
    try await withRecordedWeek { desk in
      desk.output = CapturedOutput(failing: .closed, afterWriteCount: 1)
      let outcome = await desk.run("export", "charts")
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      desk.output = CapturedOutput(failing: .failed("No space left on device"))
      let failed = await desk.run("export", "charts")
      #expect(failed.status == 74)
      #expect(failed.errors.contains("standard output cannot be written"))
    }
  }

  @Test func `the program ends without a word when the pipe is closed`() async throws {
    try await withRecordedWeek { desk in
      try desk.addBallast(megabyteCount: 4)
      let command = try SpawnedCommand(
        ["export", "ballast", "--format", "ndjson"], environment: desk.environment)
      _ = await command.readLines(count: 1)
      command.closeOutput()
      let end = await command.finish(readsOutput: false)
      #expect(end.status == 0)
      #expect(end.errors.isEmpty)
    }
  }
}

/// Takes note of how much is written at once.
private final class PieceOutput: ByteOutput {
  let sizes = LockedValue<[Int]>([])

  func write(_ bytes: [UInt8]) throws(OutputError) { sizes.withLock { $0.append(bytes.count) } }
}

@Suite struct `When an export goes to a file` {
  @Test func `it is there whole, and stdout is empty`() async throws {
    try await withRecordedWeek { desk in
      let expected = await desk.run("export", "charts").output
      let file = desk.path("charts.csv")
      let outcome = await desk.run("export", "charts", "--output", file)
      #expect(outcome.status == 0)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors == "matinee: 90 rows of charts are in \(file)\n")
      let written = try String(contentsOfFile: file, encoding: .utf8)
      #expect(written == expected)
      #expect(!desk.names.contains { $0.hasSuffix(".partial") })
    }
  }

  @Test func `an existing one is left alone unless --force is given`() async throws {
    try await withRecordedWeek { desk in
      let file = desk.path("charts.csv")
      try Data("precious".utf8).write(to: URL(filePath: file))
      let refused = await desk.run("export", "charts", "--output", file)
      #expect(refused.status == 74)
      #expect(refused.errors.contains("\(file) exists already, and is left as it is; --force replaces it"))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
      #expect(await desk.run("export", "charts", "--output", file, "--force").status == 0)
      #expect(try csvRecords(String(contentsOfFile: file, encoding: .utf8)).count == 91)
    }
  }

  @Test(
    arguments: [
      "matinee.db", "matinee.db-wal", "matinee.db-shm", "matinee.db-journal", "matinee.db-gate",
      "other-name.db",
    ])
  func `the database that is exported is no place for it, nor are its files`(name: String) async throws {
    try await withRecordedWeek { desk in
      let other = desk.folder.appending(path: "other-name.db")
      try FileManager.default.linkItem(at: desk.database, to: other)
      let before = try fingerprint(of: desk.path("matinee.db"))
      for options in [[], ["--force"]] {
        let outcome = await desk.run(["export", "charts", "--output", desk.path(name)] + options)
        #expect(outcome.status == 74)
        #expect(outcome.output.isEmpty)
        #expect(
          outcome.errors
            == "matinee: the export would take the place of the database that it is made of\n")
      }
      #expect(try fingerprint(of: desk.path("matinee.db")) == before)
      #expect(desk.names.allSatisfy { $0.hasPrefix("matinee.db") || $0 == "other-name.db" })
    }
  }

  @Test(arguments: [
    "archive.db", "archive.db-wal", "archive.db-shm", "archive.db-journal", "archive.db-gate",
  ])
  func `another database is no place for it, nor are its files`(name: String) async throws {
    try await withRecordedWeek { desk in
      let archive = desk.path("archive.db")
      #expect(await desk.run("sync", "--upstream", "recorded", "--database", archive).status == 0)
      let before = try fingerprint(of: archive)
      // What lies at the gate's path has to stay the same file: a lock on another one excludes nobody.
      func gateNumber() -> UInt64? {
        var status = stat()
        return lstat(archive + "-gate", &status) == 0 ? UInt64(status.st_ino) : nil
      }
      let gate = try #require(gateNumber())
      let outcome = await desk.run("export", "charts", "--output", desk.path(name), "--force")
      #expect(outcome.status == 74)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.contains(archive))
      #expect(try fingerprint(of: archive) == before)
      #expect(gateNumber() == gate)
      #expect(!desk.names.contains { $0.hasSuffix("-journal") || $0.hasSuffix(".partial") })
    }
  }

  @Test func `one that cannot be made says so`() async throws {
    try await withRecordedWeek { desk in
      for place in [desk.folder.path, desk.path("none/charts.csv")] {
        let outcome = await desk.run("export", "charts", "--output", place, "--force")
        #expect(outcome.status == 74)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains(place.hasSuffix("csv") ? "cannot reach the folder" : "is a folder"))
      }
    }
  }

  @Test func `SIGTERM leaves nothing of it, and is 75`() async throws {
    try await withRecordedWeek { desk in
      try desk.addBallast(megabyteCount: 30)
      try await untilCaughtAtWork {
        let command = try SpawnedCommand(
          ["export", "ballast", "--output", desk.path("ballast.csv")], environment: desk.environment)
        try await command.send(SIGTERM) { desk.names.contains { $0.hasSuffix(".partial") } }
        let end = await command.finish()
        guard end.status != 0 else {
          try FileManager.default.removeItem(atPath: desk.path("ballast.csv"))
          return false
        }
        #expect(end.status == 75)
        #expect(end.errors.contains("SIGTERM: stopping"))
        #expect(end.errors.contains("the export was stopped before its end"))
        #expect(desk.names.allSatisfy { $0.hasPrefix("matinee.db") })
        return true
      }
    }
  }
}

@Suite struct `When an export cannot be` {
  @Test(arguments: [
    "chrts", "sqlite_schema", "sqlite_sequence", "resource; DROP TABLE resource", "pragma_table_list",
  ])
  func `an unknown name is 64, and says what there is`(name: String) async throws {
    try await withRecordedWeek { desk in
      let outcome = await desk.run("export", name, "--output", desk.path("x"))
      #expect(outcome.status == 64)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.contains("there is no '\(name)' to export"))
      #expect(
        outcome.errors.contains(
          "There are charts, movies, resources, failures, runs, quotas, breaker, change, "))
      if name == "chrts" { #expect(outcome.errors.contains("the nearest is 'charts'")) }
      #expect(!desk.names.contains("x"))
      #expect(await desk.run("show", "2019-07-13", "--offline").status == 0)
    }
  }

  @Test(
    arguments: [
      ([], "name what to export"), (["charts", "--list"], "--list exports nothing"),
      (["movies", "--from", "2019-07-08"], "has no days"),
      (["charts", "--force"], "--force is for the file"),
      (["charts", "--from", "2019-07-09", "--to", "2019-07-08"], "comes after --to"),
      (["charts", "--format", "xml"], "xml"), (["charts", "--from", "someday"], "someday"),
    ])
  func `arguments that make no sense are 64`(arguments: [String], message: String) async throws {
    try await withRecordedWeek { desk in
      let outcome = await desk.run(["export"] + arguments)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains(message))
      #expect(outcome.output.isEmpty)
    }
  }

  @Test func `without a database it is 66, and the queries are listed all the same`() async throws {
    try await withDesk { desk in
      let outcome = await desk.run("export", "charts")
      #expect(outcome.status == 66)
      #expect(outcome.output.isEmpty)
      let list = await desk.run("export", "--list")
      #expect(list.status == 0)
      #expect(list.output.contains("\ncharts "))
      #expect(list.errors.contains("its tables and views are not listed"))
      #expect(desk.names.isEmpty)
    }
  }

  @Test func `of an older schema there is what its tables have, and it is not migrated`() async throws {
    try await withDesk { desk in
      let fixture = Fixture.packageFolder.appending(path: "Tests/SQLiteMovieStoreTests/Schemas/schema-1.db")
      try FileManager.default.copyItem(at: fixture, to: desk.database)
      #expect(csvRecords(await desk.run("export", "charts").output).count == 91)
      let missing = await desk.run("export", "quotas")
      #expect(missing.status == 64)
      #expect(!missing.errors.contains("quotas,"))
      let connection = try Connection(location: .file(desk.path("matinee.db")), mode: .readOnly)
      #expect(try connection.header().userVersion == 1)
    }
  }

  @Test func `a foreign or damaged database is 74`() async throws {
    try await withDesk { desk in
      try Connection(location: .file(desk.path("foreign.db"))).execute(
        "PRAGMA application_id = 7; CREATE TABLE t (x)")
      let outcome = await desk.run("export", "t", "--database", desk.path("foreign.db"))
      #expect(outcome.status == 74)
      #expect(outcome.errors.hasPrefix("matinee: the database: foreign: "))
    }
  }
}
