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

/// A `sync --every` under way at a desk.
private struct RunningSync {
  let output = WatchedOutput()
  let errors = WatchedOutput()
  let clock: ManualClock
  private let interruption: AsyncStream<Interruption>.Continuation
  private let command: Task<Int32, Never>

  init(_ desk: Desk, _ arguments: String...) {
    let (stream, continuation) = AsyncStream.makeStream(of: Interruption.self)
    interruption = continuation
    clock = desk.clock
    let runner = CommandRunner(
      Surroundings(
        environment: desk.environment, clock: clock, session: desk.session,
        configuration: desk.configuration, standardOutput: output, standardError: errors,
        interruptions: { stream }))
    command = Task { @concurrent in await runner.run(["sync"] + arguments) }
  }

  /// Waits until it sleeps between two runs, having announced the next for the `count`th time.
  func waitForAnnouncement(_ count: Int) async throws {
    try await errors.waitForLines(count, with: "the next sync is at")
    try await clock.waitForSleepers()
  }

  var announcements: [String] { errors.lines.filter { $0.contains("the next sync is at") } }

  func interrupt() { interruption.yield(.terminate) }

  /// Its exit status; on the way nothing is interrupted.
  var status: Int32 { get async { await command.value } }

  /// Asks it to end, and waits until it has.
  func stop() async -> Int32 {
    interrupt()
    return await command.value
  }
}

@Suite(.timeLimit(.minutes(5))) struct `When a sync is made again and again` {
  @Test func `it is made at once and at each instant, and each is told on a line`() async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      desk.clock.advance(by: .seconds(1234))
      let sync = RunningSync(desk, "--every", "1h", "--days", "1", "--only", "daily", "--format", "json")
      try await sync.waitForAnnouncement(1)
      // In naps, of a minute at the most.
      for _ in 1...39 {
        #expect(sync.clock.timeToNextSleeper.map { $0 <= RecurringSync.napMax } == true)
        sync.clock.advance(by: .seconds(60))
        try await sync.clock.waitForSleepers()
      }
      #expect(sync.output.lines.count == 1)
      #expect(sync.clock.timeToNextSleeper == .seconds(26))
      sync.clock.advance(by: .seconds(26))
      try await sync.waitForAnnouncement(2)
      sync.clock.advance(by: .seconds(3600))
      try await sync.waitForAnnouncement(3)

      #expect(await sync.stop() == 75)
      let summaries = try sync.output.lines.map { try object($0) }
      #expect(
        summaries.map { $0["startedAt"] as? String } == [
          "2019-07-15T03:20:34Z", "2019-07-15T04:00:00Z", "2019-07-15T05:00:00Z",
        ])
      #expect(summaries.allSatisfy { $0["failed"] as? Int == 0 && $0["stoppedBecause"] is NSNull })
      #expect(
        sync.announcements == [
          "matinee: the next sync is at 2019-07-15T04:00:00Z, 2019-07-15 13:00 in Korea, in 39 min",
          "matinee: the next sync is at 2019-07-15T05:00:00Z, 2019-07-15 14:00 in Korea, in 1 h",
          "matinee: the next sync is at 2019-07-15T06:00:00Z, 2019-07-15 15:00 in Korea, in 1 h",
        ])
      #expect(sync.errors.lines.last?.hasPrefix("matinee: SIGTERM: stopping; ") == true)
    }
  }

  @Test func `a setting makes it so, too, and --once or a dry run does not stay`() async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      desk.environment["MATINEE_SYNC_EVERY"] = "1d"
      let sync = RunningSync(desk, "--days", "1", "--only", "daily")
      try await sync.waitForAnnouncement(1)
      #expect(await sync.stop() == 75)
      #expect(await desk.run("sync", "--days", "1", "--only", "daily", "--once").status == 0)
      #expect(await desk.run("sync", "--days", "1", "--only", "daily", "--dry-run").status == 0)
    }
  }

  @Test func `a clock that goes to another year is told, and waited out`() async throws {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      let begin = desk.clock.wallTime
      let sync = RunningSync(desk, "--every", "1h", "--days", "1", "--only", "daily", "--format", "json")
      try await sync.waitForAnnouncement(1)
      sync.clock.setWallTime(begin.advanced(by: .seconds(-365 * 86_400)))
      sync.clock.advance(by: .seconds(60))
      try await sync.waitForAnnouncement(2)
      sync.clock.advance(by: .seconds(3540))
      try await sync.waitForAnnouncement(3)
      #expect(
        sync.errors.lines.contains { $0.contains("before the last sync in the database, at 2019-07-15") })
      #expect(session.callCount == 1)
      sync.clock.setWallTime(begin.advanced(by: .seconds(86_400 - 60)))
      sync.clock.advance(by: .seconds(60))
      try await sync.waitForAnnouncement(4)
      #expect(session.callCount == 2)
      #expect(await sync.stop() == 75)
    }
  }

  @Test func `people are told in a line, with what failed`() async throws {
    let session = ClosureSession { call in
      guard call["targetDt"] != "20190713" else { return HTTPReply(status: .serviceUnavailable, text: "") }
      return try await RepeatedWeek.reply(to: call)
    }
    try await withDesk(session: session) { desk in
      let sync = RunningSync(desk, "--every", "1d", "--days", "2", "--only", "daily")
      try await sync.waitForAnnouncement(1)
      #expect(await sync.stop() == 75)
      #expect(
        sync.output.lines.first
          == "2019-07-15T03:00:00Z  1 fetched, 0 unchanged, 0 revised, 1 failed, 0 skipped, 2 calls in less than 1 s"
      )
      #expect(sync.output.lines.last?.contains("kobis/daily-box-office/20190713  status: ") == true)
    }
  }

  @Test func `ndjson acknowledges as ever, with a summary for each`() async throws {
    try await withDesk { desk in
      let sync = RunningSync(
        desk, "--every", "1d", "--upstream", "recorded", "--only", "daily", "--format", "ndjson")
      try await sync.waitForAnnouncement(1)
      sync.clock.advance(by: .seconds(86_400))
      try await sync.waitForAnnouncement(2)
      #expect(await sync.stop() == 75)
      let lines = sync.output.lines
      #expect(lines.count { $0.hasPrefix(#"{"resource":"#) } >= 7)
      #expect(lines.count { $0.hasPrefix(#"{"summary":"#) } == 2)
      #expect(lines.last?.hasPrefix(#"{"summary":"#) == true)
      #expect(sync.errors.lines.count { $0.contains("these are recorded samples") } == 1)
    }
  }

  @Test func `one that outlasts its slot is followed at the next instant`() async throws {
    let (arrived, gate) = (LoopbackServer.Gate(), LoopbackServer.Gate())
    let session = ClosureSession { call in
      arrived.open()
      try await gate.wait()
      return try await RepeatedWeek.reply(to: call)
    }
    try await withDesk(session: session) { desk in
      let sync = RunningSync(desk, "--every", "1h", "--days", "1", "--only", "daily", "--format", "json")
      try await arrived.wait()
      sync.clock.advance(by: .seconds(9000))
      gate.open()
      try await sync.waitForAnnouncement(1)
      #expect(sync.announcements[0].contains("2019-07-15 15:00 in Korea, in 30 min"))
      #expect(await sync.stop() == 75)
      #expect(sync.output.lines.count == 1)
    }
  }

  @Test func `each run covers the days of its own time`() async throws {
    let days = LockedValue<[String]>([])
    let session = ClosureSession { call in
      days.withLock { $0.append(call["targetDt"] ?? "") }
      return try await RepeatedWeek.reply(to: call)
    }
    try await withDesk(session: session) { desk in
      let sync = RunningSync(desk, "--every", "7h", "--days", "1", "--only", "daily", "--format", "json")
      try await sync.waitForAnnouncement(1)
      sync.clock.advance(by: .seconds(16 * 3600))
      try await sync.waitForAnnouncement(2)
      #expect(await sync.stop() == 75)
      #expect(days.withLock { $0 } == ["20190714", "20190715"])
      #expect(sync.announcements.count == 2)
      #expect(sync.announcements[0].hasSuffix("2019-07-15 14:00 in Korea, in 2 h"))
      #expect(sync.announcements[1].hasSuffix("2019-07-16 07:00 in Korea, in 3 h"))
    }
  }

  @Test func `a budget is of each run`() async throws {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      let sync = RunningSync(
        desk, "--every", "1h", "--from", "2019-05-01", "--to", "2019-05-03", "--only", "daily", "--budget",
        "1",
        "--format", "json")
      for count in 1...3 {
        try await sync.waitForAnnouncement(count)
        #expect(session.callCount == count)
        sync.clock.advance(by: .seconds(3600))
      }
      try await sync.waitForAnnouncement(4)
      #expect(await sync.stop() == 75)
      let summaries = try sync.output.lines.map { try object($0) }
      #expect(
        summaries.prefix(3).map { $0["stoppedBecause"] as? String } == ["budget", "budget", nil])
      #expect(summaries.prefix(3).allSatisfy { $0["fetched"] as? Int == 1 && $0["budgetLeft"] as? Int == 0 })
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `When the clock is set between two syncs` {
  private func withSync(_ body: (RunningSync) async throws -> Void) async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      let sync = RunningSync(
        desk, "--every", "1h", "--from", "2019-07-14", "--only", "daily", "--format", "json")
      try await sync.waitForAnnouncement(1)
      try await body(sync)
      #expect(await sync.stop() == 75)
    }
  }

  @Test func `forward, it is made once, within a nap`() async throws {
    try await withSync { sync in
      sync.clock.setWallTime(dayAfterTheWeek.advanced(by: 30).startInKorea.advanced(by: .seconds(5 * 3600)))
      #expect(sync.output.lines.count == 1)
      sync.clock.advance(by: RecurringSync.napMax)
      try await sync.waitForAnnouncement(2)
      #expect(sync.output.lines.count == 2)
      #expect(sync.announcements[1].contains("2019-08-14 06:00 in Korea, in 59 min"))
    }
  }

  @Test func `back, it is made at the next instant of the new time`() async throws {
    try await withSync { sync in
      sync.clock.setWallTime(dayAfterTheWeek.startInKorea.advanced(by: .seconds(5 * 3600 - 600)))
      sync.clock.advance(by: RecurringSync.napMax)
      try await sync.waitForAnnouncement(2)
      #expect(sync.output.lines.count == 1)
      #expect(sync.announcements[1].contains("2019-07-15 05:00 in Korea, in 9 min"))
      sync.clock.advance(by: .seconds(540))
      try await sync.waitForAnnouncement(3)
      #expect(sync.output.lines.count == 2)
    }
  }

  @Test func `back by a little, the instant just served does not come again`() async throws {
    try await withSync { sync in
      sync.clock.advance(by: .seconds(3600))
      try await sync.waitForAnnouncement(2)
      sync.clock.setWallTime(sync.clock.wallTime.advanced(by: .seconds(-20)))
      for _ in 1...3 {
        sync.clock.advance(by: .seconds(60))
        try await sync.clock.waitForSleepers()
      }
      #expect(sync.output.lines.count == 2)
      #expect(sync.announcements.count == 2)
    }
  }

  @Test func `to where there are no charts yet, it is told, and made when there are`() async throws {
    try await withSync { sync in
      sync.clock.setWallTime(Timestamp(millisecondsSinceEpoch: 0))
      sync.clock.advance(by: RecurringSync.napMax)
      try await sync.waitForAnnouncement(2)
      sync.clock.advance(by: .seconds(3600))
      try await sync.waitForAnnouncement(3)
      #expect(sync.output.lines.count == 1)
      #expect(sync.errors.lines.contains { $0.contains("--from 2019-07-14 comes after the last day") })
      sync.clock.setWallTime(dayAfterTheWeek.advanced(by: 1).startInKorea.advanced(by: .seconds(12 * 3600)))
      sync.clock.advance(by: RecurringSync.napMax)
      try await sync.waitForAnnouncement(4)
      #expect(sync.output.lines.count == 2)
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `When one sync of many fails` {
  enum Trouble: String, CaseIterable {
    case refused, unavailable, quota, garbage
  }

  @Test(arguments: Trouble.allCases)
  func `the next one does better`(trouble: Trouble) async throws {
    let isInTrouble = LockedValue(true)
    let session = ClosureSession { call in
      guard isInTrouble.withLock({ $0 }) else { return try await RepeatedWeek.reply(to: call) }
      switch trouble {
      case .refused:
        throw TransportError(
          .connectionRefused, host: "kobis.or.kr", path: call.service.path, detail: "nobody")
      case .unavailable: return HTTPReply(status: .serviceUnavailable, text: "")
      case .quota: return HTTPReply(head: .init(status: .ok), body: try Fixture.body("fault-320011.json"))
      case .garbage: return HTTPReply(text: "<html>under repair</html>")
      }
    }
    try await withDesk(session: session) { desk in
      let sync = RunningSync(desk, "--every", "1d", "--days", "2", "--only", "daily", "--format", "json")
      try await sync.waitForAnnouncement(1)
      isInTrouble.withLock { $0 = false }
      sync.clock.advance(by: .seconds(86_400))
      try await sync.waitForAnnouncement(2)
      #expect(await sync.stop() == 75)
      let summaries = try sync.output.lines.map { try object($0) }
      #expect(summaries.map { $0["fetched"] as? Int } == [0, 2])
      let failures = try #require(summaries[0]["failures"] as? [[String: Any]])
      #expect(!failures.isEmpty)
    }
  }

  @Test func `another sync at work is waited for until the next instant at most by --no-wait`() async throws {
    let (arrived, gate) = (LoopbackServer.Gate(), LoopbackServer.Gate())
    let session = ClosureSession { call in
      arrived.open()
      try await gate.wait()
      return try await RepeatedWeek.reply(to: call)
    }
    try await withDesk(session: session) { desk in
      let desk = desk
      async let other = desk.run("sync", "--days", "1", "--only", "daily")
      try await arrived.wait()
      let sync = RunningSync(
        desk, "--every", "1h", "--days", "1", "--only", "daily", "--no-wait", "--format", "json")
      try await sync.waitForAnnouncement(1)
      gate.open()
      #expect(await other.status == 0)
      // The other sync slept on this clock, too: now it is the nap that sleeps.
      try await sync.clock.waitForSleepers()
      sync.clock.advance(by: .seconds(3600))
      try await sync.waitForAnnouncement(2)
      #expect(await sync.stop() == 75)
      let summaries = try sync.output.lines.map { try object($0) }
      #expect(summaries.map { $0["stoppedBecause"] as? String } == ["anotherSync", nil])
      #expect(
        sync.errors.lines.contains("matinee: another sync is at work on the database; nothing was fetched"))
    }
  }

  @Test func `a refused key ends them all, as no later one can mend it`() async throws {
    let session = ClosureSession.answering("fault-320010.json")
    try await withDesk(session: session) { desk in
      let sync = RunningSync(desk, "--every", "1h", "--format", "json")
      #expect(await sync.status == 77)
      let callCount = session.callCount
      #expect(callCount <= 4)
      #expect(sync.output.lines.count == 1)
      #expect(sync.announcements.isEmpty)
      #expect(
        sync.errors.lines.last == "matinee: no later sync can do better until that is mended; ending")
    }
  }

  @Test func `a missing key ends them before the first`() async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      desk.environment["KOBIS_API_KEY"] = nil
      #expect(await RunningSync(desk, "--every", "1h").status == 78)
      #expect(!FileManager.default.fileExists(atPath: desk.database.path))
    }
  }

  @Test func `a database that is none ends them, and is left as it is`() async throws {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      let text = Data(String(repeating: "no database, ", count: 100).utf8)
      try text.write(to: desk.database)
      let sync = RunningSync(desk, "--every", "1h")
      #expect(await sync.status == 74)
      #expect(sync.errors.lines.contains { $0.hasPrefix("matinee: the database: notADatabase: ") })
      #expect(try Data(contentsOf: desk.database) == text)
      #expect(session.callCount == 0)
    }
  }

  @Test func `a database that is spoiled between two ends them`() async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      let sync = RunningSync(desk, "--every", "1h", "--days", "1", "--only", "daily")
      try await sync.waitForAnnouncement(1)
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: desk.database.path + suffix)
      }
      try Data(repeating: 0x55, count: 4096).write(to: desk.database)
      sync.clock.advance(by: .seconds(3600))
      #expect(await sync.status == 74)
      #expect(sync.output.lines.count == 1)
    }
  }

  @Test(arguments: [("ndjson", 1), ("json", 0), ("table", 0)])
  func `a reader of what it tells that has gone ends them, with a word`(format: String, writeCount: Int)
    async throws
  {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      desk.output = CapturedOutput(failing: .closed, afterWriteCount: writeCount)
      let outcome = await desk.run(
        "sync", "--every", "1h", "--days", "3", "--only", "daily", "--format", format)
      #expect(outcome.status == 75)
      #expect(outcome.errors.contains("standard output is closed"))
      #expect(!outcome.errors.contains("the next sync"))
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `When an interval makes no sense` {
  @Test(
    arguments: [
      (["--every", "30s"], "--every must be at least 1m, not 30s"),
      (["--every", "0m"], "--every must be at least 1m, not 0s"),
      (["--every", "59s"], "--every must be at least 1m, not 59s"),
      (["--every", "1h", "--dry-run"], "--dry-run prints one plan, and has no --every"),
      (["--every", "hourly"], "The value 'hourly' is invalid for '--every <duration>'"),
      (["--every", "36526d"], "that is more than a hundred years"),
    ])
  func `it is 64 before any call`(arguments: [String], message: String) async throws {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      let outcome = await desk.run(["sync"] + arguments)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
      #expect(session.callCount == 0)
      #expect(!FileManager.default.fileExists(atPath: desk.database.path))
    }
  }
}

/// The program itself, spawned, at the end of its long life.
@Suite struct `When a repeated sync is told to end` {
  /// Both outputs in one, so that lines of stderr can be waited for.
  private func start(_ arguments: [String], _ environment: [String: String]) throws -> SpawnedCommand {
    try SpawnedCommand(
      ["-c", "exec \"$0\" \"$@\" 2>&1", SpawnedCommand.program.path, "sync", "--every", "1h"] + arguments,
      environment: environment, program: URL(filePath: "/bin/sh"))
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `between two runs, it ends at once with 75`(signal: Int32) async throws {
    try await withDesk { desk in
      let command = try start(["--upstream", "recorded", "--format", "json"], desk.environment)
      var told = ""
      while !told.contains("the next sync is at") {
        let more = await command.readLines(count: 1)
        guard !more.isEmpty else { break }
        told += more
      }
      let begin = ContinuousClock.now
      command.send(signal)
      let end = await command.finish()
      #expect(begin.duration(to: .now) < .seconds(5))
      #expect(end.status == 75, "\(told)\(end.output)")
      #expect(told.contains(#"{"fetched":22,"#))
      #expect(end.output.contains("\(signal == SIGTERM ? "SIGTERM" : "SIGINT"): stopping"))
    }
  }

  @Test func `in a run, it ends in good order with 75`() async throws {
    let (arrived, gate) = (LoopbackServer.Gate(), LoopbackServer.Gate())
    try await withServer { request, body in
      guard request.path?.contains("targetDt=20190714") == true else {
        arrived.open()
        try await gate.wait()
        return HTTPReply(status: .notFound, text: "")
      }
      return try await PathSession().send(request, body: body, limits: .default)
    } _: { server in
      try await withDesk { desk in
        desk.environment["MATINEE_UPSTREAM"] = server.origin
        let command = try start(
          ["--from", "2019-07-01", "--to", "2019-07-14", "--only", "daily", "--format", "ndjson"],
          desk.environment)
        let first = await command.readLines(count: 1)
        try await arrived.wait()
        let begin = ContinuousClock.now
        command.send(SIGTERM)
        let end = await command.finish()
        #expect(begin.duration(to: .now) < .seconds(5))
        #expect(end.status == 75)
        #expect(first.contains(#""outcome":"fetched""#))
        #expect(end.output.contains(#""stoppedBecause":"cancelled""#))
        #expect(!end.output.contains("the next sync"))
        gate.open()
      }
    }
  }
}
