import CatalogEngine
import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import KOBIS
import LoopbackServer
import MatineeTesting
import Testing

@testable import MatineeCommand

@Suite struct `When a week is synced` {
  @Test func `ndjson acknowledges each resource, and ends with the summary`() async throws {
    try await withDesk { desk in
      let outcome = await desk.run("sync", "--upstream", "recorded", "--format", "ndjson")
      #expect(outcome.status == 0)
      let lines = outcome.output.split(separator: "\n").map(String.init)
      #expect(lines.count == 23)
      #expect(
        lines.dropLast().allSatisfy { memberNames($0) == ["resource", "outcome", "revision", "failure"] })
      #expect(lines[0].hasSuffix(#","outcome":"fetched","revision":1,"failure":null}"#))
      #expect(
        memberNames(lines[22]) == [
          "summary", " fetched", " unchanged", " revised", " failed", " skipped", " calls", " retries",
          " budgetLeft", " stoppedBecause", " startedAt", " endedAt", " failures",
        ])
      let summary = try #require(try object(lines[22])["summary"] as? [String: Any])
      #expect(summary["fetched"] as? Int == 22)
      #expect(summary["calls"] as? Int == 22)
      #expect(summary["budgetLeft"] is NSNull)
      #expect(summary["stoppedBecause"] is NSNull)
      #expect(summary["startedAt"] as? String == "2019-07-15T03:00:00Z")
      #expect(
        outcome.errors.contains(
          "these are recorded samples of KOBIS, 2019-07-08 to 2019-07-14, and no live data"))
    }
  }

  @Test func `running it again asks for nothing that is fresh`() async throws {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      #expect(await desk.run("sync", "--days", "3", "--only", "daily").status == 0)
      let outcome = await desk.run("sync", "--days", "3", "--only", "daily", "--format", "json")
      #expect(outcome.status == 0)
      let skipped = try object(outcome.output)["skipped"] as? Int
      #expect(skipped == 3)
      #expect(session.callCount == 3)
    }
  }

  @Test func `a budget stops it with what it has, and the next one goes on`() async throws {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      let first = await desk.run(
        "sync", "--days", "5", "--only", "daily", "--budget", "2", "--format", "json")
      #expect(first.status == 75)
      let summary = try object(first.output)
      #expect(summary["stoppedBecause"] as? String == "budget")
      #expect(summary["budgetLeft"] as? Int == 0)
      #expect(summary["fetched"] as? Int == 2)
      #expect(await desk.run("sync", "--days", "5", "--only", "daily").status == 0)
      #expect(session.callCount == 5)
    }
  }

  @Test func `a correction is a revision, told and kept`() async throws {
    let isCorrected = LockedValue(false)
    let session = ClosureSession { call in
      var reply = try await RepeatedWeek.reply(to: call)
      guard isCorrected.withLock({ $0 }) else { return reply }
      let text = String(decoding: reply.body, as: UTF8.self)
      reply.body = Array(text.replacing(#""scrnCnt":"1681""#, with: #""scrnCnt":"1682""#).utf8)
      return reply
    }
    try await withDesk(session: session) { desk in
      #expect(await desk.run("sync", "--days", "1", "--only", "daily").status == 0)
      isCorrected.withLock { $0 = true }
      desk.clock.advance(by: .seconds(7200))
      let outcome = await desk.run(
        "sync", "--from", "2019-07-14", "--to", "2019-07-14", "--only", "daily", "--format", "ndjson")
      #expect(
        outcome.output.hasPrefix(
          #"{"resource":"kobis/daily-box-office/20190714","outcome":"revised","revision":2,"failure":null}"#))
      let chart = try object(await desk.run("show", "2019-07-14", "--offline", "--format", "json").output)
      #expect(chart["revision"] as? Int == 2)
      #expect((chart["entries"] as? [[String: Any]])?.first?["screens"] as? Int == 1682)
    }
  }

  @Test func `a dry run asks nobody, needs no key and makes no database`() async throws {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      desk.environment["KOBIS_API_KEY"] = nil
      let table = await desk.run("sync", "--dry-run", "--days", "7")
      #expect(table.status == 0)
      #expect(
        table.output.hasPrefix("A sync of 2019-07-08 to 2019-07-14 would make 9 calls and leave 0 fresh"))
      let json = await desk.run(
        "sync", "--dry-run", "--days", "7", "--format", "json", "--only", "weekly")
      #expect(
        json.output
          == #"{"from":"2019-07-08","to":"2019-07-14","calls":1,"skipped":0,"setAside":0,"#
          + #""steps":[{"reason":"newest","calls":1}],"due":["kobis/weekly-box-office/20190708"]}"# + "\n")
      let lines = await desk.run(
        "sync", "--dry-run", "--days", "7", "--format", "ndjson", "--only", "weekend")
      #expect(lines.output == #"{"due":"kobis/weekend-box-office/20190712"}"# + "\n")
      #expect(session.callCount == 0)
      #expect(!FileManager.default.fileExists(atPath: desk.database.path))
    }
  }

  @Test func `a dry run tells what is set aside, whatever its kind`() async throws {
    try await withRecordedWeek { desk in
      let dryRun = ["sync", "--dry-run", "--days", "7", "--upstream", "recorded"]
      let until = desk.clock.wallTime.advanced(by: .seconds(3600)).millisecondsSinceEpoch
      func setAside(_ movie: String) throws {
        try desk.execute(
          """
          DELETE FROM resource WHERE kind = 'movie-details' AND key = '\(movie)';
          INSERT INTO resource (upstream, kind, key, last_attempt_at, failure_code, failure_message, failed_at,
            failure_count, set_aside_until)
          VALUES ('kobis', 'movie-details', '\(movie)', 0, 'undecodable', 'odd', 0, 1, \(until))
          """)
      }
      try setAside("20196309")
      #expect(
        await desk.run(dryRun).output
          == "A sync of 2019-07-08 to 2019-07-14 would make 0 calls and leave 9 fresh charts alone; nothing was asked.\n"
          + "One more is set aside for a while: its answer was of no use.\n")
      try setAside("20183867")
      let plan = try object(await desk.run(dryRun + ["--format", "json"]).output)
      #expect(plan["calls"] as? Int == 0 && plan["skipped"] as? Int == 9 && plan["setAside"] as? Int == 2)
      let table = await desk.run(dryRun).output
      #expect(table.contains("2 more are set aside for a while: their answers were of no use.\n"))
      let report = try object(
        await desk.run("sync", "--days", "7", "--upstream", "recorded", "--format", "json").output)
      #expect(report["calls"] as? Int == 0 && report["skipped"] as? Int == 9 + 2)
    }
  }

  @Test func `without options everything is due, newest first, back to the first day and the long lists`()
    async throws
  {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      let plan = try object(await desk.run("sync", "--dry-run", "--format", "json").output)
      #expect(plan["from"] as? String == "2003-11-11")
      #expect(plan["to"] as? String == "2019-07-14")
      let steps = try #require(plan["steps"] as? [[String: Any]])
      #expect(steps.map { $0["reason"] as? String } == ["newest", "correction", "codes", "backfill", "list"])
      let due = try #require(plan["due"] as? [String])
      #expect(due.count == plan["calls"] as? Int)
      #expect(
        due.prefix(4) == [
          "kobis/daily-box-office/20190714", "kobis/weekend-box-office/20190712",
          "kobis/weekly-box-office/20190708", "kobis/daily-box-office/20190713",
        ])
      #expect(due.contains("kobis/daily-box-office/20031111"))
      #expect(
        due.suffix(3) == ["kobis/movie-list/00001", "kobis/company-list/00001", "kobis/people-list/00001"])
      #expect(!due.contains { $0.contains("weekday") })
    }
  }

  @Test func `the summary for people has a table, and the failures with their reasons`() async throws {
    let session = ClosureSession { call in
      if call["targetDt"] == "20190713" { return HTTPReply(status: .serviceUnavailable, text: "") }
      return try await RepeatedWeek.reply(to: call)
    }
    try await withDesk(session: session) { desk in
      let outcome = await desk.run("sync", "--days", "3", "--only", "daily")
      #expect(outcome.status == 75)
      #expect(
        outcome.output.hasPrefix(
          "Fetched  Unchanged  Revised  Failed  Skipped  Calls  "
        ))
      #expect(outcome.output.contains("kobis/daily-box-office/20190713  status: "))
      #expect(outcome.errors.contains("matinee: sync done: 3 asked for, 1 failed, 0 skipped, 3 calls in "))
    }
  }

  @Test func `one that failed wholly is not told as done, and one call is one`() async throws {
    let session = ClosureSession { _ in HTTPReply(status: .serviceUnavailable, text: "") }
    try await withDesk(session: session) { desk in
      let outcome = await desk.run("sync", "--days", "1", "--only", "daily")
      #expect(outcome.status == 69)
      #expect(outcome.errors.contains("matinee: sync failed: 1 asked for, 1 failed, 0 skipped, 1 call in "))
    }
  }
}

@Suite struct `When a resource fails in a sync` {
  @Test func `its line has the failure and no revision, and the summary lists it`() async throws {
    try await withDesk(session: ClosureSession.answering("fault-320102.json")) { desk in
      let outcome = await desk.run("sync", "--days", "1", "--only", "daily", "--format", "ndjson")
      #expect(outcome.status == 69)
      let lines = outcome.output.split(separator: "\n").map(String.init)
      #expect(memberNames(lines[0]) == ["resource", "outcome", "revision", "failure", " code", " message"])
      let event = try object(lines[0])
      #expect(event["outcome"] as? String == "failed")
      #expect(event["revision"] is NSNull)
      #expect((event["failure"] as? [String: Any])?["code"] as? String == "fault")
      let summary = try #require(try object(lines[1])["summary"] as? [String: Any])
      let failures = try #require(summary["failures"] as? [[String: Any]])
      #expect(failures.map { $0["resource"] as? String } == ["kobis/daily-box-office/20190714"])
      #expect(Set(failures[0].keys) == ["resource", "code", "message"])
    }
  }
}

@Suite struct `When a sync gets nothing` {
  @Test func `an upstream that is down is 69, after few calls`() async throws {
    let session = ClosureSession { call in
      throw TransportError(
        .connectionRefused, host: "kobis.or.kr", path: call.service.path, detail: "nobody there")
    }
    try await withDesk(session: session) { desk in
      let outcome = await desk.run("sync", "--from", "2019-01-01", "--format", "json")
      #expect(outcome.status == 69)
      let stoppedBecause = try object(outcome.output)["stoppedBecause"] as? String
      #expect(stoppedBecause == "upstreamUnavailable")
      #expect(session.callCount < 20)
      #expect(outcome.errors.contains("matinee: transport: connectionRefused"))
    }
  }

  @Test func `a refused key is 77, and calls stop`() async throws {
    let session = ClosureSession.answering("fault-320010.json")
    try await withDesk(session: session) { desk in
      let outcome = await desk.run("sync", "--from", "2019-01-01", "--format", "json")
      #expect(outcome.status == 77)
      let stoppedBecause = try object(outcome.output)["stoppedBecause"] as? String
      #expect(stoppedBecause == "keyRefused")
      #expect(session.callCount <= 4)
    }
  }

  @Test func `a spent quota is 75, and calls stop`() async throws {
    let session = ClosureSession.answering("fault-320011.json")
    try await withDesk(session: session) { desk in
      let outcome = await desk.run("sync", "--from", "2019-01-01", "--format", "json")
      #expect(outcome.status == 75)
      let stoppedBecause = try object(outcome.output)["stoppedBecause"] as? String
      #expect(stoppedBecause == "quota")
      #expect(session.callCount <= 4)
    }
  }
}

@Suite struct `When calls run out` {
  @Test func `people are told from when on there are more, on Korean clocks`() async throws {
    let session = ClosureSession.answering("fault-320011.json")
    try await withDesk(session: session) { desk in
      let first = await desk.run("sync", "--days", "1", "--only", "daily")
      #expect(first.status == 75)
      let end = "are used up; run it again from 2019-07-16 00:00 in Korea on.\n"
      #expect(first.output.contains(end))
      let callCount = session.callCount
      let second = await desk.run("sync", "--days", "1", "--only", "daily")
      #expect(second.status == 75)
      #expect(second.output.contains(end))
      #expect(
        second.errors.contains("matinee: quota: kobis.or.kr is not asked before 2019-07-15T15:00:00Z: "))
      #expect(session.callCount == callCount)
    }
  }

  @Test func `a sync leaves the reserve to readers, who may still ask`() async throws {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      desk.configuration.quota = QuotaPolicy(dailyCallCountMax: 3, reservedCallCount: 1)
      let sync = await desk.run("sync", "--days", "4", "--only", "daily")
      #expect(sync.status == 75)
      #expect(session.callCount == 2)
      #expect(sync.errors.contains("the day's calls but the 1 kept for readers are used up"))
      #expect(await desk.run("show", "2019-07-01").status == 0)
      #expect(await desk.run("show", "2019-07-02").status == 69)
      #expect(session.callCount == 3)
    }
  }

  @Test func `an upstream that is down is told with the time of its next attempt`() async throws {
    try await withDesk(session: ClosureSession.refusing) { desk in
      #expect(await desk.run("sync", "--from", "2019-06-01", "--only", "daily").status == 69)
      let again = await desk.run("sync", "--from", "2019-06-01", "--only", "daily")
      #expect(again.status == 69)
      #expect(
        again.output.contains("taken to be down; run it again from 2019-07-15 12:00:30 in Korea on.\n"))
    }
  }
}

@Suite struct `When a sync is asked to stop` {
  @Test func `it ends in good order, says what it did, and exits 75`() async throws {
    let gate = LoopbackServer.Gate()
    let isFirst = LockedValue(true)
    let session = ClosureSession { call in
      if isFirst.withLock({ isFirst in
        defer { isFirst = false }
        return isFirst
      }) {
        return try await RepeatedWeek.reply(to: call)
      }
      try await gate.wait()
      return try await RepeatedWeek.reply(to: call)
    }
    let (stream, continuation) = AsyncStream.makeStream(of: Interruption.self)
    try await withDesk(session: session) { desk in
      desk.interruptions = { stream }
      desk.output = CapturedOutput(onFirstWrite: { continuation.yield(.terminate) })
      let outcome = await desk.run("sync", "--days", "7", "--format", "ndjson")
      #expect(outcome.status == 75)
      let lines = outcome.output.split(separator: "\n").map(String.init)
      let last = try #require(lines.last)
      let summary = try #require(try object(last)["summary"] as? [String: Any])
      #expect(summary["stoppedBecause"] as? String == "cancelled")
      #expect(summary["fetched"] as? Int == 1)
      #expect(
        outcome.errors.contains("SIGTERM: stopping; what is stored stays, and running it again goes on"))
      gate.open()
      desk.session = ClosureSession(RepeatedWeek.reply)
      desk.interruptions = { AsyncStream { $0.finish() } }
      desk.output = CapturedOutput()
      let status = try object(await desk.run("status", "--format", "json").output)
      #expect((status["lastRun"] as? [String: Any])?["stoppedBecause"] as? String == "cancelled")
      #expect(await desk.run("sync", "--days", "7").status == 0)
    }
  }

  @Test(arguments: ["table", "json"])
  func `a reader of the summary that has gone does not change what it comes to`(format: String) async throws {
    try await withDesk(session: ClosureSession.answering("fault-320010.json")) { desk in
      desk.output = CapturedOutput(failing: .closed)
      let refused = await desk.run("sync", "--from", "2019-01-01", "--format", format)
      #expect(refused.status == 77)
      #expect(refused.errors.contains("keyRefused"))
      desk.session = ClosureSession(RepeatedWeek.reply)
      desk.environment["MATINEE_DATABASE"] = desk.folder.appending(path: "other.db").path
      let arguments = ["sync", "--from", "2019-07-01", "--only", "daily", "--format", format]
      #expect(await desk.run(arguments + ["--budget", "2"]).status == 75)
      #expect(await desk.run(arguments).status == 0)
    }
  }

  @Test func `a listener that has gone stops it quietly, with what it has`() async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      desk.output = CapturedOutput(failing: .closed, afterWriteCount: 2)
      let outcome = await desk.run("sync", "--from", "2019-01-01", "--only", "daily", "--format", "ndjson")
      #expect(outcome.status == 75)
      #expect(outcome.output.split(separator: "\n").count == 2)
      #expect(!outcome.errors.contains("bug"))
    }
  }
}
