import CatalogEngine
import Foundation
import KOBIS
import Recordings
import Testing

/// These run in addition where recordings of the real KOBIS are; see `Recordings`.
@Suite(.enabled(if: Recordings.areThere)) struct `When real lists are decoded` {
  private typealias Object = [String: Any]

  private func object(_ body: [UInt8]) throws -> Object {
    try #require(try JSONSerialization.jsonObject(with: Data(body)) as? Object)
  }

  private func body(_ folder: String, _ name: String) throws -> [UInt8] {
    try #require(try Recordings.files(of: folder).first { $0.name == name }).bytes
  }

  /// The text of a field as Foundation reads it, outer white space taken off.
  private func text(_ row: Object, _ field: String) -> String {
    (row[field] as? String ?? "missing").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// A movie's row as texts, in the order of ``theirs(_:)``.
  private func ours(_ row: ListedMovie) -> [String] {
    [
      row.code.text, row.title, row.titleEnglish ?? "", row.productionYear.map { "\($0)" } ?? "",
      row.openedOn?.basicFormat ?? "", row.type ?? "", row.status ?? "", row.nations ?? "", row.genres ?? "",
      row.mainNation ?? "", row.mainGenre ?? "",
    ] + row.directors + row.companies.flatMap { [$0.code?.text ?? "", $0.name] }
  }

  private func theirs(_ row: Object) throws -> [String] {
    let fields = [
      "movieCd", "movieNm", "movieNmEn", "prdtYear", "openDt", "typeNm", "prdtStatNm", "nationAlt",
      "genreAlt", "repNationNm", "repGenreNm",
    ]
    let directors = try #require(row["directors"] as? [Object])
    let companies = try #require(row["companys"] as? [Object])
    return fields.map { text(row, $0) } + directors.map { text($0, "peopleNm") }
      + companies.flatMap { [text($0, "companyCd"), text($0, "companyNm")] }
  }

  @Test func `every page of movies decodes to what Foundation reads`() throws {
    for (name, count, total) in [
      ("movie_list_simple.json", 100, 75_961), ("movieList_95043.json", 10, 95_043),
    ] {
      let body = try body("movieList", name)
      let page = try MovieListAnswer(body, number: 1).page
      #expect(page.totalCount == total)
      #expect(page.rows.count == count)
      let result = try #require(try object(body)["movieListResult"] as? Object)
      let rows = try #require(result["movieList"] as? [Object])
      #expect(page.rows.map(ours) == (try rows.map(theirs)))
    }
  }

  @Test func `every movie of a year decodes to what Foundation reads, page by page`() throws {
    let year = try object(body("movieList", "year-2021.json"))
    let rows = try #require(year["movieList"] as? [Object])
    #expect(rows.count == 1860)
    #expect(rows.count == year["totCnt"] as? Int)
    var codes: Set<MovieCode> = []
    for number in 1...CatalogList.pageCount(ofRows: rows.count) {
      let asked = Array(rows[(number - 1) * 100..<min(number * 100, rows.count)])
      let answer: Object = ["movieListResult": ["totCnt": rows.count, "source": "", "movieList": asked]]
      let body = [UInt8](try JSONSerialization.data(withJSONObject: answer))
      let page = try MovieListAnswer(body, number: number).page
      #expect(page.rows.map(ours) == (try asked.map(theirs)))
      codes.formUnion(page.rows.map(\.code))
    }
    #expect(codes.count == 1860)
  }

  @Test func `the companies decode to what Foundation reads`() throws {
    let body = try body("companyList", "movie_corp_simple.json")
    let page = try CompanyListAnswer(body, number: 1).page
    #expect(page.totalCount == 12_249)
    let result = try #require(try object(body)["companyListResult"] as? Object)
    let fields = ["companyCd", "companyNm", "companyNmEn", "companyPartNames", "ceoNm", "filmoNames"]
    #expect(
      page.rows.map {
        [
          $0.code.text, $0.name, $0.nameEnglish ?? "", $0.parts ?? "", $0.chief ?? "", $0.filmography ?? "",
        ]
      }
        == (try #require(result["companyList"] as? [Object])).map { row in fields.map { text(row, $0) } })
  }

  @Test func `the people decode to what Foundation reads`() throws {
    for (name, count, total) in [("actor_info.json", 100, 189_258), ("peopleList_gangdongwon.json", 2, 7)] {
      let body = try body("peopleList", name)
      let page = try PeopleListAnswer(body, number: 1).page
      #expect(page.totalCount == total)
      #expect(page.rows.count == count)
      let result = try #require(try object(body)["peopleListResult"] as? Object)
      let fields = ["peopleCd", "peopleNm", "peopleNmEn", "repRoleNm", "filmoNames"]
      #expect(
        page.rows.map {
          [$0.code.text, $0.name, $0.nameEnglish ?? "", $0.role ?? "", $0.filmography ?? ""]
        }
          == (try #require(result["peopleList"] as? [Object])).map { row in fields.map { text(row, $0) } })
    }
  }

  @Test func `a person's details decode, credit by credit`() throws {
    let body = try body("peopleInfo", "peopleInfo_gangdongwon.json")
    let details = try PeopleInfoAnswer(body, for: #require(PersonCode("10000558"))).details
    #expect(details.name == "강동원" && details.nameEnglish == "GANG Dong-won")
    #expect(details.sex == "남자" && details.role == "배우" && details.homepages.isEmpty)
    #expect(
      details.filmography.map(\.movieCode.text)
        == ["20234045", "20227410", "20206257", "20193450", "20170590", "20161725"])
    #expect(details.filmography.allSatisfy { $0.part == "배우" })
  }

  @Test(arguments: [("ActorMovie.json", "10057917"), ("DirectorMovie.json", "20066385")])
  func `details that somebody edited into what is no JSON are refused`(_ name: String, _ text: String) throws
  {
    let body = try body("peopleInfo", name)
    let code = try #require(PersonCode(text))
    let error = #expect(throws: KOBISError.self) { try PeopleInfoAnswer(body, for: code) }
    #expect(error?.code == .notJSON)
    // Without the trailing commas it is sound, a field that KOBIS does not have aside.
    let mended = String(decoding: body, as: UTF8.self).replacing(/,(\s*[}\]])/) { $0.output.1 }
    let details = try PeopleInfoAnswer(Array(mended.utf8), for: code).details
    #expect(details.filmography.count > 10)
  }

  @Test func `the areas decode`() throws {
    let body = try body("codes", "codes_0105000000.json")
    let table = try CodeListAnswer(body, for: .areas).table
    #expect(table.entries.count == 17)
    #expect(table == (try CodeListAnswer(FixtureFile.answer("codes-areas.json"), for: .areas).table))
  }
}
