import ArgumentParser
import CatalogEngine
import Foundation
import Testing

@testable import MatineeCommand

@Suite struct `When what is stored is listed` {
  private func movies(completedAt: Timestamp? = testNoon) throws -> Listing<KnownMovie> {
    let code = try #require(MovieCode("20196309"))
    let full = ListedMovie(
      code: code, title: "스파이더맨: 파 프롬 홈", titleEnglish: "Spider-Man: Far From Home", productionYear: 2019,
      openedOn: CalendarDay(daysSinceEpoch: 18_079), type: "장편", status: "개봉", nations: "미국, 영국",
      genres: "액션,어드벤처", mainNation: "미국", mainGenre: "액션", directors: ["존 왓츠"],
      companies: [.init(code: CompanyCode("20122353"), name: "소니픽쳐스"), .init(code: nil, name: "A, B")])
    let bare = ListedMovie(code: try #require(MovieCode("2023C165")), title: "무제")
    return Listing(
      rows: [
        KnownMovie(movie: full, hasDetails: true),
        KnownMovie(movie: bare, hasDetails: false, goneAt: testNoon),
      ],
      totalCount: 203, completedAt: completedAt)
  }

  private func presentation<Row>(
    _ listing: Listing<Row>, page: Int = 1
  ) throws -> ListingPresentation<Row> {
    var options = try PageOptions.parse([])
    options.page = page
    return ListingPresentation(
      listing: listing, place: options.place(ofRows: listing.totalCount),
      now: testNoon.advanced(by: .seconds(7200)))
  }

  @Test func `JSON of movies has what is needed to go on, and the rows, in this order`() throws {
    let json = try presentation(movies()).json()
    #expect(
      memberNames(json) == [
        "list", "total", "page", "pageSize", "pageCount", "completedAt", "rows", " code", " title",
        " titleEnglish", " productionYear", " openedOn", " status", " type", " nations", " genres",
        " mainNation", " mainGenre", " directors", " companies", "  code", "  name", " hasDetails", " goneAt",
      ])
    let object = try object(json)
    #expect(object["total"] as? Int == 203)
    #expect(object["pageCount"] as? Int == 3)
    #expect(object["completedAt"] as? String == "2019-07-15T03:00:00Z")
    let rows = try #require(object["rows"] as? [[String: Any]])
    #expect(rows[0]["nations"] as? [String] == ["미국", "영국"])
    #expect(rows[1]["nations"] as? [String] == [])
    #expect(rows[1]["goneAt"] as? String == "2019-07-15T03:00:00Z")
    #expect(rows[1]["openedOn"] is NSNull)
  }

  @Test func `CSV has a record for each row under the names of its fields`() throws {
    let records = try presentation(movies()).csv().components(separatedBy: "\r\n")
    #expect(records[0] == KnownMovie.names.joined(separator: ","))
    #expect(
      records[1]
        == "20196309,스파이더맨: 파 프롬 홈,Spider-Man: Far From Home,2019,2019-07-02,개봉,장편,\"미국, 영국\",\"액션,어드벤처\","
        + "미국,액션,존 왓츠,\"소니픽쳐스,A, B\",true,")
    #expect(records[2] == "2023C165,무제,,,,,,,,,,,,false,2019-07-15T03:00:00Z")
  }

  @Test(arguments: [40, 80, 120])
  func `the table fits, names the page, and says when the list was gone through`(width: Int) throws {
    let lines = try presentation(movies()).table(width: width, style: .plain).split(separator: "\n")
    #expect(lines[0] == "Movies · page 1 of 3 · 203 in all")
    #expect(lines[1] == "the upstream's list was gone through 2 h ago")
    #expect(lines.dropFirst(2).allSatisfy { $0.displayWidth <= width })
    #expect(try presentation(movies()).warnings.isEmpty)
  }

  @Test func `a list that was never gone through says so, and how to fetch it`() throws {
    let warnings = try presentation(movies(completedAt: nil)).warnings
    #expect(warnings.count == 1)
    #expect(warnings[0].contains("`matinee sync --only movies` fetches it"))
    let people = try presentation(Listing<KnownPerson>(rows: [], totalCount: 0, completedAt: nil))
    #expect(people.warnings.count == 1)
    #expect(people.warnings[0].contains("`matinee sync --only people`"))
    #expect(try object(people.json())["pageCount"] as? Int == 0)
    #expect(
      people.table(width: 80, style: .plain)
        == "People · 0 in all\nthe upstream's list was never gone through completely\n")
  }

  @Test func `a page past the last is empty, and says which is the last`() throws {
    var listing = try movies()
    listing.rows = []
    let beyond = try presentation(listing, page: 4)
    #expect(beyond.warnings == ["there is no page 4: the last one is 3"])
    #expect(try object(beyond.json())["page"] as? Int == 4)
    #expect(try presentation(listing, page: 3).warnings.isEmpty)
  }

  @Test func `people and companies have their own columns`() throws {
    let person = ListedPerson(
      code: try #require(PersonCode("20112313")), name: "강동원", role: "배우", filmography: "브로커|반도")
    let people = try presentation(
      Listing(rows: [KnownPerson(person: person)], totalCount: 1, completedAt: testNoon))
    #expect(
      people.json().contains(
        #"{"code":"20112313","name":"강동원","nameEnglish":null,"role":"배우","filmographyText":"브로커|반도","goneAt":null}"#
      ))
    #expect(
      people.csv() == "code,name,nameEnglish,role,filmographyText,goneAt\r\n20112313,강동원,,배우,브로커|반도,\r\n")
    #expect(people.table(width: 80, style: .plain).contains("브로커, 반도"))
    let company = ListedCompany(
      code: try #require(CompanyCode("20122353")), name: "㈜영화사 집", parts: "제작사,배급사", chief: "이유진")
    let companies = try presentation(
      Listing(rows: [KnownCompany(company: company)], totalCount: 1, completedAt: testNoon))
    #expect(
      companies.json().contains(
        #"{"code":"20122353","name":"㈜영화사 집","nameEnglish":null,"chief":"이유진","parts":"제작사,배급사","filmographyText":null,"goneAt":null}"#
      ))
  }

  @Test func `codes are paged as everything is, with where they come from`() throws {
    let entries = (1...17).map { CodeTable.Entry(code: "01050\($0)", name: "지역 \($0)") }
    var options = try PageOptions.parse([])
    options.page = 2
    options.pageSize = 10
    let presentation = CodesPresentation(
      reading: Reading(.codes(.areas), CodeTable(list: .areas, entries: entries)), options: options)
    #expect(
      memberNames(presentation.json()) == [
        "list", "of", "total", "page", "pageSize", "pageCount", "rows", " code", " name", " nameEnglish",
        "resource", "origin", "source", "fetchedAt", "ageSeconds", "freshness", "servedBecause",
        "lastAttemptAt", "nextAttemptAt", "revision",
      ])
    #expect(presentation.csv().components(separatedBy: "\r\n").count == 1 + 7 + 1)
    let table = presentation.table(width: 80, style: .plain)
    #expect(
      table.hasPrefix("Codes of areas · page 2 of 2 · 17 in all\nkobis.or.kr · fetched 1 h ago · fresh\n"))
    #expect(table.hasSuffix("0105017  지역 17  –\n"))
  }

  @Test func `where there is no database, a listing is empty and says why`() async throws {
    try await withDesk { desk in
      let outcome = await desk.run("list", "people", "--format", "json")
      #expect(outcome.status == 0)
      #expect(
        outcome.output
          == #"{"list":"people","total":0,"page":1,"pageSize":100,"pageCount":0,"completedAt":null,"rows":[]}"#
          + "\n")
      #expect(outcome.errors.contains("there is no database at"))
      #expect(outcome.errors.contains("was never gone through"))
    }
  }
}
