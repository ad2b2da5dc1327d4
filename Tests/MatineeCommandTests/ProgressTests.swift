import CatalogEngine
import Foundation
import HTTPSessionTesting
import HTTPTransport
import LoopbackServer
import MatineeTesting
import Testing

@testable import MatineeCommand

@Suite struct `When progress is told` {
  @Test func `it is a line a minute where there is no terminal`() async throws {
    let (arrived, gate) = (LoopbackServer.Gate(), LoopbackServer.Gate())
    let session = ClosureSession { call in
      arrived.open()
      try await gate.wait()
      return try await RepeatedWeek.reply(to: call)
    }
    try await withDesk(session: session) { desk in
      let (errors, clock) = (CapturedOutput(), desk.clock)
      let runner = CommandRunner(
        Surroundings(
          environment: desk.environment, clock: clock, session: session, standardOutput: desk.output,
          standardError: errors))
      async let status = runner.run(["sync", "--days", "2", "--only", "daily"])
      // The sync has begun, and not only what tells of it.
      try await arrived.wait()
      for _ in 1...2 {
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(60))
      }
      try await clock.waitForSleepers()
      gate.open()
      #expect(await status == 0)
      #expect(
        errors.lines == [
          "matinee: sync: waiting for the first answer", "matinee: sync: waiting for the first answer",
          "matinee: sync done: 2 asked for, 0 failed, 0 skipped, 2 calls in 2 min",
        ])
    }
  }

  @Test func `it is a bar on a terminal, gone at the end, and never wider than the terminal`() async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      desk.errorTerminal = Terminal(columnCount: 60)
      let outcome = await desk.run("sync", "--days", "3", "--only", "daily")
      #expect(outcome.errors.contains("[#"))
      #expect(outcome.errors.contains(" of 3, "))
      #expect(outcome.output.hasPrefix("Fetched") && !outcome.output.contains("["))
      let drawn = outcome.errors.components(separatedBy: CharacterSet(charactersIn: "\r\n"))
      #expect(
        drawn.allSatisfy { $0.replacing("\u{1B}[K", with: "").displayWidth < 60 || $0.contains("sync done") })
      #expect(
        outcome.errors.contains("\r\u{1B}[Kmatinee: sync done")
          || outcome.errors.contains("\r\u{1B}[K\u{1B}[Kmatinee"))
      #expect(outcome.output.hasPrefix("Fetched"))
    }
  }

  @Test func `a terminal that cannot take a line back gets lines`() async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      desk.errorTerminal = Terminal(columnCount: 60)
      desk.environment["TERM"] = "dumb"
      let outcome = await desk.run("sync", "--days", "3", "--only", "daily")
      #expect(
        outcome.errors == "matinee: sync done: 3 asked for, 0 failed, 0 skipped, 3 calls in less than 1 s\n")
    }
  }
}

@Suite struct `When a sync goes on for a while` {
  private let clock = ManualClock(inKorea: dayAfterTheWeek)
  private let output = CapturedOutput()
  private let resource = ResourceID(
    upstream: UpstreamID("kobis"), subject: .boxOffice(.daily(CalendarDay(daysSinceEpoch: 18_085))))

  private func meter(_ columnCount: Int?, budget: Int? = nil) -> ProgressMeter {
    ProgressMeter(
      errors: ErrorStream(output), terminal: columnCount.map { Terminal(columnCount: $0) }, clock: clock,
      callBudget: budget)
  }

  private func event(_ doneCount: Int, of dueCount: Int, failed: Bool = false, calls: Int? = nil) -> SyncEvent
  {
    SyncEvent(
      resource: resource, outcome: failed ? .failed : .fetched, doneCount: doneCount, dueCount: dueCount,
      callCount: calls ?? doneCount)
  }

  /// What stands in the line of progress after the last drawing.
  private var line: String {
    String(output.text.split(separator: "\r").last?.replacing("\u{1B}[K", with: "") ?? "")
  }

  /// Tells of so many answers, one every half second.
  private func go(_ meter: ProgressMeter, to doneCount: Int, of dueCount: Int) {
    meter.tell(.planned(.newest, count: dueCount))
    for done in 1...doneCount {
      clock.advance(by: .milliseconds(500))
      meter.tell(event(done, of: dueCount))
    }
  }

  @Test func `nothing is said of rate and time before there is something to go by`() {
    let meter = meter(100)
    go(meter, to: 4, of: 1461)
    #expect(line == "[\(String(repeating: ".", count: 40))] 4 of 1,461, 4 calls")
    clock.advance(by: .milliseconds(1000))
    meter.tell(event(6, of: 1461))
    #expect(line.hasSuffix("] 6 of 1,461, 12 min left, 6 calls, 2.0 a second"))
  }

  @Test func `the rate is that of the last minute`() {
    let meter = meter(100)
    go(meter, to: 100, of: 400)
    #expect(line.hasSuffix("100 of 400, 2 min left, 100 calls, 2.0 a second"))
    for done in 101...112 {
      clock.advance(by: .seconds(10))
      meter.tell(event(done, of: 400))
    }
    #expect(line.hasSuffix("112 of 400, 48 min left, 112 calls, 6 a minute"))
  }

  @Test func `calls are told of what the budget or the day has, whichever is less, and end the estimate`() {
    let meter = meter(100, budget: 60)
    meter.allow(callsLeft: 2800)
    go(meter, to: 20, of: 1461)
    #expect(line.hasSuffix("20 of 1,461, 20 s left, 20 of 60 calls, 2.0 a second"))
    meter.allow(callsLeft: 10)
    clock.advance(by: .milliseconds(500))
    meter.tell(event(21, of: 1461))
    #expect(line.hasSuffix("21 of 1,461, 4 s left, 21 of 30 calls, 2.0 a second"))
    meter.allow(callsLeft: nil)
    clock.advance(by: .milliseconds(500))
    meter.tell(event(22, of: 1461))
    #expect(line.hasSuffix("19 s left, 22 of 60 calls, 2.0 a second"))
  }

  @Test(
    arguments: [
      (100, "[########################################] 500 of 500, 1 failed, 501 calls, 2.0 a second"),
      (60, "[###########] 500 of 500, 1 failed, 501 calls, 2.0 a second"),
      (45, "[##########] 500 of 500, 1 failed, 501 calls"), (30, "[################] 500 of 500"),
      (20, "500 of 500"), (9, "500 of…"),
    ])
  func `a narrow terminal gets the most important figures`(columnCount: Int, expected: String) {
    let meter = meter(columnCount)
    go(meter, to: 499, of: 500)
    clock.advance(by: .milliseconds(500))
    meter.tell(event(500, of: 500, failed: true, calls: 501))
    #expect(line == expected)
    #expect(line.displayWidth < columnCount)
  }

  @Test func `a clock that is set back makes the rate unknown, and no nonsense`() {
    let meter = meter(100)
    go(meter, to: 20, of: 400)
    clock.setWallTime(clock.wallTime.advanced(by: .seconds(-3600)))
    meter.tell(event(21, of: 400))
    #expect(line.hasSuffix("] 21 of 400, 21 calls"))
  }

  @Test func `many samples are not kept`() {
    var pace = SyncPace()
    pace.begin(at: testNoon)
    for done in 1...10_000 { pace.count(done, at: testNoon.advanced(by: .milliseconds(done * 100))) }
    #expect(pace.sampleCount <= 62)
    #expect(pace.rate(at: testNoon.advanced(by: .seconds(1000))) == "10.0 a second")
    #expect(pace.timeLeft(for: 600, at: testNoon.advanced(by: .seconds(1000))) == .seconds(60))
    #expect(pace.timeLeft(for: 0, at: testNoon.advanced(by: .seconds(1000))) == nil)
  }
}
