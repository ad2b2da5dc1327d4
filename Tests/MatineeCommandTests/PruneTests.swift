import CatalogEngine
import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import LoopbackServer
import MatineeTesting
import SQLiteBinding
import Testing

@testable import MatineeCommand

extension Desk {
  /// Adds charts of the days before the recorded week, each with the ten rows of a recorded day.
  func addCharts(count: Int) throws {
    try execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO resource (upstream, kind, key, first_day, source, fetched_at, revision)
      SELECT 'kobis', 'daily-box-office', strftime('%Y%m%d', '2019-07-08', '-' || i || ' days'),
        CAST(strftime('%Y%m%d', '2019-07-08', '-' || i || ' days') AS INTEGER), 'kobis.or.kr', 1560000000000, 1 FROM n;
      INSERT INTO chart_entry
      SELECT resource.resource_id, row.position, row.rank, row.rank_change, row.is_new, row.movie_code, row.title,
        row.opened_on, row.sales_krw, row.sales_share_percent, row.sales_change_krw, row.sales_change_percent,
        row.sales_total_krw, row.audience, row.audience_change, row.audience_change_percent, row.audience_total,
        row.screens, row.showings
      FROM resource, chart_entry AS row JOIN resource AS recorded ON recorded.resource_id = row.resource_id
      WHERE resource.source = 'kobis.or.kr' AND recorded.kind = 'daily-box-office' AND recorded.key = '20190713'
      """)
  }

  /// A number out of the database, as it is now.
  func number(_ sql: String) throws -> Int {
    let connection = try Connection(location: .file(path("matinee.db")), mode: .readOnly)
    return try connection.firstValue(sql) { row throws(SQLiteError) in try row.int(at: 0) } ?? -1
  }

  /// Checks that the database is sound and that every chart is there with all of its rows.
  func checkCharts() throws {
    let connection = try Connection(location: .file(path("matinee.db")), mode: .readOnly)
    #expect(try connection.integrityCheck() == [])
    #expect(try connection.foreignKeyViolations(limit: 1) == [])
    #expect(
      try number(
        """
        SELECT count(*) FROM resource WHERE kind LIKE '%box-office' AND fetched_at IS NOT NULL
          AND (SELECT count(*) FROM chart_entry WHERE chart_entry.resource_id = resource.resource_id) <> 10
        """) == 0)
  }
}

@Suite struct `When the database is pruned by the command` {
  @Test func `what charts refer to stays, and charts stay unless they are named`() async throws {
    try await withRecordedWeek { desk in
      desk.clock.advance(by: .seconds(400 * 86_400))
      let before = try fingerprint(of: desk.path("matinee.db"))
      let outcome = await desk.run("prune", "--keep", "90d", "--format", "json")
      #expect(outcome.status == 0)
      #expect(
        memberNames(outcome.output) == [
          "before", "chartsBefore", "dryRun", "removed", " charts", " details", " attempts", " runs",
          "isComplete",
          "byteCount", "freeByteCount",
        ])
      let report = try object(outcome.output)
      #expect(report["removed"] as? [String: Int] == ["charts": 0, "details": 0, "attempts": 0, "runs": 0])
      #expect(report["chartsBefore"] is NSNull)
      #expect(report["isComplete"] as? Bool == true)
      #expect(
        report["before"] as? String == desk.clock.wallTime.advanced(by: .seconds(-90 * 86_400)).description)
      #expect(try fingerprint(of: desk.path("matinee.db")) == before)
    }
  }

  @Test func `a dry run says what would go, and it goes only then`() async throws {
    try await withRecordedWeek { desk in
      desk.clock.advance(by: .seconds(400 * 86_400))
      let before = try fingerprint(of: desk.path("matinee.db"))
      let foreseen = await desk.run("prune", "--keep", "90d", "--charts", "--dry-run", "--format", "json")
      #expect(foreseen.status == 0)
      let removed = ["charts": 9, "details": 13, "attempts": 0, "runs": 0]
      #expect(try object(foreseen.output)["removed"] as? [String: Int] == removed)
      #expect(try object(foreseen.output)["dryRun"] as? Bool == true)
      #expect(try fingerprint(of: desk.path("matinee.db")) == before)
      let table = await desk.run("prune", "--keep", "90d", "--charts", "--dry-run")
      #expect(table.output.hasPrefix("Would be removed, of before 2020-05-20 12:00 in Korea\n"))

      let outcome = await desk.run("prune", "--keep", "90d", "--charts", "--format", "json")
      #expect(outcome.status == 0)
      let report = try object(outcome.output)
      #expect(report["removed"] as? [String: Int] == removed)
      #expect(report["chartsBefore"] as? String == "2020-05-20")
      #expect(try desk.number("SELECT count(*) FROM resource") == 0)
      #expect(try desk.number("SELECT count(*) FROM chart_entry") == 0)
      #expect(try desk.number("SELECT count(*) FROM movie_actor") == 0)
      #expect(try desk.number("SELECT count(*) FROM sync_run") == 1)
      #expect(await desk.run("show", "2019-07-13", "--offline").status == 66)
    }
  }

  @Test func `the file shrinks only with --vacuum`() async throws {
    try await withRecordedWeek { desk in
      try desk.addCharts(count: 1_000)
      #expect(await desk.run("status").status == 0)
      desk.clock.advance(by: .seconds(400 * 86_400))
      let outcome = await desk.run("prune", "--keep", "90d", "--charts", "--format", "json")
      let report = try object(outcome.output)
      #expect((report["removed"] as? [String: Int])?["charts"] == 1_009)
      let byteCount = try #require(report["byteCount"] as? Int)
      let freeByteCount = try #require(report["freeByteCount"] as? Int)
      #expect(freeByteCount > 1_000_000 && freeByteCount < byteCount)
      func size() throws -> Int { try Data(contentsOf: desk.database).count }
      #expect(try size() == byteCount)

      let rewritten = await desk.run("prune", "--keep", "90d", "--vacuum")
      #expect(rewritten.status == 0)
      #expect(rewritten.output.contains("The database takes \(Int64(try size()).byteCountShown)."))
      #expect(try size() <= byteCount - freeByteCount)
      #expect(try Data(contentsOf: URL(filePath: desk.path("matinee.db-wal"))).isEmpty)
      try desk.checkCharts()
    }
  }

  @Test(
    arguments: [
      ([], "keep"), (["--keep", "23h"], "--keep must be at least 1d, not 82800s"),
      (["--keep", "0d"], "at least 1d"), (["--keep", "soon"], "write a whole number and a unit"),
      (["--keep", "9d", "--dry-run", "--vacuum"], "--dry-run removes nothing"),
    ])
  func `arguments that make no sense are 64`(arguments: [String], message: String) async throws {
    try await withRecordedWeek { desk in
      let before = try fingerprint(of: desk.path("matinee.db"))
      let outcome = await desk.run(["prune"] + arguments)
      #expect(outcome.status == 64)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.contains(message))
      #expect(try fingerprint(of: desk.path("matinee.db")) == before)
    }
  }

  @Test func `without a database there is nothing to remove, and none is made`() async throws {
    try await withDesk { desk in
      let outcome = await desk.run("prune", "--keep", "1d", "--format", "json")
      #expect(outcome.status == 66)
      #expect(outcome.errors.contains("there is no database at \(desk.path("matinee.db"))"))
      #expect(outcome.output.isEmpty)
      #expect(await desk.run("prune", "--keep", "1d", "--dry-run").status == 66)
      #expect(desk.names.isEmpty)
    }
  }

  @Test func `a database of a newer version is 74, and left as it is`() async throws {
    try await withDesk { desk in
      try desk.execute(
        "PRAGMA application_id = \(0x4D54_4E45); PRAGMA user_version = 9999; CREATE TABLE t (x)")
      let outcome = await desk.run("prune", "--keep", "1d", "--charts")
      #expect(outcome.status == 74)
      #expect(outcome.errors.hasPrefix("matinee: the database: newer: "))
    }
  }
}

@Suite struct `When a prune is ended from outside` {
  static let seed: UInt64 = 0x5072_756E_6521_2121
  static let killCount = 10
  static let arguments = ["prune", "--keep", "1d", "--charts", "--format", "json"]

  @Test func `SIGTERM ends it after the transaction under way, and says what was done`() async throws {
    try await untilCaughtAtWork {
      try await withRecordedWeek { desk in
        try desk.addCharts(count: 5_000)
        let countOfCharts = "SELECT count(*) FROM resource WHERE kind LIKE '%box-office'"
        let before = try desk.number(countOfCharts)
        let command = try SpawnedCommand(Self.arguments, environment: desk.environment)
        try await command.send(SIGTERM) { try desk.number(countOfCharts) < before }
        let end = await command.finish()
        guard end.status != 0 else { return false }
        #expect(end.status == 75)
        #expect(end.errors.contains("SIGTERM: stopping; what was removed is gone"))
        let report = try object(end.output)
        #expect(report["isComplete"] as? Bool == false)
        let removed = try #require((report["removed"] as? [String: Int])?["charts"])
        let left = try desk.number(countOfCharts)
        #expect(removed > 0 && left > 0)
        #expect(removed + left == before)
        try desk.checkCharts()
        return true
      }
    }
  }

  @Test func `killed at random moments, every chart is whole or gone, and running it again completes`()
    async throws
  {
    try await withRecordedWeek { desk in
      try desk.addCharts(count: 5_000)
      var moments = RandomMoments(seed: Self.seed)
      var left = try desk.number("SELECT count(*) FROM resource")
      for _ in 0..<Self.killCount {
        let command = try SpawnedCommand(Self.arguments, environment: desk.environment)
        try await Task.sleep(for: .milliseconds(30 + moments.next(below: 100)))
        command.send(SIGKILL)
        _ = await command.finish()
        try desk.checkCharts()
        let now = try desk.number("SELECT count(*) FROM resource")
        #expect(now <= left)
        left = now
      }
      let end = try await SpawnedCommand(Self.arguments, environment: desk.environment).finish()
      #expect(end.status == 0, "\(end.errors)")
      #expect(try desk.number("SELECT count(*) FROM resource WHERE kind LIKE '%box-office'") == 0)
      try desk.checkCharts()
    }
  }

  @Test func `a sync at work in another process loses nothing of what it fetches`() async throws {
    let calls = LockedValue<[String: Int]>([:])
    try await withServer { request, body in
      calls.withLock { $0[request.path ?? "", default: 0] += 1 }
      return try await PathSession().send(request, body: body, limits: .default)
    } _: { server in
      try await withRecordedWeek { desk in
        try desk.addCharts(count: 2_000)
        desk.environment["MATINEE_UPSTREAM"] = server.origin
        // Days that the prune leaves alone, by the clock of this machine, and that the database does not have.
        let yesterday = CalendarDay(inKoreaAt: SystemClock().wallTime).advanced(by: -1)
        let sync = try SpawnedCommand(
          [
            "sync", "--from", yesterday.advanced(by: -89).description, "--to", yesterday.description,
            "--only", "daily", "--trust-clock", "--format", "json",
          ], environment: desk.environment)
        let prune = try SpawnedCommand(
          ["prune", "--keep", "365d", "--charts", "--format", "json"], environment: desk.environment)
        let (synced, pruned) = await (sync.finish(), prune.finish())
        #expect(synced.status == 0, "\(synced.errors)")
        #expect(pruned.status == 0, "\(pruned.errors)")
        #expect(try object(synced.output)["fetched"] as? Int == 90)
        #expect((try object(pruned.output)["removed"] as? [String: Int])?["charts"] == 2_009)
        #expect(calls.withLock { $0.values.allSatisfy { $0 == 1 } && $0.count == 90 })
        #expect(try desk.number("SELECT count(*) FROM resource WHERE kind = 'daily-box-office'") == 90)
        try desk.checkCharts()
      }
    }
  }
}
