import ArgumentParser
import CatalogEngine
import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import KOBIS
import MatineeTesting
import Testing

@testable import MatineeCommand

@Suite struct `When the state is asked for` {
  @Test func `JSON has its keys in this order, and what is stored`() async throws {
    let session = ClosureSession { call in
      if call["targetDt"] == "20190713" { return HTTPReply(status: .badGateway, text: "") }
      return try await RepeatedWeek.reply(to: call)
    }
    try await withDesk(session: session) { desk in
      #expect(await desk.run("sync", "--days", "3", "--only", "daily").status == 75)
      desk.clock.advance(by: .seconds(60))
      let outcome = await desk.run("status", "--format", "json")
      #expect(outcome.status == 0)
      #expect(
        memberNames(outcome.output) == [
          "database", "schemaVersion", "byteCount", "kinds", " kind", " stored", " recorded", " missing",
          " firstKey", " lastKey", " oldestFetchedAt", " newestFetchedAt", "movies", "lastAttemptAt",
          "failed",
          "failures", " resource", " code", " message", " at", " isStored", " setAsideUntil", "lastRun",
          " id", " startedAt",
          " endedAt", " planned", " fetched", " unchanged", " revised", " failed", " stoppedBecause", "runs",
          "quotas", " upstream", " day", " limit", " used", " reserved", " left", " resetsAt",
          "breakers", " upstream", " isOpen", " consecutiveFailures", " openedAt", " nextAttemptAt",
        ])
      let status = try object(outcome.output)
      let kinds = try #require(status["kinds"] as? [[String: Any]])
      #expect(kinds.map { $0["kind"] as? String } == ResourceID.Kind.allCases.map(\.rawValue))
      #expect(kinds[0]["stored"] as? Int == 2)
      #expect(kinds[0]["missing"] as? Int == 1)
      #expect(kinds[0]["firstKey"] as? String == "20190712")
      let failures = try #require(status["failures"] as? [[String: Any]])
      #expect(failures.map { $0["resource"] as? String } == ["kobis/daily-box-office/20190713"])
      #expect(failures[0]["code"] as? String == "status")
      #expect(failures[0]["isStored"] as? Bool == false)
      #expect((status["lastRun"] as? [String: Any])?["fetched"] as? Int == 2)
    }
  }

  @Test func `the table tells ages, the last run and the failures`() async throws {
    let session = ClosureSession { call in
      if call["targetDt"] == "20190713" { return HTTPReply(status: .badGateway, text: "") }
      return try await RepeatedWeek.reply(to: call)
    }
    try await withDesk(session: session) { desk in
      #expect(await desk.run("sync", "--days", "3", "--only", "daily").status == 75)
      desk.clock.advance(by: .seconds(300))
      let text = await desk.run("status").output
      #expect(text.contains("last attempt 5 min ago"))
      #expect(
        text.contains(
          "daily-box-office        2        0        1  2019-07-12  2019-07-14  5 min ago  5 min ago"))
      #expect(text.contains("Last sync 5 min ago: 2 fetched, 0 unchanged, 0 revised, 1 failed."))
      #expect(text.contains("  kobis/daily-box-office/20190713, 5 min ago, nothing stored\n    status: "))
    }
  }

  @Test func `a key that stands in the database's path is not printed`() async throws {
    try await withDesk { desk in
      desk.environment["MATINEE_DATABASE"] = desk.path("a-test-key-of-no-use.db")
      #expect(await desk.run("sync", "--upstream", "recorded").status == 0)
      for format in ["table", "json"] {
        let outcome = await desk.run("status", "--format", format)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("/[key].db"))
        #expect(!outcome.output.contains("a-test-key"))
      }
    }
  }

  @Test func `no database is no error, and none is made`() async throws {
    try await withDesk { desk in
      let outcome = await desk.run("status")
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("No sync has run yet."))
      #expect(outcome.errors.contains("nothing is stored yet: there is no database at \(desk.database.path)"))
      #expect(outcome.output.hasPrefix("Database \(desk.database.path) (not there yet)\n"))
      let status = try object(await desk.run("status", "--format", "json").output)
      #expect(status["byteCount"] is NSNull && status["schemaVersion"] is NSNull)
      #expect(!FileManager.default.fileExists(atPath: desk.database.path))
    }
  }
}

@Suite struct `When the last syncs are asked for` {
  private let runs = [
    StoreSummary.Run(id: .init(rawValue: 12), startedAt: testNoon, plannedCount: 9, fetchedCount: 4),
    StoreSummary.Run(
      id: .init(rawValue: 11), startedAt: testNoon.advanced(by: .seconds(-86_400)),
      endedAt: testNoon.advanced(by: .seconds(-86_100)), plannedCount: 2000, fetchedCount: 1500,
      revisedCount: 1, failedCount: 2, stoppedBecause: "quota"),
    StoreSummary.Run(
      id: .init(rawValue: 10), startedAt: testNoon.advanced(by: .seconds(-172_800)),
      endedAt: testNoon.advanced(by: .seconds(-172_790)), plannedCount: 3, unchangedCount: 3),
  ]

  private func presentation(_ runs: [StoreSummary.Run]?) throws -> StatusPresentation {
    let subject = ResourceID.Subject.movieDetails(try #require(MovieCode("20196309")))
    let failure = CatalogFailure(
      .undecodable, "no JSON", at: testNoon.advanced(by: .seconds(-60)),
      setAsideUntil: testNoon.advanced(by: .seconds(7 * 86_400)))
    let summary = StoreSummary(
      kinds: [], movieCount: 0, lastAttemptAt: nil,
      failures: [
        .init(
          resource: ResourceID(upstream: UpstreamID("kobis"), subject: subject), failure: failure,
          isStored: true)
      ], failureCount: 1, lastRun: runs?.first, schemaVersion: 3, byteCount: 1)
    return StatusPresentation(database: "x.db", summary: summary, now: testNoon, runs: runs)
  }

  @Test func `JSON has them under one key, which is null if they were not asked for`() throws {
    let json = try presentation(runs).json()
    let names = [
      "id", "startedAt", "endedAt", "planned", "fetched", "unchanged", "revised", "failed", "stoppedBecause",
    ].map { " \($0)" }
    let found = memberNames(json)
    let index = try #require(found.firstIndex(of: "runs"))
    #expect(Array(found[index...].prefix(names.count + 1)) == ["runs"] + names)
    let rows = try #require(try object(json)["runs"] as? [[String: Any]])
    #expect(rows.map { $0["id"] as? Int } == [12, 11, 10])
    #expect(rows[0]["endedAt"] is NSNull)
    #expect(rows[1]["stoppedBecause"] as? String == "quota")
    #expect(try object(presentation(nil).json())["runs"] is NSNull)
    #expect(try object(presentation([]).json())["runs"] as? [Int] == [])
  }

  @Test func `the table has a row for each, and says of one without an end that it has none`() throws {
    let lines = try presentation(runs).table(width: 120, style: .plain).split(separator: "\n").map(
      String.init)
    let row = try #require(lines.first { $0.hasPrefix("12 ") })
    #expect(row.contains("2019-07-15 12:00"))
    #expect(row.hasSuffix("none: running, or killed"))
    #expect(lines.contains { $0.hasPrefix("11 ") && $0.contains("5 min") && $0.hasSuffix("quota") })
    #expect(lines.contains { $0.hasPrefix("10 ") && $0.hasSuffix("done") })
    #expect(!lines.contains { $0.hasPrefix("Last sync") })
    #expect(try presentation(nil).table(width: 120, style: .plain).contains("\nNo sync has run yet."))
  }

  @Test func `a failure says until when its resource is left alone`() throws {
    let failures = try #require(try object(presentation(nil).json())["failures"] as? [[String: Any]])
    #expect(failures[0]["setAsideUntil"] as? String == "2019-07-22T03:00:00Z")
    #expect(
      try presentation(nil).table(width: 120, style: .plain).contains(
        "kobis/movie-details/20196309, 1 min ago, an answer is stored, left alone until 2019-07-22 12:00 in Korea\n"
      ))
  }

  @Test func `a number may follow, and ten is taken without one`() throws {
    func runs(_ arguments: String...) throws -> Int? { try StatusCommand.parse(arguments).runs }
    #expect(try runs() == nil)
    #expect(try runs("--runs") == 10)
    #expect(try runs("--runs", "3") == 3)
    #expect(try runs("--runs", "--format", "json") == 10)
  }

  @Test(
    arguments: [
      (.dailyBoxOffice, "20190708", "2019-07-08"),
      (.weekendBoxOffice, "korean/20190712", "korean/2019-07-12"),
      (.movieDetails, "20190708", "20190708"), (.codes, "areas", "areas"), (.peopleList, "00001", "00001"),
    ] as [(ResourceID.Kind, String, String)])
  func `keys are shown as days where they are some`(kind: ResourceID.Kind, key: String, shown: String) {
    #expect(kind.shown(key: key) == shown)
  }
}

@Suite struct `When the state tells of calls` {
  private func quota(_ desk: Desk) async throws -> [String: Any] {
    let status = try object(await desk.run("status", "--format", "json").output)
    let quotas = try #require(status["quotas"] as? [[String: Any]])
    #expect(quotas.count == 1)
    return try #require(quotas.first)
  }

  @Test func `those of the Korean day are told, exactly, and the next day has none`() async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      #expect(await desk.run("sync", "--days", "3", "--only", "daily").status == 0)
      let json = await desk.run("status", "--format", "json").output
      #expect(
        json.contains(
          #""quotas":[{"upstream":"kobis","day":"2019-07-15","limit":3000,"used":3,"reserved":200,"#
            + #""left":2997,"resetsAt":"2019-07-15T15:00:00Z"}],"breakers":[{"upstream":"kobis","#
            + #""isOpen":false,"consecutiveFailures":0,"openedAt":null,"nextAttemptAt":null}]}"#))
      let line =
        "Calls to kobis on 2019-07-15: 3 of 3,000 used, 2,997 left, 200 of them kept for readers; "
        + "anew at 2019-07-16 00:00 in Korea.\n"
      let text = await desk.run("status").output
      #expect(text.contains(line))
      #expect(!text.contains("taken to be down"))

      // One second before midnight in Korea it is still that day, and then it is the next.
      desk.clock.setWallTime(dayAfterTheWeek.advanced(by: 1).startInKorea.advanced(by: .seconds(-1)))
      #expect(try await quota(desk)["used"] as? Int == 3)
      desk.clock.advance(by: .seconds(1))
      let next = try await quota(desk)
      #expect(next["day"] as? String == "2019-07-16")
      #expect(next["used"] as? Int == 0)
      #expect(next["resetsAt"] as? String == "2019-07-16T15:00:00Z")
    }
  }

  @Test func `none are left once the upstream has said so, whatever was counted`() async throws {
    try await withDesk(session: ClosureSession.answering("fault-320011.json")) { desk in
      #expect(await desk.run("sync", "--days", "1", "--only", "daily").status == 75)
      let quota = try await quota(desk)
      #expect(quota["used"] as? Int == 3000)
      #expect(quota["reserved"] as? Int == 0)
      #expect(quota["left"] as? Int == 0)
      #expect(await desk.run("status").output.contains("3,000 of 3,000 used, none left; anew at"))
    }
  }

  @Test func `the reserve is what a sync leaves to readers`() async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      desk.configuration.quota = QuotaPolicy(dailyCallCountMax: 5, reservedCallCount: 2)
      #expect(await desk.run("sync", "--days", "7", "--only", "daily").status == 75)
      let quota = try await quota(desk)
      #expect(quota["used"] as? Int == 3)
      #expect(quota["reserved"] as? Int == 2)
      #expect(quota["left"] as? Int == 2)
    }
  }

  @Test func `samples are not rationed, nor is their upstream down`() async throws {
    try await withDesk { desk in
      desk.environment["MATINEE_UPSTREAM"] = "recorded"
      #expect(await desk.run("sync").status == 0)
      let json = await desk.run("status", "--format", "json").output
      #expect(json.hasSuffix(#","quotas":[],"breakers":[]}"# + "\n"))
      #expect(!(await desk.run("status").output.contains("Calls to")))
    }
  }
}

@Suite struct `When the state tells of an upstream that is down` {
  @Test func `it says since when, why, and when it is asked again, in Korean time for people`() async throws {
    try await withDesk(session: ClosureSession.refusing) { desk in
      desk.configuration.syncRetry = .none
      desk.configuration.breaker = BreakerPolicy(
        consecutiveFailureCountMax: 5, coolDown: .seconds(30), coolDownMax: .seconds(600))
      #expect(await desk.run("sync", "--days", "5", "--only", "daily").status == 69)
      desk.clock.advance(by: .seconds(10))
      let json = await desk.run("status", "--format", "json").output
      #expect(
        json.hasSuffix(
          #""breakers":[{"upstream":"kobis","isOpen":true,"consecutiveFailures":5,"#
            + #""openedAt":"2019-07-15T03:00:00Z","nextAttemptAt":"2019-07-15T03:00:30Z"}]}"# + "\n"))
      let head =
        "kobis is taken to be down since 2019-07-15 12:00 in Korea (10 s ago), after 5 failures in a row; "
      #expect(
        await desk.run("status").output.contains(head + "next attempt at 2019-07-15 12:00:30 in Korea.\n"))
      desk.clock.advance(by: .seconds(20))
      #expect(
        await desk.run("status").output.contains(
          head.replacing("10 s", with: "30 s") + "the next call is an attempt.\n"))
    }
  }

  @Test func `an answer ends it`() async throws {
    try await withDesk(session: ClosureSession.refusing) { desk in
      #expect(await desk.run("sync", "--from", "2019-06-01", "--only", "daily").status == 69)
      #expect(await desk.run("status").output.contains("taken to be down"))
      desk.clock.advance(by: .seconds(30))
      desk.session = ClosureSession(RepeatedWeek.reply)
      #expect(await desk.run("show", "2019-07-14").status == 0)
      #expect(!(await desk.run("status").output.contains("taken to be down")))
    }
  }
}
