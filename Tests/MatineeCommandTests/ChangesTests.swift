import CatalogEngine
import Foundation
import Testing

@testable import MatineeCommand

@Suite struct `When changes are printed` {
  private func changes() throws -> [CatalogChange] {
    let chart = ResourceID.Subject.boxOffice(.daily(CalendarDay(daysSinceEpoch: 18_085)), .everything)
    let movie = ResourceID.Subject.movieDetails(try #require(MovieCode("20196309")))
    func change(
      _ id: Int64, _ subject: ResourceID.Subject, _ difference: CatalogChange.Difference
    ) -> CatalogChange {
      CatalogChange(
        id: .init(rawValue: id), at: testNoon,
        resource: ResourceID(upstream: UpstreamID("kobis"), subject: subject), revision: 2,
        difference: difference)
    }
    return [
      change(
        7, chart,
        .init(
          .moved, itemCode: "20196309", itemName: "스파이더맨, 둘", positionBefore: 3, positionAfter: 1,
          fields: ["position", "audience"])),
      change(8, chart, .init(.vanished, itemCode: "20190001", itemName: "기생충", positionBefore: 10)),
      change(9, movie, .init(.appeared)),
    ]
  }

  private func presentation(hasMore: Bool = false) throws -> ChangesPresentation {
    ChangesPresentation(
      query: ChangeQuery(since: testNoon, after: .init(rawValue: 6)), changes: try changes(), hasMore: hasMore
    )
  }

  @Test func `JSON has each change, and the number to go on after, in this order`() throws {
    let json = try presentation(hasMore: true).json()
    #expect(
      memberNames(json) == ["changes"] + ChangesPresentation.names.map { " \($0)" } + ["lastID", "hasMore"])
    let object = try object(json)
    #expect(object["lastID"] as? Int == 9)
    #expect(object["hasMore"] as? Bool == true)
    let rows = try #require(object["changes"] as? [[String: Any]])
    #expect(rows[0]["positionBefore"] as? Int == 3)
    #expect(rows[0]["fields"] as? [String] == ["position", "audience"])
    #expect(rows[1]["positionAfter"] is NSNull)
    #expect(rows[2]["itemCode"] is NSNull)
    #expect(rows[2]["fields"] as? [String] == [])
  }

  @Test func `lines of JSON have a change each`() throws {
    let lines = try presentation().lines().split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(
      lines[1]
        == #"{"id":8,"at":"2019-07-15T03:00:00Z","resource":"kobis/daily-box-office/20190708","revision":2,"kind":"vanished","#
        + #""itemCode":"20190001","itemName":"기생충","positionBefore":10,"positionAfter":null,"fields":[]}"#)
  }

  @Test func `CSV has a record for each`() throws {
    let records = try presentation().csv().components(separatedBy: "\r\n")
    #expect(records[0] == ChangesPresentation.names.joined(separator: ","))
    #expect(
      records[1]
        == "7,2019-07-15T03:00:00Z,kobis/daily-box-office/20190708,2,moved,20196309,\"스파이더맨, 둘\",3,1,position audience"
    )
    #expect(records[3] == "9,2019-07-15T03:00:00Z,kobis/movie-details/20196309,2,appeared,,,,,")
  }

  @Test(arguments: [60, 100, 140])
  func `the table fits, and tells where a movie stood and stands`(width: Int) throws {
    let lines = try presentation(hasMore: true).table(width: width, style: .plain).split(separator: "\n")
    #expect(lines[0] == "Changes since 2019-07-15 12:00 in Korea after 6 · 3, and there are more")
    #expect(lines.allSatisfy { $0.displayWidth <= width || $0 == lines[0] })
    if width == 140 {
      #expect(lines[2].contains("3→1"))
      #expect(lines[3].contains("10→"))
    }
  }

  @Test func `without any, the last number is the one that was gone on after`() throws {
    let after = ChangesPresentation(
      query: ChangeQuery(after: .init(rawValue: 6)), changes: [], hasMore: false)
    #expect(after.json() == #"{"changes":[],"lastID":6,"hasMore":false}"# + "\n")
    let none = ChangesPresentation(query: ChangeQuery(since: testNoon), changes: [], hasMore: false)
    #expect(none.json() == #"{"changes":[],"lastID":null,"hasMore":false}"# + "\n")
    #expect(none.table(width: 80, style: .plain) == "Changes since 2019-07-15 12:00 in Korea · none\n")
    #expect(none.lines().isEmpty)
  }

  @Test(
    arguments: [
      ("yesterday", "2019-07-13T15:00:00Z"), ("2019-07-08", "2019-07-07T15:00:00Z"),
      ("20190715", "2019-07-14T15:00:00Z"), ("90s", "2019-07-15T02:58:30Z"), ("7d", "2019-07-08T03:00:00Z"),
    ])
  func `a day is counted from its begin in Korea, a duration from now`(text: String, instant: String) throws {
    #expect(try SinceArgument.parsed(text).instant(at: testNoon).description == instant)
  }

  @Test func `where there is no database there are none, and stderr says why`() async throws {
    try await withDesk { desk in
      let outcome = await desk.run("changes", "--format", "json")
      #expect(outcome.status == 0)
      #expect(outcome.output == #"{"changes":[],"lastID":null,"hasMore":false}"# + "\n")
      #expect(outcome.errors.contains("there is no database at"))
      #expect(await desk.run("changes").output.hasPrefix("Changes since 2019-07-08 12:00 in Korea · none\n"))
      #expect(await desk.run("changes", "--after", "0").output == "Changes after 0 · none\n")
    }
  }
}
