import CatalogEngine
import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import KOBIS
import MatineeTesting
import SQLiteBinding
import SQLiteMovieStore
import Testing

@testable import MatineeCommand

private let databaseChecks: [CheckResult.Name] = [
  .schema, .integrity, .writeAheadLog, .gate, .quota, .breaker, .lastSync, .setAside,
]

@Suite struct `When the doctor finds everything in order` {
  @Test func `every check says what it found, and the upstream was not asked`() async throws {
    try await withRecordedWeek { desk in
      let session = ClosureSession(RepeatedWeek.reply)
      desk.session = session
      let diagnosis = try await desk.diagnosis()
      #expect(diagnosis.status == 0)
      #expect(diagnosis.problemCount == 0 && diagnosis.warningCount == 0)
      #expect(diagnosis.names(in: "skipped") == [.upstream])
      #expect(diagnosis[.upstream].remedy?.contains("`matinee doctor --online`") == true)
      let found: [(CheckResult.Name, String)] = [
        (.configurationFile, "there is none at \(desk.folder.path)/.config/matinee/config.json"),
        (.settings, "of 13 settings, 1 by the environment, the rest as by default"),
        (.apiKey, "it is set, by the environment's KOBIS_API_KEY, and looks like one"),
        (.clock, "it says 2019-07-15T03:00:00Z"),
        (.zone, "days are always Korea's, where it is 2019-07-15 12:00"),
        (.sqlite, "SQLite \(SQLiteLibrary.version)"),
        (.folder, "\(desk.folder.path) is writable, and belongs to you"),
        (.fileSystem, "lies on ext4"), (.space, "10.0 GiB are free"),
        (.database, "and is yours alone (mode 0600)"),
        (.schema, "is matinee's, of schema \(StoreExamination.latestSchemaVersion), the newest"),
        (.integrity, "and is sound"), (.gate, "matinee.db-gate is there, and yours alone (mode 0600)"),
        (
          .quota,
          "0 of the 3,000 calls of 2019-07-15 are used, 3,000 left until 2019-07-16 00:00 in Korea, 200 of them "
            + "kept for readers"
        ),
        (.breaker, "kobis.or.kr is not taken to be down"),
        (.lastSync, "the last sync began just now, and came to its end: "),
        (.setAside, "syncs leave no resource alone"),
      ]
      for (name, text) in found {
        #expect(diagnosis[name].found.contains(text), "\(name): \(diagnosis[name].found)")
      }
      #expect(session.callCount == 0)
    }
  }

  @Test func `a database without a log is looked at without making one`() async throws {
    try await withRecordedWeek { desk in
      let copy = desk.path("copy.db")
      #expect(await desk.run("backup", copy).status == 0)
      let diagnosis = try await desk.diagnosis("--database", copy)
      #expect(diagnosis.status == 0 && diagnosis.warningCount == 0)
      #expect(diagnosis[.integrity].state == "ok")
      #expect(diagnosis[.gate].found == "there is no \(copy)-gate yet; the next writer makes it")
      #expect(!desk.names.contains("copy.db-shm") && !desk.names.contains("copy.db-wal"))
    }
  }

  @Test func `without a database the first sync is waited for, and none is made`() async throws {
    try await withDesk { desk in
      let diagnosis = try await desk.diagnosis()
      #expect(diagnosis.status == 0 && diagnosis.warningCount == 0)
      #expect(diagnosis[.database].found == "there is no \(desk.database.path) yet; the first sync makes it")
      #expect(diagnosis.names(in: "skipped") == databaseChecks + [.upstream])
      #expect(desk.names.isEmpty)

      desk.environment["MATINEE_DATABASE"] = nil
      let byDefault = try await desk.diagnosis()
      #expect(byDefault.status == 0)
      let folder = desk.folder.path + "/.local/share/matinee"
      #expect(
        byDefault[.folder].found
          == "there is no \(folder) yet; the first sync makes it in \(desk.folder.path)")
      #expect(desk.names.isEmpty)
    }
  }

  @Test func `samples need no key and no calls`() async throws {
    try await withRecordedWeek { desk in
      desk.environment["KOBIS_API_KEY"] = nil
      desk.clock.advance(by: .seconds(30 * 86_400))
      desk.plausibleTimes = ClockRule.plausibleTimes
      let diagnosis = try await desk.diagnosis("--upstream", "recorded", "--online")
      #expect(diagnosis.status == 0)
      // By a wrong clock samples are samples all the same.
      #expect(diagnosis.names(in: "warning") == [.clock])
      #expect(diagnosis.names(in: "skipped") == [.quota, .breaker, .upstream])
    }
  }
}

@Suite struct `When the doctor finds a database that cannot be used` {
  /// A row for each state of the file: what makes it so, which check tells, and in which words.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var check: CheckResult.Name
    var found: String
    var remedy: String
    var make: @Sendable (Desk) throws -> Void
  }

  private static func corrupt(_ desk: Desk) throws {
    let connection = try Connection(location: .file(desk.path("matinee.db")))
    try connection.execute(
      """
      CREATE TABLE filler (content TEXT) STRICT;
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO filler SELECT printf('%0100d', i) FROM n;
      CREATE INDEX filler_by_content ON filler (content);
      PRAGMA application_id = \(0x4D54_4E45);
      PRAGMA user_version = \(StoreExamination.latestSchemaVersion);
      PRAGMA wal_checkpoint(TRUNCATE)
      """)
    let handle = try FileHandle(forUpdating: desk.database)
    defer { try? handle.close() }
    let size = try handle.seekToEnd()
    for page in stride(from: 4096 * 8, to: size, by: 4096 * 5) {
      try handle.seek(toOffset: page)
      try handle.write(contentsOf: Data(repeating: 0x55, count: 4096))
    }
  }

  static let cases = [
    Case(
      testDescription: "a damaged one", check: .integrity, found: "is damaged: ", remedy: "`mkdir ",
      make: corrupt),
    Case(
      testDescription: "a text file", check: .schema, found: "is no database, and is left alone",
      remedy: "--database",
      // Who may read somebody else's notes is no concern of the doctor's.
      make: { desk in
        try desk.write(
          String(repeating: "my notes, not to be lost\n", count: 100), to: "matinee.db", mode: 0o644)
      }),
    Case(
      testDescription: "one byte", check: .schema, found: "is no database", remedy: "--database",
      make: { try $0.write("x", to: "matinee.db") }),
    Case(
      testDescription: "another program's", check: .schema,
      found: "is another program's database (application_id 7)", remedy: "--database",
      make: { try $0.execute("PRAGMA application_id = 7; CREATE TABLE note (text TEXT)") }),
    Case(
      testDescription: "a newer version's", check: .schema,
      found: "has schema 9999, and this build knows none after",
      remedy: "install the version",
      make: {
        try $0.execute(
          "PRAGMA application_id = \(0x4D54_4E45); PRAGMA user_version = 9999; CREATE TABLE t (x)")
      }),
    Case(
      testDescription: "a folder", check: .database, found: "a folder is in the place of the database",
      remedy: "--database",
      make: { try FileManager.default.createDirectory(at: $0.database, withIntermediateDirectories: false) }),
    Case(
      testDescription: "a link", check: .database, found: "a symbolic link is in the place of the database",
      remedy: "--database",
      make: {
        try $0.write("precious", to: "elsewhere")
        try FileManager.default.createSymbolicLink(
          atPath: $0.path("matinee.db"), withDestinationPath: $0.path("elsewhere"))
      }),
    Case(
      testDescription: "a pipe", check: .database, found: "what is no regular file is in the place",
      remedy: "--database", make: { #expect(mkfifo($0.path("matinee.db"), 0o600) == 0) }),
    Case(
      testDescription: "a gate that is a link", check: .gate,
      found: "a symbolic link is in the place of the write gate",
      remedy: "`mv ",
      make: {
        try FileManager.default.createSymbolicLink(
          atPath: $0.path("matinee.db-gate"), withDestinationPath: "nowhere")
        try $0.write("", to: "matinee.db")
      }),
  ]

  @Test(arguments: cases)
  func `the check names it with a remedy, the others are made, and the status is 74`(
    subject: Case
  ) async throws {
    try await withDesk { desk in
      try subject.make(desk)
      let diagnosis = try await desk.diagnosis("--online")
      #expect(diagnosis.status == 74)
      #expect(diagnosis.names(in: "problem") == [subject.check])
      #expect(diagnosis.warningCount == 0)
      #expect(diagnosis[subject.check].found.contains(subject.found), "\(diagnosis[subject.check].found)")
      #expect(diagnosis[subject.check].remedy?.contains(subject.remedy) == true)
      #expect(diagnosis[.apiKey].state == "ok" && diagnosis[.space].state == "ok")
      #expect(
        diagnosis[.upstream].found
          == "kobis.or.kr was not asked, because of the problem with \(subject.check.rawValue)")
    }
  }

  @Test func `an older schema is in order, is not migrated, and its rows wait for it`() async throws {
    try await withDesk { desk in
      let fixture = Fixture.packageFolder.appending(path: "Tests/SQLiteMovieStoreTests/Schemas/schema-1.db")
      try FileManager.default.copyItem(at: fixture, to: desk.database)
      try desk.setMode(0o600, of: "matinee.db")
      let diagnosis = try await desk.diagnosis()
      #expect(diagnosis.status == 0 && diagnosis.warningCount == 0)
      #expect(diagnosis[.schema].state == "ok")
      #expect(
        diagnosis[.schema].found.contains(
          "of schema 1; what opens it next brings it to \(StoreExamination.latestSchemaVersion)"))
      #expect(diagnosis[.integrity].state == "ok")
      #expect(diagnosis.names(in: "skipped") == [.quota, .breaker, .lastSync, .setAside, .upstream])
      #expect(diagnosis[.quota].found == "it was not looked at: see schema")
    }
  }

  @Test func `a journal that waits to be rolled back is left to a writer`() async throws {
    try await withRecordedWeek { desk in
      try desk.write("not really a journal", to: "matinee.db-journal")
      let diagnosis = try await desk.diagnosis()
      #expect(diagnosis.status == 0)
      #expect(diagnosis.names(in: "warning") == [.schema])
      #expect(diagnosis[.schema].remedy?.contains("`matinee status`") == true)
    }
  }

  @Test func `a folder that is not there is named with what makes it`() async throws {
    try await withDesk { desk in
      let folder = desk.path("no where")
      let diagnosis = try await desk.diagnosis("--database", folder + "/matinee.db")
      #expect(diagnosis.status == 74)
      #expect(diagnosis.names(in: "problem") == [.folder])
      #expect(diagnosis[.folder].found == "there is no \(folder), and only a default folder is made")
      #expect(diagnosis[.folder].remedy == "`mkdir -p '\(folder)'`")
    }
  }

  @Test func `a file in the folder's place is told`() async throws {
    try await withDesk { desk in
      let file = try desk.write("", to: "file")
      let diagnosis = try await desk.diagnosis("--database", file + "/matinee.db")
      #expect(diagnosis.status == 74)
      #expect(diagnosis[.folder].found == "\(file) is no folder")
      #expect(diagnosis[.database].state == "problem")
    }
  }

  @Test(.enabled("the program cannot be run as somebody else") { await UnprivilegedCommand.canRun() })
  func `what may only be read, and what may not be read, is 74 with whom to run it as`() async throws {
    try await withRecordedWeek { desk in
      let arguments = ["doctor", "--format", "json"]
      // Samples need no clock: that of the machine is years after the one by which they were stored.
      desk.environment["MATINEE_UPSTREAM"] = "recorded"
      try desk.setMode(0o555, of: "")
      defer { try? desk.setMode(0o755, of: "") }
      try desk.setMode(0o444, of: "matinee.db")
      let readOnly = try await UnprivilegedCommand.start(arguments, at: desk).finish()
      let seen = try Diagnosis(
        Desk.Outcome(status: readOnly.status, output: readOnly.output, errors: readOnly.errors))
      #expect(seen.status == 74)
      #expect(seen[.folder].state == "problem" && seen[.database].state == "problem")
      #expect(seen[.folder].found.contains("cannot be written (Permission denied)"))
      // What may be read is looked into all the same.
      for name in [CheckResult.Name.schema, .integrity, .setAside] { #expect(seen[name].state == "ok") }

      try desk.setMode(0o000, of: "matinee.db")
      let unreadable = try await UnprivilegedCommand.start(arguments, at: desk).finish()
      let told = try Diagnosis(
        Desk.Outcome(status: unreadable.status, output: unreadable.output, errors: unreadable.errors))
      #expect(told.status == 74)
      #expect(told[.database].found.contains("cannot be read (Permission denied)"))
      #expect(told[.schema].found == "it was not looked at: see database")
    }
  }
}

@Suite struct `When the doctor looks at settings and the key` {
  @Test func `a configuration file that cannot be read is a problem, and the rest is checked without it`()
    async throws
  {
    try await withRecordedWeek { desk in
      let file = try desk.write(#"{"database": "/x.db", "apiKy": 1}"#, to: "bad settings.json")
      let diagnosis = try await desk.diagnosis("--config", file)
      #expect(diagnosis.status == 78)
      #expect(diagnosis.names(in: "problem") == [.configurationFile])
      #expect(diagnosis[.configurationFile].found.contains("\(file):1: "))
      #expect(diagnosis[.configurationFile].remedy?.contains("`matinee config --config '\(file)'`") == true)
      #expect(diagnosis[.schema].state == "ok" && diagnosis[.apiKey].state == "ok")
      desk.environment["KOBIS_API_KEY"] = nil
      let keyless = try await desk.diagnosis("--config", file)
      // The file might have named the key's.
      #expect(keyless[.apiKey].state == "skipped")
    }
  }

  @Test func `a reader that has gone does not change what it comes to`() async throws {
    try await withRecordedWeek { desk in
      desk.output = CapturedOutput(failing: .closed)
      #expect(await desk.run("doctor").status == 0)
      desk.environment["MATINEE_SYNC_RETRIES"] = "many"
      #expect(await desk.run("doctor").status == 78)
    }
  }

  @Test func `every setting that is refused is named, not the first alone`() async throws {
    try await withRecordedWeek { desk in
      let file = try desk.write(
        #"{"callTimeout": "9h", "sync": {"retries": 99, "budget": 5}}"#, to: "settings.json")
      desk.environment["MATINEE_LOG_LEVEL"] = "loud"
      desk.environment["MATINEE_API_KEY"] = "canary-key-0123456789"
      let diagnosis = try await desk.diagnosis("--config", file, "--upstream", "ftp://kobis.or.kr/")
      #expect(diagnosis.status == 78)
      #expect(diagnosis.names(in: "problem") == [.settings])
      #expect(diagnosis[.configurationFile].found.hasSuffix("it sets 1 setting"))
      for text in [
        "--upstream: ", "MATINEE_LOG_LEVEL: ", ":1: callTimeout: ", ":1: sync.retries: ",
        "MATINEE_API_KEY sets nothing; the nearest is KOBIS_API_KEY",
      ] {
        #expect(diagnosis[.settings].found.contains(text), "\(diagnosis[.settings].found)")
      }
      #expect(diagnosis[.schema].state == "ok" && diagnosis[.lastSync].state == "ok")
      #expect(
        diagnosis[.upstream].remedy?.hasPrefix("once nothing else is amiss, `matinee doctor --online") == true
      )
    }
  }

  @Test func `settings that do not go together are refused, and the database is found all the same`()
    async throws
  {
    try await withRecordedWeek { desk in
      desk.environment["MATINEE_QUOTA_CALLS_PER_DAY"] = "10"
      desk.environment["MATINEE_QUOTA_RESERVED_CALLS"] = "10"
      let diagnosis = try await desk.diagnosis()
      #expect(diagnosis.status == 78)
      #expect(diagnosis[.settings].found.contains("a sync would have no call left"))
      #expect(diagnosis[.schema].state == "ok")
    }
  }

  @Test func `without a home nothing is known of the database, and the rest is checked`() async throws {
    try await withDesk { desk in
      desk.environment["MATINEE_DATABASE"] = nil
      desk.environment["HOME"] = nil
      let diagnosis = try await desk.diagnosis()
      #expect(diagnosis.status == 78)
      #expect(diagnosis.names(in: "problem") == [.settings])
      #expect(diagnosis[.settings].found.contains("there is no HOME"))
      #expect(diagnosis[.database].state == "skipped" && diagnosis[.apiKey].state == "ok")
    }
  }

  @Test func `a variable that sets nothing is a warning, with what to type`() async throws {
    try await withDesk { desk in
      desk.environment["MATINEE_QOUTA_CALLS_PER_DAY"] = "canary"
      let diagnosis = try await desk.diagnosis()
      #expect(diagnosis.status == 0)
      #expect(diagnosis.names(in: "warning") == [.settings])
      #expect(
        diagnosis[.settings].remedy
          == "set MATINEE_QUOTA_CALLS_PER_DAY in its place, and `unset MATINEE_QOUTA_CALLS_PER_DAY`")
    }
  }

  @Test func `of the key it is told where it is, whether it is taken, and no character of it`() async throws {
    try await withRecordedWeek { desk in
      let canary = "canary-key-0123456789"
      var told = ""
      func ask(_ desk: inout Desk) async throws -> Diagnosis {
        let diagnosis = try await desk.diagnosis()
        for arguments in [["doctor"], ["doctor", "--format", "json"]] {
          let outcome = await desk.run(arguments)
          told += outcome.output + outcome.errors
        }
        return diagnosis
      }
      // Where it has no business to be, too.
      desk.environment["KOBIS_API_KEY"] = canary
      desk.environment["TZ"] = "\(canary)"
      #expect(try await ask(&desk)[.apiKey].state == "ok")
      desk.environment["TZ"] = nil
      desk.environment["KOBIS_API_KEY"] = "canary with blanks"
      let malformed = try await ask(&desk)
      #expect(malformed.status == 78)
      #expect(malformed[.apiKey].found.contains("white space"))

      desk.environment["KOBIS_API_KEY"] = nil
      let missing = try await ask(&desk)
      #expect(missing.status == 78)
      #expect(missing[.apiKey].found.hasPrefix("none is set"))
      #expect(missing[.apiKey].remedy?.contains("KOBIS_API_KEY_FILE") == true)

      desk.environment["KOBIS_API_KEY_FILE"] = desk.path("none")
      let absent = try await ask(&desk)
      #expect(absent.status == 78)
      #expect(absent[.apiKey].found.contains("cannot be read"))

      let file = try desk.write(canary, to: "key", mode: 0o640)
      desk.environment["KOBIS_API_KEY_FILE"] = file
      let open = try await ask(&desk)
      #expect(open.status == 78)
      #expect(open[.apiKey].found.contains("may be read by its group or by others (mode 0640)"))
      #expect(open[.apiKey].remedy?.hasPrefix("`chmod 600 \(file)`") == true)

      try desk.setMode(0o600, of: "key")
      #expect(try await ask(&desk)[.apiKey].found == "it is set, by the file \(file), and looks like one")
      try desk.setMode(0o777, of: "")
      let exposed = try await ask(&desk)
      #expect(exposed.status == 0)
      #expect(exposed.names(in: "warning") == [.apiKey, .folder])
      #expect(exposed[.apiKey].remedy == "`chmod go-w \(desk.folder.path)`")
      try desk.setMode(0o755, of: "")

      // The key in place of a file's path.
      desk.environment["KOBIS_API_KEY_FILE"] = canary
      #expect(try await ask(&desk).status == 78)
      #expect(!told.isEmpty && !told.contains("canary"))
    }
  }

  @Test func `a clock that no sync would believe is 78`() async throws {
    try await withRecordedWeek { desk in
      desk.plausibleTimes = ClockRule.plausibleTimes
      let early = try await desk.diagnosis("--online")
      #expect(early.status == 78)
      #expect(early.names(in: "problem") == [.clock])
      #expect(early[.clock].remedy?.contains("`timedatectl set-ntp true`") == true)
      #expect(early[.upstream].found.contains("because of the problem with clock"))
      desk.plausibleTimes = nil
      desk.clock.setWallTime(testNoon.advanced(by: .seconds(-2 * 86_400)))
      let back = try await desk.diagnosis()
      #expect(back.status == 78)
      #expect(back[.clock].found.contains("before the last sync in the database, at \(testNoon)"))
    }
  }
}

@Suite struct `When the doctor finds what may not work for long` {
  @Test func `permissions that others have are a warning, with what takes them away`() async throws {
    try await withRecordedWeek { desk in
      try desk.setMode(0o644, of: "matinee.db")
      try desk.setMode(0o666, of: "matinee.db-gate")
      let diagnosis = try await desk.diagnosis()
      #expect(diagnosis.status == 0)
      #expect(diagnosis.names(in: "warning") == [.database, .gate])
      #expect(diagnosis[.database].found.contains("\(desk.database.path) (mode 0644)"))
      #expect(diagnosis[.database].remedy?.hasPrefix("`chmod 600 \(desk.database.path)") == true)
      #expect(diagnosis[.gate].remedy == "`chmod 600 \(desk.database.path)-gate`")
    }
  }

  @Test func `what the folder lies on is judged`() async throws {
    try await withRecordedWeek { desk in
      desk.volume = Volume(fileSystem: "nfs4", freeByteCount: 1 << 20)
      let scarce = try await desk.diagnosis()
      #expect(scarce.status == 0)
      #expect(scarce.names(in: "warning") == [.fileSystem, .space])
      desk.volume = Volume(fileSystem: nil, freeByteCount: 0)
      let full = try await desk.diagnosis()
      #expect(full.status == 74)
      #expect(full.names(in: "problem") == [.space])
      #expect(full[.fileSystem].state == "skipped")
    }
  }

  @Test func `a spent day and an open breaker are told, and nobody is asked`() async throws {
    try await withRecordedWeek { desk in
      let session = ClosureSession(RepeatedWeek.reply)
      desk.session = session
      let now = testNoon.millisecondsSinceEpoch
      try desk.execute("INSERT INTO quota_day (upstream, day, used_count) VALUES ('kobis', 20190715, 3000)")
      let spent = try Diagnosis(await desk.run("doctor", "--online", "--format", "json"))
      #expect(spent.status == 0)
      #expect(spent.names(in: "warning") == [.quota])
      #expect(spent[.quota].found.contains("none is left before 2019-07-16 00:00 in Korea"))
      #expect(spent[.upstream].state == "skipped")
      #expect(spent[.upstream].found.hasPrefix("no call was made before 2019-07-16 00:00 in Korea: quota: "))

      try desk.execute(
        """
        DELETE FROM quota_day;
        INSERT INTO breaker (upstream, failure_count, opened_at, cool_down, next_attempt_at)
        VALUES ('kobis', 8, \(now - 1000), 30000, \(now + 29000))
        """)
      let down = try Diagnosis(await desk.run("doctor", "--online", "--format", "json"))
      #expect(down.status == 0)
      #expect(down.names(in: "warning") == [.breaker])
      #expect(down[.breaker].found.contains("after 8 failures in a row to reach it; it is not asked before"))
      #expect(down[.upstream].found.contains("breakerOpen: "))
      #expect(session.callCount == 0)
      #expect(try desk.number("SELECT count(*) FROM quota_day") == 0)
    }
  }

  @Test func `a sync that failed, one long ago, and none at all are told`() async throws {
    try await withRecordedWeek { desk in
      desk.clock.advance(by: .seconds(3 * 86_400 + 1))
      let late = try await desk.diagnosis()
      #expect(late.status == 0)
      #expect(late.names(in: "warning") == [.lastSync])
      #expect(
        late[.lastSync].found
          == "the last sync began 3 d ago: for more than 3 d nothing new has been looked for")
      let now = desk.clock.wallTime.millisecondsSinceEpoch
      try desk.execute(
        """
        INSERT INTO sync_run (started_at, ended_at, planned_count, stopped_because)
        VALUES (\(now), \(now), 1, 'keyRefused')
        """)
      let failed = try await desk.diagnosis()
      #expect(failed[.lastSync].found == "the last sync began just now, and stopped because of keyRefused")
      try desk.execute("DELETE FROM sync_run")
      #expect(try await desk.diagnosis()[.lastSync].remedy == "`matinee sync`")
      let named = desk.path("matinee.db")
      desk.environment["MATINEE_DATABASE"] = nil
      #expect(
        try await desk.diagnosis("--database", named)[.lastSync].remedy
          == "`matinee sync --database \(named)`")
    }
  }

  @Test func `resources set aside are counted`() async throws {
    try await withRecordedWeek { desk in
      let later = testNoon.advanced(by: .seconds(3600)).millisecondsSinceEpoch
      func setAside(_ count: Int) throws {
        try desk.execute(
          """
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
          INSERT INTO resource (upstream, kind, key, failure_code, failure_message, failed_at, set_aside_until)
          SELECT 'kobis', 'movie-details', 'aside' || \(count) || '-' || i, 'fault', 'of no use', 1, \(later) FROM n
          """)
      }
      try setAside(1)
      let one = try await desk.diagnosis()
      #expect(one[.setAside].state == "ok")
      #expect(one[.setAside].found.hasPrefix("syncs leave 1 resource alone"))
      try setAside(LedgerChecks.setAsideCountMax)
      let many = try await desk.diagnosis()
      #expect(many.names(in: "warning") == [.setAside])
      #expect(many.status == 0)
      #expect(many[.setAside].found.contains("21 resources"))
    }
  }
}

@Suite struct `When the doctor asks the upstream` {
  private func ledger(_ desk: Desk) throws -> Int {
    try desk.number("SELECT coalesce(sum(used_count), 0) FROM quota_day")
  }

  @Test func `it is one call, in the ledger and at the upstream, and its answer is kept`() async throws {
    try await withRecordedWeek { desk in
      let clock = desk.clock
      let upstream = KOBISSimulator { clock.wallTime }
      desk.session = upstream
      let diagnosis = try Diagnosis(await desk.run("doctor", "--online", "--format", "json"))
      #expect(diagnosis.status == 0)
      #expect(diagnosis[.upstream].state == "ok")
      #expect(diagnosis[.upstream].found == "kobis.or.kr answered in 0 ms, and took the key")
      #expect(upstream.callCount == 1)
      #expect(try ledger(desk) == 1)
      let chart = try object(await desk.run("show", "--offline", "--format", "json").output)
      #expect(chart["source"] as? String == "kobis.or.kr")
      #expect(upstream.callCount == 1)
    }
  }

  @Test func `a missing database is made for the answer`() async throws {
    try await withDesk { desk in
      desk.session = KOBISSimulator { testNoon }
      let outcome = await desk.run("doctor", "--online", "--format", "json")
      let diagnosis = try Diagnosis(outcome)
      #expect(diagnosis[.upstream].state == "ok")
      #expect(try ledger(desk) == 1)
    }
  }

  @Test func `a key that is refused is 77, with one call`() async throws {
    try await withRecordedWeek { desk in
      let upstream = KOBISSimulator(key: try APIKey("another-key-altogether")) { testNoon }
      desk.session = upstream
      let outcome = await desk.run("doctor", "--online", "--format", "json")
      let diagnosis = try Diagnosis(outcome)
      #expect(diagnosis.status == 77)
      #expect(diagnosis.names(in: "problem") == [.upstream])
      #expect(diagnosis[.upstream].found.contains("and refused the key"))
      #expect(upstream.callCount == 1)
      #expect(try ledger(desk) == 1)
      #expect(!(outcome.output + outcome.errors).contains("a-test-key"))
    }
  }

  @Test func `an upstream whose day is spent is a warning`() async throws {
    try await withRecordedWeek { desk in
      let upstream = KOBISSimulator(callsPerDayMax: 0) { testNoon }
      desk.session = upstream
      let diagnosis = try Diagnosis(await desk.run("doctor", "--online", "--format", "json"))
      #expect(diagnosis.status == 0)
      #expect(diagnosis.names(in: "warning") == [.upstream])
      #expect(upstream.callCount == 1)
    }
  }

  @Test func `one that cannot be reached is 69, and is not tried again`() async throws {
    try await withRecordedWeek { desk in
      desk.configuration.readRetry = RetryPolicy()
      let session = ClosureSession { call in
        throw TransportError(
          .connectionRefused, host: "kobis.or.kr", path: call.service.path, detail: "nothing listens there")
      }
      desk.session = session
      let diagnosis = try Diagnosis(await desk.run("doctor", "--online", "--format", "json"))
      #expect(diagnosis.status == 69)
      #expect(diagnosis.names(in: "problem") == [.upstream])
      #expect(diagnosis[.upstream].found.contains("gave no answer of use: transport: "))
      #expect(diagnosis[.upstream].remedy?.contains("/kobisopenapi/webservice/rest`") == true)
      #expect(session.callCount == 1)
      #expect(try ledger(desk) == 1)
      #expect(try desk.number("SELECT count(*) FROM resource WHERE failed_at IS NOT NULL") == 1)
    }
  }

  @Test func `the command's own session is seen as well`() async throws {
    try await withRecordedWeek { desk in
      desk.environment["MATINEE_UPSTREAM"] = "http://127.0.0.1:1/"
      let diagnosis = try Diagnosis(await desk.run("doctor", "--online", "--format", "json"))
      #expect(diagnosis.status == 69)
      #expect(diagnosis[.upstream].found.hasPrefix("127.0.0.1:1 was asked for "))
      #expect(try ledger(desk) == 1)
    }
  }

  @Test(arguments: [
    ("Mon, 15 Jul 2019 03:00:00 GMT", "ok", "its clock and this machine's agree"),
    ("Mon, 15 Jul 2019 03:01:00 GMT", "ok", "this machine's clock is 1 min behind that of the server"),
    ("Mon, 15 Jul 2019 02:50:00 GMT", "warning", "this machine's clock is 9 min ahead of that of the server"),
    ("yesterday", "ok", "took the key"),
  ])
  func `the server's clock is told beside ours`(date: String, state: String, words: String) async throws {
    let session = ClosureSession { call in
      var reply = try await RepeatedWeek.reply(to: call)
      reply.head.headerFields[.date] = date
      return reply
    }
    try await withDesk(session: session) { desk in
      let diagnosis = try Diagnosis(await desk.run("doctor", "--online", "--format", "json"))
      #expect(diagnosis.status == 0)
      #expect(diagnosis[.upstream].state == state)
      #expect(diagnosis[.upstream].found.hasSuffix(words), "\(diagnosis[.upstream].found)")
    }
  }
}

@Suite struct `When the doctor's findings are printed` {
  @Test func `JSON has its keys in this order`() async throws {
    try await withDesk { desk in
      let outcome = await desk.run("doctor", "--format", "json")
      #expect(
        memberNames(outcome.output)
          == ["checks", " name", " state", " found", " remedy", "problems", "warnings"])
      #expect(outcome.output.hasSuffix(#""problems":0,"warnings":0}"# + "\n"))
    }
  }

  @Test func `the table has a row for each check, the remedies whole, and the counts in the end`()
    async throws
  {
    try await withRecordedWeek { desk in
      desk.environment["KOBIS_API_KEY"] = nil
      try desk.setMode(0o644, of: "matinee.db")
      desk.outputTerminal = Terminal(columnCount: 60)
      desk.environment["NO_COLOR"] = "1"
      let plain = await desk.run("doctor")
      #expect(plain.status == 78)
      let lines = plain.output.split(separator: "\n").map(String.init)
      #expect(lines.last == "1 problem, 1 warning")
      #expect(lines.first?.split(separator: " ") == ["State", "Check", "Found"])
      #expect(
        lines.contains { $0.split(separator: " ").prefix(5) == ["✗", "problem", "apiKey", "none", "is"] })
      #expect(lines.contains { $0.hasPrefix("! warning  database ") })
      #expect(lines.contains { $0.hasPrefix("– skipped  upstream ") })
      #expect(lines.contains { $0.contains("→ `chmod 600 \(desk.database.path)") })
      #expect(!plain.output.contains("\u{1B}"))
      let rows = lines.map { $0.split(separator: " ") }.filter { ["✓", "!", "✗", "–"].contains($0[0]) }
      #expect(rows.map { String($0[2]) } == CheckResult.Name.allCases.map(\.rawValue))
      desk.environment["NO_COLOR"] = nil
      let colored = await desk.run("doctor").output
      #expect(
        colored.contains("\u{1B}[31m✗ problem\u{1B}[0m") && colored.contains("\u{1B}[33m! warning\u{1B}[0m"))
    }
  }

  @Test(arguments: [
    ("", 10, [""]), ("one two three", 20, ["one two three"]), ("one two three", 7, ["one two", "three"]),
    ("one two three", 3, ["one", "two", "three"]),
    ("a-word-too-long for it", 5, ["a-word-too-long", "for", "it"]),
    ("기생충 기생충", 8, ["기생충", "기생충"]), ("a  b", 10, ["a  b"]),
  ])
  func `a text is broken at blanks and nowhere else`(text: String, width: Int, lines: [String]) {
    #expect(text.brokenIntoLines(width: width) == lines)
  }
}
