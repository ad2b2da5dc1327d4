import CatalogEngine
import Foundation
import HTTPSessionTesting
import HTTPTransport
import LoopbackServer
import MatineeTesting
import Testing

@testable import MatineeCommand

@Suite struct `When a chart is shown` {
  @Test func `JSON has the contract's keys in the contract's order`() async throws {
    try await withDesk { desk in
      let outcome = await desk.run("show", "2019-07-08", "--upstream", "recorded", "--format", "json")
      #expect(outcome.status == 0)
      #expect(
        memberNames(outcome.output) == [
          "resource", "day", "through", "origin", "source", "fetchedAt", "ageSeconds", "freshness",
          "servedBecause", "lastAttemptAt", "nextAttemptAt", "revision", "entries",
          " position", " rank", " rankChange", " isNew", " movieCode", " title", " openedOn", " salesKRW",
          " salesShare", " salesChangeKRW", " salesChangePercent", " salesTotalKRW", " audience",
          " audienceChange", " audienceChangePercent", " audienceTotal", " screens", " showings",
        ])
      let expected = #"""
        {"resource":"kobis/daily-box-office/20190708","day":"2019-07-08","through":"2019-07-08","origin":"network",\#
        "source":"recorded","fetchedAt":"2019-07-15T03:00:00Z","ageSeconds":0,"freshness":"fresh",\#
        "servedBecause":null,"lastAttemptAt":"2019-07-15T03:00:00Z","nextAttemptAt":"2019-07-16T03:00:00Z",\#
        "revision":1,"entries":[{"position":1,"rank":1,"rankChange":0,"isNew":false,"movieCode":"20196309",\#
        "title":"스파이더맨: 파 프롬 홈","openedOn":"2019-07-02","salesKRW":2029335770,"salesShare":58.7,\#
        "salesChangeKRW":-6659364340,"salesChangePercent":-76.6,"salesTotalKRW":41038840880,"audience":242112,\#
        "audienceChange":-751660,"audienceChangePercent":-75.6,"audienceTotal":4764168,"screens":1890,\#
        "showings":9883},
        """#
      #expect(outcome.output.hasPrefix(expected))
      #expect(outcome.output.hasSuffix("}]}\n"))
    }
  }

  @Test func `a table lines up, and says which chart, from where, how old and how fresh`() async throws {
    try await withDesk { desk in
      let outcome = await desk.run("show", "2019-07-10", "--upstream", "recorded")
      #expect(outcome.status == 0)
      let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines[0] == "Daily box office · Wed 2019-07-10")
      #expect(lines[1] == "recorded sample · fetched just now · fresh")
      #expect(
        lines[3]
          == " #       Title                    Admissions   Change      Total  Share  Screens        Sales ₩"
      )
      #expect(
        lines[4] == " 1  –    스파이더맨: 파 프롬 홈      204,870   -17.2%  5,216,320  49.5%    1,688  1,699,560,440")
      #expect(lines[6].hasPrefix(" 3  ▲3   기방도령"))
      #expect(lines[9].hasPrefix(" 6  NEW  진범"))
      #expect(Set(lines[3...13].map(\.displayWidth)).count == 1)
      #expect(outcome.errors == "matinee: this is a recorded sample, not live data\n")
    }
  }

  @Test func `CSV has a header of the same keys and a record for each row`() async throws {
    try await withDesk { desk in
      let outcome = await desk.run("show", "--upstream", "recorded", "--format", "csv")
      let records = outcome.output.components(separatedBy: "\r\n")
      #expect(records[0] == ChartField.names.joined(separator: ","))
      #expect(records[1].hasPrefix("1,1,0,false,20196309,스파이더맨: 파 프롬 홈,2019-07-02,4247042120,47.4,"))
      #expect(records.count == 12)
      #expect(outcome.errors.contains("no day was named: showing 2019-07-14, the last one recorded"))
    }
  }

  @Test func `weeks and weekends are found by any day in them`() async throws {
    try await withDesk { desk in
      desk.environment["MATINEE_UPSTREAM"] = "recorded"
      let weekly = await desk.run("show", "2019-07-11", "--weekly")
      #expect(weekly.output.hasPrefix("Weekly box office · Mon 2019-07-08 to Sun 2019-07-14\n"))
      let weekend = await desk.run("show", "2019-07-08", "--weekend", "--format", "json")
      let json = try object(weekend.output)
      #expect(json["resource"] as? String == "kobis/weekend-box-office/20190712")
      #expect(json["day"] as? String == "2019-07-12")
      #expect(json["through"] as? String == "2019-07-14")
    }
  }

  @Test func `without a day it is yesterday's in Korea, whatever day it is elsewhere`() async throws {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      // 00:30 in Korea, when it is still the 14th in Europe and America.
      desk.clock.setWallTime(dayAfterTheWeek.startInKorea.advanced(by: .seconds(1800)))
      let json = try object(await desk.run("show", "--format", "json").output)
      #expect(json["day"] as? String == "2019-07-14")
    }
  }

  @Test func `colours are for terminals that want them`() async throws {
    try await withDesk { desk in
      desk.environment["MATINEE_UPSTREAM"] = "recorded"
      desk.outputTerminal = Terminal(columnCount: 80)
      desk.environment["TERM"] = "xterm"
      let colored = await desk.run("show", "2019-07-10").output
      #expect(colored.contains("\u{1B}[32m▲3\u{1B}[0m"))
      desk.environment["NO_COLOR"] = "1"
      let plain = await desk.run("show", "2019-07-10").output
      #expect(!plain.contains("\u{1B}"))
      #expect(plain.split(separator: "\n").allSatisfy { $0.displayWidth <= 80 })
      desk.environment["NO_COLOR"] = ""
      desk.environment["TERM"] = "dumb"
      let dumb = await desk.run("show", "2019-07-10").output
      #expect(!dumb.contains("\u{1B}"))
    }
  }

  @Test func `an empty chart is an answer, and says so`() async throws {
    try await withDesk(session: ClosureSession.answering("daily-empty.json")) { desk in
      let outcome = await desk.run("show", "2019-07-08")
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("The upstream has no rows for it (yet)."))
    }
  }

  @Test func `tied ranks come out whole, in their order`() async throws {
    try await withDesk(session: ClosureSession.answering("daily-tied-ranks.json")) { desk in
      let outcome = await desk.run("show", "2017-07-31", "--format", "json")
      let entries = try #require(try object(outcome.output)["entries"] as? [[String: Any]])
      #expect(entries.map { $0["rank"] as? Int } == [1, 2, 3, 4, 5, 6, 7, 7, 9, 10])
      #expect(entries.map { $0["position"] as? Int } == Array(1...10))
      #expect(Set(entries.map { $0["movieCode"] as? String }).count == 10)
      let again = await desk.run("show", "2017-07-31", "--format", "json", "--offline")
      let stored = try #require(try object(again.output)["entries"] as? [[String: Any]])
      #expect(stored as NSArray == entries as NSArray)
    }
  }
}

@Suite struct `When the upstream fails a reader` {
  @Test func `the chart is served from the cache, with its age and the reason`() async throws {
    let server = LoopbackHTTPServer(session: PathSession())
    try await server.start()
    try await withDesk { desk in
      desk.environment["MATINEE_UPSTREAM"] = server.origin
      #expect(await desk.run("show", "2019-07-08").status == 0)
      #expect(server.requestCount == 1)
      await server.stop()

      desk.clock.advance(by: .seconds(180))
      let fresh = await desk.run("show", "2019-07-08")
      #expect(fresh.status == 0)
      #expect(fresh.errors.isEmpty)

      let outcome = await desk.run("show", "2019-07-08", "--policy", "network-first")
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("스파이더맨: 파 프롬 홈"))
      #expect(
        outcome.errors.hasPrefix(
          "matinee: served from the cache, 3 min old: transport: connectionRefused at \(server.authority)/"))

      try await server.start()
      let refreshed = await desk.run("show", "2019-07-08", "--policy", "network-first", "--format", "json")
      await server.stop()
      let json = try object(refreshed.output)
      #expect(json["origin"] as? String == "network")
      #expect(json["servedBecause"] is NSNull)
      #expect(json["ageSeconds"] as? Int == 0)
    }
  }

  @Test func `it answers again once the server is back and the lifetime over`() async throws {
    let server = LoopbackHTTPServer(session: PathSession())
    try await server.start()
    try await withDesk { desk in
      desk.environment["MATINEE_UPSTREAM"] = server.origin
      #expect(
        await desk.run("sync", "--from", "2019-06-15", "--to", "2019-07-14", "--only", "daily").status == 0)
      #expect(server.requestCount == 30)
      await server.stop()

      // Past every window of a week-old chart: the upstream is asked, fails, and what is stored is served.
      desk.clock.advance(by: .seconds(86_400 * 20))
      let cut = try object(await desk.run("show", "2019-07-12", "--format", "json").output)
      #expect(cut["freshness"] as? String == "expired")
      #expect(cut["origin"] as? String == "cache")
      #expect((cut["servedBecause"] as? [String: Any])?["code"] as? String == "transport")
      #expect(cut["ageSeconds"] as? Int == 86_400 * 20)

      try await server.start()
      let back = try object(await desk.run("show", "2019-07-12", "--format", "json").output)
      #expect(back["origin"] as? String == "network")
      #expect(back["freshness"] as? String == "fresh")
      #expect(server.requestCount == 31)
      await server.stop()
    }
  }

  @Test func `nothing stored is 69 with the network's reason, 66 offline`() async throws {
    try await withDesk(session: ClosureSession.refusing) { desk in
      let outcome = await desk.run("show", "2019-07-08")
      #expect(outcome.status == 69)
      #expect(outcome.errors.hasPrefix("matinee: transport: connectionRefused"))
      #expect(outcome.output.isEmpty)
      #expect(await desk.run("show", "2019-07-08", "--offline").status == 66)
    }
  }

  @Test func `offline with no database makes none`() async throws {
    try await withDesk { desk in
      let outcome = await desk.run("show", "2019-07-08", "--offline")
      #expect(outcome.status == 66)
      #expect(outcome.errors.contains("notStored: nothing is stored for kobis/daily-box-office/20190708"))
      #expect(!FileManager.default.fileExists(atPath: desk.database.path))
    }
  }

  @Test func `only a greatest age refuses what is stored`() async throws {
    try await withDesk { desk in
      #expect(await desk.run("show", "2019-07-08", "--upstream", "recorded").status == 0)
      desk.session = ClosureSession.refusing
      desk.clock.advance(by: .seconds(3600))
      let outcome = await desk.run("show", "2019-07-08", "--max-age", "15m")
      #expect(outcome.status == 69)
      #expect(outcome.errors.contains("tooOld") && outcome.errors.contains("connectionRefused"))
      #expect(await desk.run("show", "2019-07-08", "--max-age", "15m", "--offline").status == 66)
      #expect(await desk.run("show", "2019-07-08", "--max-age", "2h", "--offline").status == 0)
    }
  }

  @Test func `without a key what is stored is served, and 78 is for nothing stored`() async throws {
    try await withDesk { desk in
      desk.environment["KOBIS_API_KEY"] = nil
      let nothing = await desk.run("show", "2019-07-08")
      #expect(nothing.status == 78)
      #expect(nothing.errors.contains("keyMissing"))
      #expect(await desk.run("show", "2019-07-08", "--upstream", "recorded").status == 0)
      let outcome = await desk.run("show", "2019-07-08")
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("(recorded sample): keyMissing: "))
    }
  }

  @Test func `a refresh behind the answer has happened when the command ends`() async throws {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      #expect(await desk.run("show", "2019-07-14").status == 0)
      // An hour is the lifetime of yesterday's chart; two more it is served while it is refreshed.
      desk.clock.advance(by: .seconds(2 * 3600))
      let behind = await desk.run("show", "2019-07-14", "--format", "json")
      let freshness = try object(behind.output)["freshness"] as? String
      #expect(freshness == "revalidating")
      #expect(behind.errors.contains("served from the cache, 2 h old: it is being refreshed behind"))
      #expect(session.callCount == 2)
      let next = try object(await desk.run("show", "2019-07-14", "--format", "json").output)
      #expect(next["freshness"] as? String == "fresh")
      #expect(session.callCount == 2)
    }
  }

  @Test func `a day that the upstream cannot have is shown if it is stored`() async throws {
    try await withDesk(session: ClosureSession(RepeatedWeek.reply)) { desk in
      #expect(await desk.run("show", "2019-07-01").status == 0)
      let outcome = await desk.run("show", "2019-07-01", "--upstream", "recorded")
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("kobis.or.kr"))
    }
  }

  @Test func `a clock that was set back makes nothing fresh for ever`() async throws {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      #expect(await desk.run("show", "2019-07-08").status == 0)
      desk.clock.setWallTime(desk.clock.wallTime.advanced(by: .seconds(-86_400)))
      let stored = await desk.run("show", "2019-07-08", "--offline", "--format", "json")
      let freshness = try object(stored.output)["freshness"] as? String
      #expect(freshness == "future")
      #expect(stored.errors.contains("fetched 1 d in the future: was the clock set back?"))
      #expect(await desk.run("show", "2019-07-08").status == 0)
      #expect(session.callCount == 2)
    }
  }
}

@Suite struct `When stdout fails` {
  @Test func `a reader that has gone is no error`() async throws {
    try await withDesk { desk in
      desk.output = CapturedOutput(failing: .closed)
      let outcome = await desk.run("show", "2019-07-08", "--upstream", "recorded")
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
    }
  }

  @Test func `a full disk is 74, with the system's word for it`() async throws {
    let full = open("/dev/full", O_WRONLY)
    try #require(full >= 0)
    defer { close(full) }
    try await withDesk { desk in
      let errors = CapturedOutput()
      let runner = CommandRunner(
        Surroundings(
          environment: desk.environment, clock: desk.clock, standardOutput: FileDescriptorOutput(full),
          standardError: errors))
      #expect(await runner.run(["show", "2019-07-08", "--upstream", "recorded"]) == 74)
      #expect(errors.text.contains("standard output cannot be written: No space left on device"))
    }
  }
}
