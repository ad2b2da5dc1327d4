import Foundation
import Glibc
import Testing

@testable import MatineeCommand

/// What a message lists of streams.
private let streams =
  "daily, weekly, weekend, weekdays, details, codes, movies, companies, people, and charts of a part as daily:korean"

@Suite struct `When a configuration file is wrong` {
  /// Writes a configuration file into the desk's folder and has the environment name it.
  private func write(_ text: String, at desk: inout Desk) throws -> String {
    let file = desk.folder.appending(path: "settings.json").path
    try Data(text.utf8).write(to: URL(filePath: file))
    desk.environment["MATINEE_CONFIG"] = file
    return file
  }

  /// Every subcommand exits 78 with `reason`, makes no call and writes nothing.
  private func refusesAll(_ desk: Desk, _ session: ClosureSession, reason: String) async throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: desk.folder.path).sorted()
    for arguments in [
      ["sync"], ["sync", "--dry-run"], ["show", "2019-07-08"], ["movie", "20196309"], ["status"], ["config"],
    ] {
      let outcome = await desk.run(arguments)
      #expect(outcome.status == 78, "\(arguments)")
      #expect(outcome.errors == "matinee: \(reason)\n", "\(arguments)")
      #expect(outcome.output.isEmpty, "\(arguments)")
    }
    #expect(session.callCount == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.folder.path).sorted() == before)
  }

  /// The file's text, the line, and what is said of it.
  static let mistakes: [(text: String, line: Int, reason: String)] = [
    // Keys that nobody knows, with the nearest.
    (#"{"databse": "/a.db"}"#, 1, "there is no setting databse; the nearest is database"),
    ("{\n\n  \"qouta\": {}\n}", 3, "there is no setting qouta; the nearest is quota"),
    (
      #"{"quota": {"callPerDay": 5}}"#, 1,
      "there is no setting quota.callPerDay; the nearest is quota.callsPerDay"
    ),
    (#"{"callsPerDay": 5}"#, 1, "there is no setting callsPerDay; the nearest is quota.callsPerDay"),
    (
      #"{"sync": {"budget": {"calls": 3}}}"#, 1,
      "sync.budget takes a whole number from 1 to 1000000000, without quotation marks"
    ),
    // Values of the wrong type.
    (#"{"quota": 5}"#, 1, "quota is a group of settings, and takes an object"),
    (
      #"{"quota": {"callsPerDay": "5"}}"#, 1,
      "quota.callsPerDay takes a whole number from 1 to 1000000, without quotation marks"
    ),
    (
      #"{"quota": {"callsPerDay": true}}"#, 1,
      "quota.callsPerDay takes a whole number from 1 to 1000000, without quotation marks"
    ),
    (
      #"{"callTimeout": 15}"#, 1,
      "callTimeout takes a duration from 1s to 5m, such as 90s, in quotation marks"
    ),
    (#"{"logLevel": ["info"]}"#, 1, "logLevel takes a level, in quotation marks"),
    (
      #"{"sync": {"only": "daily"}}"#, 1,
      "sync.only takes a list of streams, in quotation marks each, and in brackets"
    ),
    (
      #"{"sync": {"only": ["daily", 1]}}"#, 1,
      "sync.only takes a list of streams, in quotation marks each, and in brackets"
    ),
    // Values out of range.
    (#"{"quota": {"callsPerDay": 0}}"#, 1, "quota.callsPerDay: 0 is not a whole number from 1 to 1000000"),
    (
      #"{"quota": {"callsPerDay": 1e3}}"#, 1,
      "quota.callsPerDay: that is not a whole number from 1 to 1000000"
    ),
    (
      #"{"quota": {"resetHourInKorea": 24}}"#, 1,
      "quota.resetHourInKorea: 24 is not a whole number from 0 to 23"
    ),
    ("{\"sync\":\n{\"retries\": -1}}", 2, "sync.retries: -1 is not a whole number from 0 to 10"),
    (
      #"{"sync": {"concurrentCalls": 99999999999999999999}}"#, 1,
      "sync.concurrentCalls: 99999999999999999999 is not a whole number from 1 to 16"
    ),
    (#"{"callTimeout": "0s"}"#, 1, "callTimeout: that is not a duration from 1s to 5m, such as 90s"),
    (#"{"callTimeout": "1h"}"#, 1, "callTimeout: that is not a duration from 1s to 5m, such as 90s"),
    (
      #"{"sync": {"only": ["daily", "hourly"]}}"#, 1,
      "sync.only: there is no stream 'hourly'; there are " + streams
    ),
    (
      #"{"logLevel": "loud"}"#, 1,
      "logLevel: there is no level 'loud'; it is one of trace, debug, info, notice, warning, error"
    ),
    (
      #"{"upstream": "http://example.com/rest"}"#, 1,
      "upstream: example.com: plain http is allowed to this machine only; use https"
    ),
    (
      #"{"database": "movies.db"}"#, 1,
      "database takes a path, in quotation marks, and absolute, as a file does not know where it will be read"
    ),
    (#"{"database": "/a\u0000b"}"#, 1, "database: a path has no character NUL"),
    // What is no configuration at all.
    ("{\"database\": \"/a\",\n \"database\": \"/b\"}", 2, "database is set a second time"),
    (#"{"sync": {"budget": 1}, "sync.budget": 2}"#, 1, "sync.budget is set a second time"),
    ("{\"database\": null,\n \"database\": \"/b\"}", 2, "database is set a second time"),
    (#"{"database": "/b", "database": null}"#, 1, "database is set a second time"),
    (#"{"sync": {"budget": 1}, "sync": null}"#, 1, "sync is set a second time"),
    (
      "", 1,
      "there is nothing in it; a configuration is a JSON object, if an empty one: {}, at byte 1 of the line"
    ),
    ("[]", 1, "a configuration is a JSON object, and this is another type: array, at byte 1 of the line"),
    (
      "{\n  \"logLevel\": \"info\",\n}", 3,
      "this is no JSON: a character does not belong there, at byte 1 of the line"
    ),
    ("{\"logLevel\": \"info\"", 1, "this is no JSON: it ends too early, at byte 20 of the line"),
    ("{}\n{}", 2, "this is no JSON: something follows the closing brace, at byte 1 of the line"),
    ("// settings\n{}", 1, "this is no JSON: a character does not belong there, at byte 1 of the line"),
    ("\u{FEFF}{}", 1, "this is no JSON: it begins with a byte order mark, at byte 1 of the line"),
  ]

  @Test(arguments: mistakes)
  func `its name, the line, the key and the reason are told, and nothing is done`(
    text: String, line: Int, reason: String
  ) async throws {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      let file = try write(text, at: &desk)
      try await refusesAll(desk, session, reason: "\(file):\(line): \(reason)")
    }
  }

  @Test(arguments: ["kobisApiKey", "apiKey", "api_key", "KOBIS_API_KEY", "key", "token"])
  func `an API key in it is refused with a word on where it belongs, and not repeated`(key: String)
    async throws
  {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      desk.environment["KOBIS_API_KEY"] = nil
      let file = try write(#"{"\#(key)": "canary-key-0123456789"}"#, at: &desk)
      try await refusesAll(
        desk, session,
        reason:
          "\(file):1: \(key): the API key is never in a configuration file; set KOBIS_API_KEY, or name a "
          + "file that holds it, and that only you can read, with apiKeyFile")
    }
  }

  @Test func `a reserve of all the day's calls is refused, wherever the two are set`() async throws {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      let file = try write(#"{"quota": {"callsPerDay": 100, "reservedCalls": 100}}"#, at: &desk)
      let end = ", and quota.callsPerDay 100: a sync would have no call left"
      try await refusesAll(desk, session, reason: "quota.reservedCalls is 100 (file \(file))" + end)
      desk.environment["MATINEE_QUOTA_RESERVED_CALLS"] = "2000"
      try await refusesAll(
        desk, session,
        reason: "quota.reservedCalls is 2000 (variable MATINEE_QUOTA_RESERVED_CALLS)" + end)
    }
  }

  @Test func `one that is named must be there, a regular file, not too large and not everybody's to write`()
    async throws
  {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      let fifo = desk.folder.appending(path: "fifo").path
      #expect(mkfifo(fifo, 0o600) == 0)
      let open = desk.folder.appending(path: "open.json")
      try Data("{}".utf8).write(to: open)
      try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: open.path)
      let large = desk.folder.appending(path: "large.json")
      try Data(repeating: 0x20, count: ConfigurationFile.byteCountMax + 1).write(to: large)
      let cases = [
        (desk.folder.path + "/nothing.json", "cannot be read: No such file or directory"),
        (desk.folder.path, "is no regular file"), (fifo, "is no regular file"),
        (open.path, "may be written by everybody; run: chmod o-w \(open.path)"),
        (large.path, "is larger than 65536 bytes"),
      ]
      for (path, reason) in cases {
        desk.environment["MATINEE_CONFIG"] = path
        try await refusesAll(desk, session, reason: "the configuration file \(path) \(reason)")
        desk.environment["MATINEE_CONFIG"] = nil
        let outcome = await desk.run("config", "--config", path)
        #expect(outcome.status == 78)
        #expect(outcome.errors == "matinee: the configuration file \(path) \(reason)\n")
      }
    }
  }

  @Test func `what is null is as if it were not there, a group as well as a setting`() async throws {
    try await withDesk { desk in
      desk.environment["MATINEE_CONFIG"] = nil
      let expected = await desk.run("config")
      _ = try write(#"{"database": null, "quota": null, "sync": null, "logLevel": null}"#, at: &desk)
      let outcome = await desk.run("config")
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      func rows(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { $0.contains("default") }
      }
      #expect(rows(outcome.output).count == rows(expected.output).count)
    }
  }

  @Test(.enabled("the program cannot be run as somebody else") { await UnprivilegedCommand.canRun() })
  func `a service's folder that cannot be entered is told, and a person's is not for others`() async throws {
    try await withDesk { desk in
      let folder = desk.folder.appending(path: ".config/matinee")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: "config.json").path
      try Data("{}".utf8).write(to: URL(filePath: file))
      try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: folder.path)
      defer {
        try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
      }
      #expect(try await UnprivilegedCommand.start(["config"], at: desk).finish().status == 0)
      desk.environment["XDG_CONFIG_HOME"] = desk.folder.appending(path: ".config").path
      #expect(try await UnprivilegedCommand.start(["config"], at: desk).finish().status == 0)

      desk.environment["CONFIGURATION_DIRECTORY"] = folder.path
      for arguments in [["config"], ["status"], ["sync", "--dry-run"]] {
        let refused = try await UnprivilegedCommand.start(arguments, at: desk).finish()
        #expect(refused.status == 78)
        #expect(refused.output.isEmpty)
        #expect(
          refused.errors
            == "matinee: the configuration file \(file) cannot be read: Permission denied\n")
      }
      let told = try await UnprivilegedCommand.start(["doctor", "--format", "json"], at: desk).finish()
      let diagnosis = try Diagnosis(
        Desk.Outcome(status: told.status, output: told.output, errors: told.errors))
      #expect(diagnosis.status == 78)
      #expect(diagnosis[.configurationFile].state == "problem")
      #expect(diagnosis[.configurationFile].found.contains("Permission denied"))
    }
  }

  @Test func `one at a default place may be absent, but not be wrong`() async throws {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      let folder = desk.folder.appending(path: ".config/matinee")
      #expect(await desk.run("config").status == 0)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      #expect(await desk.run("config").status == 0)
      let file = folder.appending(path: "config.json").path
      try Data("{\"databse\": 1}".utf8).write(to: URL(filePath: file))
      try await refusesAll(
        desk, session, reason: "\(file):1: there is no setting databse; the nearest is database")
      // A file that is named takes its place.
      _ = try write("{}", at: &desk)
      #expect(await desk.run("config").status == 0)
    }
  }
}

@Suite struct `When a variable of a setting is wrong` {
  @Test(arguments: [
    (
      "MATINEE_LOG_LEVEL", "LOUD",
      "there is no level 'LOUD'; it is one of trace, debug, info, notice, warning, error"
    ),
    ("MATINEE_CALL_TIMEOUT", "15", "that is not a duration from 1s to 5m, such as 90s"),
    ("MATINEE_QUOTA_CALLS_PER_DAY", "many", "that is not a whole number from 1 to 1000000"),
    ("MATINEE_QUOTA_RESERVED_CALLS", "-1", "-1 is not a whole number from 0 to 1000000"),
    ("MATINEE_QUOTA_RESET_HOUR_IN_KOREA", " 7", "that is not a whole number from 0 to 23"),
    (
      "MATINEE_SYNC_ONLY", "daily, weekly",
      "there is no stream ' weekly'; there are " + streams
    ),
    ("MATINEE_SYNC_BUDGET", "0", "0 is not a whole number from 1 to 1000000000"),
    ("MATINEE_SYNC_CONCURRENT_CALLS", "17", "17 is not a whole number from 1 to 16"),
    ("MATINEE_SYNC_EVERY", "59s", "that is not a duration from 1m to 365d, such as 90s"),
    ("MATINEE_SYNC_RETRIES", "1.5", "that is not a whole number from 0 to 10"),
    ("MATINEE_UPSTREAM", "http://169.254.169.254/", "169.254.169.254: a link-local address is refused"),
  ])
  func `it is named, no call is made and nothing written`(name: String, text: String, reason: String)
    async throws
  {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      desk.environment[name] = text
      let outcome = await desk.run("sync")
      #expect(outcome.status == 78)
      #expect(outcome.errors == "matinee: \(name): \(reason)\n")
      #expect(outcome.output.isEmpty)
      #expect(session.callCount == 0)
      #expect(!FileManager.default.fileExists(atPath: desk.database.path))
    }
  }

  @Test func `the key in its place is not repeated`() async throws {
    try await withDesk { desk in
      desk.environment["MATINEE_LOG_LEVEL"] = desk.environment["KOBIS_API_KEY"]
      let outcome = await desk.run("sync")
      #expect(outcome.status == 78)
      #expect(outcome.errors.contains("there is no level '[key]'"))
    }
  }
}

@Suite struct `When a name is mistyped` {
  private static let names =
    KnownSettings.all.map(\.key) + ["quota", "sync"]

  @Test(arguments: [
    ("databse", "database"), ("Database", "database"), ("db", "database"), ("log_level", "logLevel"),
    ("loglevl", "logLevel"), ("api-key-file", "apiKeyFile"), ("keyFile", "apiKeyFile"),
    ("timeout", "callTimeout"),
    ("qouta", "quota"), ("callsPerDay", "quota.callsPerDay"), ("quota.perDay", "quota.callsPerDay"),
    ("quota.reserve", "quota.reservedCalls"), ("quota.resetHour", "quota.resetHourInKorea"),
    ("budget", "sync.budget"), ("sync.concurrent", "sync.concurrentCalls"),
    ("retry", "sync.retries"), ("upstrem", "upstream"),
  ])
  func `the nearest there is is named`(name: String, nearest: String) {
    #expect(NearestName.nearest(to: name, in: Self.names) == nearest)
  }

  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1),
    ("abc", "xbc", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
  ])
  func `edits are counted, a swap of neighbours as one`(one: String, other: String, count: Int) {
    #expect(NearestName.editCount(Array(one), Array(other)) == count)
    #expect(NearestName.editCount(Array(other), Array(one)) == count)
  }

  @Test func `no length of a name takes long, and no names have no nearest`() {
    let long = String(repeating: "x", count: 1_000_000)
    #expect(NearestName.nearest(to: long, in: Self.names) != nil)
    #expect(NearestName.nearest(to: "database", in: []) == nil)
  }
}
