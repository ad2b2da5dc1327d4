import CatalogEngine
import Foundation
import HTTPSessionTesting
import KOBIS
import MatineeTesting
import Testing

@testable import MatineeCommand

/// The subcommands that read more than charts, over a working upstream and a real file.
@Suite struct `When the upstream has people, companies and lists` {
  /// Runs `body` at a desk whose upstream works; its figures are those of the desk's clock.
  private func withUpstream(
    _ body: (inout Desk, KOBISSimulator) async throws -> Void
  ) async throws {
    try await withDesk { desk in
      let clock = desk.clock
      let upstream = KOBISSimulator { clock.wallTime }
      desk.session = upstream
      try await body(&desk, upstream)
    }
  }

  private func rows(_ outcome: Desk.Outcome, _ key: String = "rows") throws -> [[String: Any]] {
    #expect(outcome.status == 0)
    return try #require(try object(outcome.output)[key] as? [[String: Any]])
  }

  @Test func `a person is fetched, kept, and shown without the network`() async throws {
    try await withUpstream { desk, upstream in
      let listed = try #require(upstream.peoplePage(1).rows.first)
      let details = try #require(upstream.details(of: listed.code))
      let person = try object(await desk.run("person", listed.code.text, "--format", "json").output)
      #expect(person["name"] as? String == details.name)
      #expect(person["origin"] as? String == "network")
      #expect((person["filmography"] as? [Any])?.count == details.filmography.count)
      desk.session = ClosureSession.refusing
      let offline = await desk.run("person", listed.code.text, "--offline", "--format", "csv")
      #expect(offline.status == 0 && offline.errors.isEmpty)
      #expect(offline.output.components(separatedBy: "\r\n").count == details.filmography.count + 2)
      let refused = await desk.run("person", listed.code.text, "--policy", "network-first")
      #expect(refused.status == 0)
      #expect(refused.errors.hasPrefix("matinee: served from the cache, less than 1 s old: transport: "))
      #expect(await desk.run("person", listed.code.text, "--policy", "network-only").status == 69)
      desk.clock.advance(by: .seconds(7200))
      #expect(await desk.run("person", listed.code.text, "--offline", "--max-age", "1h").status == 66)
    }
  }

  @Test func `a company is shown with its movies`() async throws {
    try await withUpstream { desk, upstream in
      let listed = try #require(upstream.companyPage(1).rows.first)
      let outcome = await desk.run("company", listed.code.text)
      #expect(outcome.status == 0)
      #expect(outcome.output.hasPrefix(listed.name))
      #expect(outcome.output.contains("kobis.or.kr · fetched just now · fresh"))
    }
  }

  @Test(arguments: ["person", "company", "movie"])
  func `a code that nobody has is 66, and so is one that is not stored`(subcommand: String) async throws {
    try await withUpstream { desk, _ in
      let unknown = await desk.run(subcommand, "99999999")
      #expect(unknown.status == 66)
      #expect(unknown.errors.hasPrefix("matinee: fault: "))
      #expect(unknown.output.isEmpty)
      let offline = await desk.run(subcommand, "1", "--offline")
      #expect(offline.status == 66)
      #expect(offline.errors.hasPrefix("matinee: notStored: "))
    }
  }

  @Test(arguments: ["person", "company"])
  func `with nothing at all it is 69 for the network's sake, 78 for the key's`(
    subcommand: String
  ) async throws {
    try await withDesk(session: ClosureSession.refusing) { desk in
      #expect(await desk.run(subcommand, "20112313").status == 69)
      desk.environment["KOBIS_API_KEY"] = nil
      let keyless = await desk.run(subcommand, "20112313")
      #expect(keyless.status == 78)
      #expect(keyless.output.isEmpty)
    }
  }

  @Test func `all pages of a list are the upstream's list, each row once`() async throws {
    try await withUpstream { desk, upstream in
      let empty = await desk.run("list", "companies")
      #expect(empty.errors.contains("`matinee sync --only companies` fetches it"))
      #expect(await desk.run("sync", "--only", "companies").status == 0)
      let first = await desk.run("list", "companies", "--page-size", "70", "--format", "json")
      #expect(first.errors.isEmpty)
      let json = try object(first.output)
      let totalCount = upstream.rowCount(of: .companies)
      #expect(json["total"] as? Int == totalCount)
      #expect(json["completedAt"] as? String == "\(testNoon)")
      let pageCount = try #require(json["pageCount"] as? Int)
      #expect(pageCount == (totalCount + 69) / 70)
      var codes: [String] = []
      for page in 1...pageCount {
        let listing = await desk.run(
          "list", "companies", "--page-size", "70", "--page", "\(page)", "--format", "json")
        codes += try rows(listing).compactMap { $0["code"] as? String }
      }
      var expected: Set<String> = []
      for page in 1...CatalogList.pageCount(ofRows: totalCount) {
        expected.formUnion(upstream.companyPage(page).rows.map(\.code.text))
      }
      #expect(codes == codes.sorted())
      #expect(codes.count == totalCount && Set(codes) == expected)
      let beyond = await desk.run("list", "companies", "--page", "999")
      #expect(beyond.status == 0)
      #expect(beyond.errors.contains("there is no page 999: the last one is "))
    }
  }

  @Test func `what a whole list no longer has is listed when asked for, and told as a change`() async throws {
    try await withUpstream { desk, upstream in
      #expect(await desk.run("sync", "--only", "companies").status == 0)
      let gone = try #require(upstream.companyPage(1).rows.last).code
      upstream.withdraw(gone)
      desk.clock.advance(by: .seconds(100 * 86_400))
      #expect(await desk.run("sync", "--only", "companies").status == 0)
      let size = ["--page-size", "1000", "--format", "json"]
      let shown = try rows(await desk.run(["list", "companies"] + size))
      #expect(!shown.contains { $0["code"] as? String == gone.text })
      let all = try rows(await desk.run(["list", "companies", "--gone"] + size))
      #expect(all.count == shown.count + 1)
      let row = try #require(all.first { $0["code"] as? String == gone.text })
      #expect(row["goneAt"] as? String == "\(desk.clock.wallTime)")
      let vanished = try rows(
        await desk.run("changes", "--since", "1d", "--kind", "vanished", "--format", "json"), "changes")
      #expect(vanished.contains { $0["itemCode"] as? String == gone.text })
    }
  }

  @Test func `movies are listed from the first chart on`() async throws {
    try await withUpstream { desk, _ async throws in
      #expect(await desk.run("sync", "--days", "1", "--only", "daily").status == 0)
      let outcome = await desk.run("list", "--format", "json")
      #expect(outcome.errors.contains("`matinee sync --only movies` fetches it"))
      #expect(try rows(outcome).count == 10)
      #expect(try rows(outcome).allSatisfy { $0["hasDetails"] as? Bool == false })
      #expect(await desk.run("list").output.hasPrefix("Movies · page 1 of 1 · 10 in all\n"))
    }
  }

  @Test func `codes are read from the upstream once, and from the store afterwards`() async throws {
    try await withUpstream { desk, upstream in
      let expected = upstream.codes(.areas).entries.map(\.code)
      let codes = try rows(await desk.run("list", "codes", "--format", "json")).compactMap {
        $0["code"] as? String
      }
      #expect(codes == expected)
      desk.session = ClosureSession.refusing
      let stored = await desk.run("list", "codes", "--of", "areas", "--format", "csv")
      #expect(stored.status == 0)
      #expect(stored.output.hasPrefix("code,name,nameEnglish\r\n"))
      #expect(await desk.run("list", "codes", "--of", "nations").status == 69)
    }
  }

  @Test func `a consumer that follows changes by number misses none and sees none twice`() async throws {
    try await withUpstream { desk, upstream in
      #expect(await desk.run("sync", "--days", "2", "--only", "daily").status == 0)
      var seen: [Int] = []
      var after = 0
      while true {
        let page = try object(
          await desk.run("changes", "--after", "\(after)", "--limit", "3", "--format", "json").output)
        let changes = try #require(page["changes"] as? [[String: Any]])
        seen += changes.compactMap { $0["id"] as? Int }
        after = try #require(page["lastID"] as? Int)
        guard page["hasMore"] as? Bool == true else { break }
      }
      let whole = try rows(await desk.run("changes", "--after", "0", "--format", "json"), "changes")
      #expect(!seen.isEmpty && seen == whole.compactMap { $0["id"] as? Int })

      // A figure is corrected upstream, two hours later.
      let period = BoxOfficePeriod.daily(dayAfterTheWeek.advanced(by: -1))
      var entries = upstream.chart(of: period).entries
      entries[0].audienceTotal += 7
      upstream.answer(with: BoxOffice(period: period, entries: entries))
      desk.clock.advance(by: .seconds(7200))
      #expect(await desk.run("sync", "--days", "1", "--only", "daily").status == 0)
      let news = try rows(await desk.run("changes", "--after", "\(after)", "--format", "json"), "changes")
      #expect(news.count == 1)
      #expect(news[0]["kind"] as? String == "corrected")
      #expect(news[0]["itemCode"] as? String == entries[0].movieCode.text)
      #expect(news[0]["fields"] as? [String] == ["audienceTotal"])
      let lines = await desk.run("changes", "--since", "1h", "--format", "ndjson").output
      #expect(lines.split(separator: "\n").count == 1)
    }
  }

  @Test func `a part of a chart is stored beside the whole, under its own name`() async throws {
    try await withUpstream { desk, upstream in
      let day = dayAfterTheWeek.advanced(by: -3)
      let filter = BoxOfficeFilter(origin: .korean)
      let part = await desk.run("show", "\(day)", "--filter", "korean")
      #expect(part.status == 0)
      #expect(part.output.hasPrefix("Daily box office · Fri 2019-07-12 · Korean films\n"))
      #expect(await desk.run("show", "\(day)", "--weekdays").status == 0)
      let stored = await desk.run("show", "\(day)", "--filter", "korean", "--offline", "--format", "json")
      let json = try object(stored.output)
      #expect(json["resource"] as? String == "kobis/daily-box-office/korean/20190712")
      let codes = (json["entries"] as? [[String: Any]] ?? []).compactMap { $0["movieCode"] as? String }
      #expect(codes == upstream.chart(of: .daily(day), filter: filter).entries.map(\.movieCode.text))
      #expect(await desk.run("show", "\(day)", "--offline").status == 66)
      let movie = try #require(codes.first)
      let days = try rows(await desk.run("movie", movie, "--format", "json"), "chartDays")
      #expect(days.contains { $0["resource"] as? String == "kobis/daily-box-office/korean/20190712" })
    }
  }

  @Test func `the last syncs are listed, the latest first`() async throws {
    try await withUpstream { desk, _ in
      for days in ["1", "2"] {
        #expect(await desk.run("sync", "--days", days, "--only", "daily").status == 0)
      }
      let status = try object(await desk.run("status", "--runs", "--format", "json").output)
      let runs = try #require(status["runs"] as? [[String: Any]])
      #expect(runs.compactMap { $0["id"] as? Int } == [2, 1])
      #expect(runs.compactMap { $0["fetched"] as? Int } == [1, 1])
      #expect(try object(await desk.run("status", "--runs", "1", "--format", "json").output)["runs"] != nil)
      #expect(await desk.run("status", "--runs", "1").output.contains("Began in Korea"))
    }
  }
}
