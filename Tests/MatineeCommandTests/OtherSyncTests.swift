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

/// An upstream that answers nobody before its gate is open, and counts what it was asked for.
private final class HeldUpstream: Sendable {
  let gate = LoopbackServer.Gate()
  let arrived = LoopbackServer.Gate()
  private let counts = LockedValue<[String: Int]>([:])

  /// How often each day's chart was asked for.
  var callCounts: [String: Int] { counts.withLock { $0 } }

  @Sendable func reply(to call: KOBISCall) async throws -> HTTPReply {
    counts.withLock { $0[call["targetDt"] ?? "", default: 0] += 1 }
    arrived.open()
    try await gate.wait()
    return try await RepeatedWeek.reply(to: call)
  }
}

@Suite struct `When another sync is at work on the database` {
  private static let threeDays = ["sync", "--days", "3", "--only", "daily", "--format", "json"]
  private static let onceEach = ["20190712": 1, "20190713": 1, "20190714": 1]

  /// Runs `body` while a sync of three days waits for its answers, which come once the gate is open; in the end each
  /// day was asked for once.
  private func whileSyncing(
    _ body: (_ desk: Desk, _ upstream: HeldUpstream, _ first: Task<Desk.Outcome, Never>) async throws -> Void
  ) async throws {
    let upstream = HeldUpstream()
    try await withDesk(session: ClosureSession(upstream.reply)) { desk in
      let atWork = desk
      let first = Task { await atWork.run(Self.threeDays) }
      try await upstream.arrived.wait()
      // A clock and an output of its own: what is done to them is done to nobody else.
      var other = Desk(
        folder: desk.folder, clock: ManualClock(inKorea: dayAfterTheWeek), environment: desk.environment,
        session: desk.session, configuration: desk.configuration)
      other.output = CapturedOutput()
      try await body(other, upstream, first)
      upstream.gate.open()
      let summary = try object(await first.value.output)
      #expect(summary["fetched"] as? Int == 3)
      #expect(upstream.callCounts == Self.onceEach)
    }
  }

  @Test func `one that may not wait leaves at once with 75, says why, and asks nobody`() async throws {
    try await whileSyncing { desk, _, _ in
      let outcome = await desk.run(Self.threeDays + ["--no-wait"])
      #expect(outcome.status == 75)
      let summary = try object(outcome.output)
      #expect(summary["stoppedBecause"] as? String == "anotherSync")
      #expect(summary["calls"] as? Int == 0)
      #expect(summary["fetched"] as? Int == 0)
      #expect(
        outcome.errors.contains(
          "matinee: another sync is at work on the database; nothing was fetched: run it again later, or with "
            + "--wait\n"))
      #expect(!outcome.errors.contains("waiting"))
    }
  }

  @Test func `another waits, says so, and then fetches only what is still due`() async throws {
    try await whileSyncing { desk, upstream, first in
      let isWaiting = LoopbackServer.Gate()
      let errors = CapturedOutput(onFirstWrite: { isWaiting.open() })
      let output = CapturedOutput()
      let runner = CommandRunner(
        Surroundings(
          environment: desk.environment, clock: desk.clock, session: desk.session,
          configuration: desk.configuration, standardOutput: output, standardError: errors))
      async let status = runner.run(Self.threeDays)
      try await isWaiting.wait()
      #expect(
        errors.lines == [
          "matinee: another sync is at work on the database; waiting for it to end (--no-wait leaves instead)"
        ])
      // The poll, and the line a minute.
      try await desk.clock.waitForSleepers(count: 2)
      desk.clock.advance(by: .seconds(60))
      try await desk.clock.waitForSleepers(count: 2)
      #expect(errors.lines.last == "matinee: sync: waiting for another sync to end")

      upstream.gate.open()
      #expect(await first.value.status == 0)
      desk.clock.advance(by: .seconds(1))
      #expect(await status == 0)
      let summary = try object(output.text)
      #expect(summary["fetched"] as? Int == 0)
      #expect(summary["skipped"] as? Int == 3)
      #expect(summary["stoppedBecause"] is NSNull)
    }
  }

  @Test func `one that has waited for as long as it may leaves with 75`() async throws {
    try await whileSyncing { desk, _, _ in
      var desk = desk
      desk.configuration.syncWaitMax = .zero
      let outcome = await desk.run(Self.threeDays)
      #expect(outcome.status == 75)
      #expect(outcome.errors.contains("; waiting for it to end"))
      #expect(outcome.errors.contains("another sync has been at work on the database for less than 1 s; "))
    }
  }

  @Test func `one that waits can be stopped`() async throws {
    try await whileSyncing { desk, _, _ in
      let (stream, continuation) = AsyncStream.makeStream(of: Interruption.self)
      let errors = CapturedOutput(onFirstWrite: { continuation.yield(.terminate) })
      let output = CapturedOutput()
      let runner = CommandRunner(
        Surroundings(
          environment: desk.environment, clock: desk.clock, session: desk.session,
          configuration: desk.configuration, standardOutput: output, standardError: errors,
          interruptions: { stream }))
      #expect(await runner.run(Self.threeDays) == 75)
      let stoppedBecause = try object(output.text)["stoppedBecause"] as? String
      #expect(stoppedBecause == "cancelled")
      #expect(errors.text.contains("SIGTERM: stopping"))
    }
  }
}

@Suite struct `When two processes sync one database` {
  private static let arguments = [
    "sync", "--from", "2019-07-12", "--to", "2019-07-14", "--only", "daily", "--format", "json",
  ]

  @Test func `one leaves or waits as it is told, and each chart is asked for once`() async throws {
    let upstream = HeldUpstream()
    try await withServer { request, _ in
      guard let call = KOBISCall(request) else { return HTTPReply(status: .notFound, text: "") }
      return try await upstream.reply(to: call)
    } _: { server in
      try await withDesk { desk in
        desk.environment["MATINEE_UPSTREAM"] = server.origin
        // The first call is held while two processes start, however long they take.
        desk.environment["MATINEE_CALL_TIMEOUT"] = "5m"
        let first = try SpawnedCommand(Self.arguments, environment: desk.environment)
        try await upstream.arrived.wait()

        let leaving = try await SpawnedCommand(
          Self.arguments + ["--no-wait"], environment: desk.environment
        ).finish()
        #expect(leaving.status == 75)
        #expect(try object(leaving.output)["stoppedBecause"] as? String == "anotherSync")
        #expect(leaving.errors.contains("another sync is at work on the database; nothing was fetched"))

        // Both outputs in one, so that the line on stderr can be waited for.
        let waiting = try SpawnedCommand(
          ["-c", "exec \"$0\" \"$@\" 2>&1", SpawnedCommand.program.path] + Self.arguments,
          environment: desk.environment, program: URL(filePath: "/bin/sh"))
        #expect(await waiting.readLines(count: 1).contains("waiting for it to end"))
        upstream.gate.open()
        let done = await first.finish()
        #expect(done.status == 0, "\(done.errors)")
        #expect(try object(done.output)["fetched"] as? Int == 3)
        let waited = await waiting.finish()
        #expect(waited.status == 0, "\(waited.output)")
        let summary = try #require(waited.output.split(separator: "\n").first { $0.hasPrefix("{") })
        #expect(try object(String(summary))["skipped"] as? Int == 3)
        #expect(try object(String(summary))["calls"] as? Int == 0)
        #expect(upstream.callCounts == ["20190712": 1, "20190713": 1, "20190714": 1])
      }
    }
  }

  @Test func `one that was killed blocks nobody`() async throws {
    let upstream = HeldUpstream()
    try await withServer { request, _ in
      guard let call = KOBISCall(request) else { return HTTPReply(status: .notFound, text: "") }
      return try await upstream.reply(to: call)
    } _: { server in
      try await withDesk { desk in
        desk.environment["MATINEE_UPSTREAM"] = server.origin
        let killed = try SpawnedCommand(Self.arguments, environment: desk.environment)
        try await upstream.arrived.wait()
        killed.send(SIGKILL)
        #expect(await killed.finish().status == SIGKILL)
        upstream.gate.open()
        let next = try await SpawnedCommand(
          Self.arguments + ["--no-wait"], environment: desk.environment
        ).finish()
        #expect(next.status == 0, "\(next.errors)")
        #expect(try object(next.output)["fetched"] as? Int == 3)
      }
    }
  }
}
