import Foundation
import Testing

@testable import MatineeCommand

@Suite struct `When arguments make no sense` {
  /// Arguments, and a part of what is to be said of them.
  static let mistakes: [(arguments: [String], reason: String)] = [
    (["show", "2019-13-01"], "there is no such day; write YYYY-MM-DD, YYYYMMDD or yesterday"),
    (["show", "2019-02-29"], "there is no such day"),
    (["show", "2019-2-1"], "there is no such day"),
    (["show", "today"], "there is no such day"),
    (["show", "--format", "xml"], "The value 'xml' is invalid for '--format <format>'"),
    (["show", "--format", "ndjson"], "'ndjson'"),
    (["sync", "--format", "csv"], "'csv'"),
    (["show", "--weekend", "--weekly"], "--weekend and --weekly are two charts; name one"),
    (["show", "--policy", "cache-and-network"], "'cache-and-network'"),
    (["show", "--offline", "--policy", "network-first"], "contradicts --policy network-first"),
    (["show", "--max-age", "15"], "write a whole number and a unit, as 90s, 15m, 1h or 7d"),
    (["show", "--max-age", "-5m"], "max-age"),
    (["show", "--max-age", "99999999999d"], "more than a hundred years"),
    (["show", "--log-level", "loud"], "'loud'"),
    (["show", "--databse", "x"], "Unknown option '--databse'. Did you mean '--database'?"),
    (["show", "--confg", "x"], "Unknown option '--confg'. Did you mean '--config'?"),
    (["show", "--config", ""], "--config names no file"),
    (["show", "--database", ""], "--database names no file"),
    (["show", "2019-07-08", "2019-07-09"], "Unexpected argument '2019-07-09'"),
    (["show", "2019-07-16"], "2019-07-14"),
    (["show", "2003-11-10"], "2003-11-11"),
    (
      ["sync", "--from", "2019-07-09", "--to", "2019-07-08"], "--from 2019-07-09 comes after --to, 2019-07-08"
    ),
    (
      ["sync", "--to", "2003-11-10"],
      "2003-11-10 is no day that kobis.or.kr has charts of: those are 2003-11-11 to 2019-07-14"
    ),
    (["sync", "--from", "2019-07-16"], "--from 2019-07-16 comes after the last day, 2019-07-14"),
    (["sync", "--to", "2019-07-16"], "2019-07-16 is no day that"),
    (["sync", "--from", "2003-11-10"], "2003-11-10 is no day that"),
    (
      ["sync", "--from", "2019-07-08", "--upstream", "recorded", "--to", "2019-07-15"],
      "the recorded sample has charts of"
    ),
    (["sync", "--days", "0"], "--days must be at least 1, not 0"),
    (["sync", "--days", "3", "--from", "2019-07-08"], "--days counts back from the last day"),
    (["sync", "--days", "3", "--to", "2019-07-08"], "--days counts back from the last day"),
    (
      ["sync", "--days", "8", "--upstream", "recorded"],
      "2019-07-07 is no day that the recorded sample has charts of"
    ),
    (["sync", "--days", "many"], "'many'"),
    (["sync", "--wait", "--no-wait"], "'--no-wait' had already been set with flag '--wait'"),
    (["sync", "--every", "1h", "--once"], "--once contradicts --every; name one"),
    (["sync", "--budget", "0"], "--budget must be at least 1 call, not 0"),
    (
      ["sync", "--only", "daily,hourly"],
      "there is no stream 'hourly'; there are daily, weekly, weekend, weekdays, details, codes, movies, companies, people"
    ),
    (["sync", "--only", ""], "there is no stream ''"),
    (["movie"], "Missing expected argument '<code>'"),
    (["movie", "../../etc/passwd"], "letters and digits"),
    (["movie", "20196309;DROP"], "letters and digits"),
    (["serve"], "there is no subcommand 'serve'; the nearest is '"),
    (["synk"], "there is no subcommand 'synk'; the nearest is 'sync'"),
    (["synk", "--help"], "there is no subcommand 'synk'; the nearest is 'sync'"),
    (["--help", "synk"], "there is no subcommand 'synk'"),
    (["--database", "sync", "synk", "-h"], "there is no subcommand 'synk'"),
    (["--database=sync", "synk", "--version"], "there is no subcommand 'synk'"),
    (["help", "satus"], "there is no subcommand 'satus'; the nearest is 'status'"),
    (["hlep"], "there is no subcommand 'hlep'; the nearest is 'help'"),
    (["help", "sync", "nope"], "help is of one subcommand, and 'nope' is one word too many"),
    (["sync", "--budget", "5000000000"], "--budget: "), (["sync", "--every", "400d"], "--every: "),
    (["status", "--upstream", "ftp://x"], "--upstream: "),
    (["export", "--list", "--force"], "--list exports nothing"),
    (["show", "--weekend", "--weekdays"], "--weekend and --weekdays are two charts; name one"),
    (["show", "--filter", "indie"], "there is no filter 'indie'; there are korean, foreign, diversity,"),
    (["show", "--filter", ""], "there is no filter ''"),
    (["show", "--filter", "korean+"], "there is no filter ''"),
    (["show", "--filter", "area-"], "there is no filter 'area-'"),
    (["show", "--filter", "korean+foreign"], "'foreign' cannot be joined with 'korean'; name one"),
    (["show", "--filter", "diversity+korean+diversity"], "cannot be joined with 'korean+diversity'"),
    (["movie", "20196309", "--offline", "--policy", "network-only"], "contradicts --policy network-only"),
    (["person"], "Missing expected argument '<code>'"),
    (["person", "강동원"], "a code is 1 to 20 letters and digits, as 20112313"),
    (["company", "2012-2353"], "a code is 1 to 20 letters and digits, as 20122353"),
    (["list", "films"], "there is no such list; there are movies, people, companies, codes"),
    (["list", "--pages", "3"], "Unknown option '--pages'. Did you mean '--page'?"),
    (["list", "--page", "0"], "--page must be 1 to 1000000, not 0"),
    (["list", "--page-size", "1001"], "--page-size must be 1 to 1000, not 1001"),
    (["list", "--page-size", "0"], "--page-size must be 1 to 1000, not 0"),
    (["list", "movies", "--of", "areas"], "--of names a list of codes, and goes with 'list codes' alone"),
    (["list", "codes", "--of", "genres"], "there is no list of codes 'genres'; there are areas, nations,"),
    (["list", "codes", "--gone"], "codes have none"),
    (
      ["changes", "--since", "monday"], "there is no such day; write YYYY-MM-DD, YYYYMMDD or yesterday, or a"
    ),
    (["changes", "--since", "7"], "there is no such day"),
    (["changes", "--since", "2019-07-16"], "--since names a time that has not come yet"),
    (["changes", "--after", "-1"], "after"),
    (
      ["changes", "--kind", "appeared,gone"], "there is no kind 'gone'; there are appeared, moved, corrected,"
    ),
    (["changes", "--limit", "0"], "--limit must be 1 to 10000, not 0"),
    (["changes", "--limit", "10001"], "--limit must be 1 to 10000, not 10001"),
    (["status", "--runs", "0"], "--runs must be 1 to 1000, not 0"),
    (["status", "--runs", "many"], "'many'"),
    (["status", "--format", "csv"], "'csv'"),
  ]

  @Test(arguments: mistakes)
  func `each is named, costs nothing and exits 64`(arguments: [String], reason: String) async throws {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      let outcome = await desk.run(arguments)
      #expect(outcome.status == 64)
      #expect(outcome.errors.hasPrefix("matinee: "))
      #expect(outcome.errors.contains(reason))
      #expect(outcome.output.isEmpty)
      #expect(session.callCount == 0)
      #expect(!FileManager.default.fileExists(atPath: desk.database.path))
    }
  }

  @Test func `a terminal too narrow for a help text gets it all the same`() async throws {
    try await withDesk { desk in
      desk.outputTerminal = Terminal(columnCount: 20)
      for arguments in [["help"], ["sync", "--help"]] {
        let outcome = await desk.run(arguments)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("USAGE:"))
      }
    }
  }

  @Test func `a mistake with control characters cannot steer the terminal`() async throws {
    try await withDesk { desk in
      let outcome = await desk.run("show", "\u{1B}[2J\r2019")
      #expect(outcome.status == 64)
      #expect(!outcome.errors.contains("\u{1B}"))
      #expect(!outcome.errors.contains("\r"))
    }
  }
}

@Suite struct `When arguments are read` {
  @Test(arguments: [("90s", 90), ("15m", 900), ("1h", 3600), ("7d", 604_800), ("0s", 0)])
  func `a duration is a number and a unit`(text: String, seconds: Int) throws {
    #expect(try Duration.parsed(text) == .seconds(seconds))
  }

  @Test(arguments: ["", "s", "1", "1.5h", "+1h", "1w", "1 h", "١h", "h1"])
  func `anything else is no duration`(text: String) {
    #expect(throws: (any Error).self) { try Duration.parsed(text) }
  }

  @Test func `options of all subcommands may stand before the subcommand or behind it`() async throws {
    try await withDesk { desk in
      for arguments in [
        ["--upstream", "recorded", "show", "2019-07-08", "--format", "csv"],
        ["show", "2019-07-08", "--format", "csv", "--upstream", "recorded"],
      ] {
        let outcome = await desk.run(arguments)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("20196309"))
      }
    }
  }

  @Test func `the version is one line`() async throws {
    try await withDesk { desk in
      let outcome = await desk.run("--version")
      #expect(outcome.status == 0)
      #expect(outcome.output == "matinee 0.1.0\n")
      #expect(outcome.errors.isEmpty)
    }
  }
}
