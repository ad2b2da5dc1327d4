import CatalogEngine
import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import KOBIS
import Testing

@testable import MatineeCommand

@Suite struct `When a movie is asked for` {
  @Test func `JSON has its details, where they come from, and its chart days, in this order`() async throws {
    try await withDesk { desk in
      desk.environment["MATINEE_UPSTREAM"] = "recorded"
      #expect(await desk.run("sync").status == 0)
      let outcome = await desk.run("movie", "20196309", "--format", "json")
      #expect(outcome.status == 0)
      #expect(
        memberNames(outcome.output) == [
          "resource", "code", "title", "titleEnglish", "titleOriginal", "runningMinutes", "productionYear",
          "openedOn", "status", "type", "nations", "genres", "directors", " name", " nameEnglish", "actors",
          " name", " nameEnglish", " role", " roleEnglish", "showTypes", "companies",
          "audits", " number", " grade", "staff", "origin", "source", "fetchedAt", "ageSeconds", "freshness",
          "servedBecause", "lastAttemptAt", "nextAttemptAt", "revision", "chartDays", " resource", " day",
          " through", " position", " rank", " rankChange", " isNew", " movieCode", " title", " openedOn",
          " salesKRW", " salesShare", " salesChangeKRW", " salesChangePercent", " salesTotalKRW", " audience",
          " audienceChange", " audienceChangePercent", " audienceTotal", " screens", " showings",
        ])
      let movie = try object(outcome.output)
      #expect(movie["resource"] as? String == "kobis/movie-details/20196309")
      #expect(movie["runningMinutes"] as? Int == 129)
      #expect(movie["origin"] as? String == "cache")
      let days = try #require(movie["chartDays"] as? [[String: Any]])
      #expect(days.count == 9)
      #expect(days[0]["resource"] as? String == "kobis/daily-box-office/20190708")
    }
  }

  @Test func `the table has a head of facts and a row for each chart`() async throws {
    try await withDesk { desk in
      desk.environment["MATINEE_UPSTREAM"] = "recorded"
      #expect(await desk.run("sync").status == 0)
      let outcome = await desk.run("movie", "20196309")
      let lines = outcome.output.split(separator: "\n").map(String.init)
      #expect(lines[0] == "스파이더맨: 파 프롬 홈 · Spider-Man: Far From Home")
      #expect(lines.contains("Runs       129 min"))
      #expect(lines.filter { $0.hasPrefix("daily ") }.count == 7)
      #expect(lines.allSatisfy { $0.displayWidth <= 100 })
    }
  }

  @Test func `CSV is the chart days alone`() async throws {
    try await withDesk { desk in
      desk.environment["MATINEE_UPSTREAM"] = "recorded"
      #expect(await desk.run("sync").status == 0)
      let records = await desk.run("movie", "20196309", "--format", "csv").output.components(
        separatedBy: "\r\n")
      #expect(records[0] == "resource,day,through," + ChartField.names.joined(separator: ","))
      #expect(
        records[1].hasPrefix("kobis/daily-box-office/20190708,2019-07-08,2019-07-08,1,1,0,false,20196309,"))
      #expect(records.count == 11)
    }
  }

  @Test func `a code that nobody knows is 66`() async throws {
    try await withDesk(session: ClosureSession.answering("movie-unknown.json")) { desk in
      let outcome = await desk.run("movie", "20199999")
      #expect(outcome.status == 66)
      #expect(outcome.errors.hasPrefix("matinee: fault: KOBIS, asked for the movie-details 20199999"))
      desk.session = nil
      #expect(await desk.run("movie", "20199999", "--upstream", "recorded").status == 66)
    }
  }

  @Test func `without details its stored chart days are shown, and the reason told`() async throws {
    try await withDesk { desk in
      #expect(await desk.run("sync", "--upstream", "recorded", "--only", "daily").status == 0)
      desk.session = ClosureSession.refusing
      let table = await desk.run("movie", "20196309")
      #expect(table.status == 0)
      #expect(table.output.hasPrefix("스파이더맨: 파 프롬 홈 (20196309)\nno details stored\n"))
      #expect(
        table.errors.hasPrefix("matinee: no details of 20196309, only its rows in stored charts: transport: ")
      )
      let movie = try object(await desk.run("movie", "20196309", "--format", "json").output)
      #expect(movie["title"] is NSNull)
      #expect(movie["actors"] as? [Int] == [])
      #expect(movie["fetchedAt"] is NSNull)
      #expect((movie["chartDays"] as? [Any])?.count == 7)
    }
  }

  @Test(arguments: [["--max-age", "1h"], ["--policy", "network-only"]])
  func `who asks for details of an age, or the upstream's alone, gets no rows in their place`(
    options: [String]
  ) async throws {
    try await withDesk { desk in
      #expect(await desk.run("sync", "--upstream", "recorded", "--only", "daily").status == 0)
      desk.session = ClosureSession.refusing
      let outcome = await desk.run(["movie", "20196309"] + options)
      #expect(outcome.status == 69)
      #expect(outcome.output.isEmpty)
      #expect(await desk.run("movie", "20196309").status == 0)
    }
  }

  @Test func `with nothing at all it is 69 for the network's sake, 78 for the key's`() async throws {
    try await withDesk(session: ClosureSession.refusing) { desk in
      #expect(await desk.run("movie", "20196309").status == 69)
      desk.environment["KOBIS_API_KEY"] = nil
      #expect(await desk.run("movie", "20196309").status == 78)
    }
  }
}
