import CatalogEngine
import Foundation
import KOBIS
import Recordings
import Testing

/// These run in addition where recordings of the real KOBIS are; see `Recordings`.
@Suite(.enabled(if: Recordings.areThere)) struct `When real answers are decoded` {
  /// Checks a body's chart against what Foundation, an independent decoder, reads; the recorded chart.
  @discardableResult
  private func check(_ body: [UInt8]) throws -> RecordedChart {
    let recorded = try RecordedChart(body)
    let chart = try BoxOfficeAnswer(body, for: recorded.period).chart
    #expect(RecordedChart.rows(of: chart) == recorded.rows)
    return recorded
  }

  @Test(arguments: ["daily", "weekly"])
  func `every valid chart decodes to the figures that Foundation reads`(_ service: String) throws {
    var decodedCount = 0
    for (name, body) in try Recordings.files(of: service) {
      guard (try? JSONSerialization.jsonObject(with: Data(body))) != nil, name != "20120101-2.json" else {
        continue
      }
      try check(body)
      decodedCount += 1
    }
    #expect(decodedCount == (service == "daily" ? 6 : 4))
  }

  @Test func `the chart that repeats a row is refused for the movie it repeats`() throws {
    let files = try Recordings.files(of: "daily")
    let body = try #require(files.first { $0.name == "20120101-2.json" }).bytes
    let period = try RecordedChart(body).period
    let error = #expect(throws: KOBISError.self) { try BoxOfficeAnswer(body, for: period) }
    #expect(error?.code == .repeatedMovie)
    #expect(error?.path == "boxOfficeResult.dailyBoxOfficeList[10].movieCd")
  }

  @Test func `what is no JSON gets its own error`() throws {
    let charts = try Recordings.files(of: "daily")
    let daily = try #require(charts.first { $0.name == "20220105-2.json" }).bytes
    let day = try Sample.day(20_220_105)
    let comment = #expect(throws: KOBISError.self) { try BoxOfficeAnswer(daily, for: .daily(day)) }
    #expect(comment?.code == .notJSON)
    let files = try Recordings.files(of: "weekly")
    let weekly = try #require(files.first { $0.name == "weekly_202101_truncated.json" }).bytes
    let week = BoxOfficePeriod.weekly(containing: try Sample.day(20_210_104))
    let cut = #expect(throws: KOBISError.self) { try BoxOfficeAnswer(weekly, for: week) }
    #expect(cut?.code == .truncated)
  }

  @Test func `every file of details decodes, row for row`() throws {
    let files = try Recordings.files(of: "movieInfo")
    #expect(files.count == 13)
    for (name, body) in files {
      let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: [String: Any]]
      let info = try #require(object?["movieInfoResult"]?["movieInfo"] as? [String: Any], "\(name)")
      let text = try #require(info["movieCd"] as? String)
      let code = try #require(MovieCode(text))
      let details = try MovieInfoAnswer(body, for: code).details
      func count(_ list: String) -> Int? { (info[list] as? [Any])?.count }
      #expect(details.title == (info["movieNm"] as? String)?.trimmingCharacters(in: .whitespaces), "\(name)")
      #expect(details.runningMinutes == (info["showTm"] as? String).flatMap(Int.init), "\(name)")
      #expect(details.productionYear == (info["prdtYear"] as? String).flatMap(Int.init), "\(name)")
      #expect(details.openedOn?.basicFormat == info["openDt"] as? String, "\(name)")
      #expect(details.actors.count == count("actors"), "\(name)")
      #expect(details.staff.count == count("staffs"), "\(name)")
      #expect(details.companies.count == count("companys"), "\(name)")
      #expect(details.showTypes.count == count("showTypes"), "\(name)")
      #expect(details.directors.count == count("directors"), "\(name)")
      let roles = (info["actors"] as? [[String: String]])?.map {
        $0["cast"]?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
      }
      #expect(details.actors.map { $0.role ?? "" } == roles, "\(name)")
    }
  }

  @Test func `the faults are read as they came`() throws {
    for (name, body) in try Recordings.files(of: "fault") {
      let day = try Sample.day(20_220_105)
      let error = #expect(throws: KOBISError.self) { try BoxOfficeAnswer(body, for: .daily(day)) }
      #expect(error?.code == .fault)
      #expect(error?.fault.map { "fault_\($0.number).json" } == name)
    }
  }

  @Test(arguments: [(2017, 365), (2018, 365), (2019, 365), (2020, 366)])
  func `every day of four years decodes to the figures that Foundation reads`(_ year: Int, _ count: Int)
    async throws
  {
    let bodies = try await Recordings.history(of: year)
    #expect(bodies.count == count)
    var tiedDays: [Int] = []
    for body in bodies {
      let recorded = try check(body)
      #expect(recorded.rows.count == 10)
      if recorded.hasTie { tiedDays.append(recorded.period.day.number) }
    }
    let expected = [
      2017: [20_170_731], 2019: [20_190_326, 20_190_613],
      2020: [20_200_422, 20_200_427, 20_200_718, 20_201_024],
    ]
    #expect(tiedDays == expected[year] ?? [])
  }
}
