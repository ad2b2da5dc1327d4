import CatalogEngine
import KOBIS
import Testing

@Suite struct `When a page of a list is decoded` {
  @Test func `every field of a movie's row is read`() throws {
    let page = try MovieListAnswer(FixtureFile.answer("movie-list.json"), number: 3).page
    #expect(page.number == 3)
    #expect(page.totalCount == 95_043)
    #expect(page.rows.map(\.code.text) == ["20230001", "2023C302", "20112775", "20230004", "20228649"])
    #expect(
      page.rows.first
        == ListedMovie(
          code: try #require(MovieCode("20230001")), title: "낮과 밤", titleEnglish: "Day and Night",
          productionYear: 2022, openedOn: try Sample.day(20_230_427), type: "장편", status: "개봉",
          nations: "한국,프랑스", genres: "드라마,멜로/로맨스", mainNation: "한국", mainGenre: "드라마",
          directors: ["김하나", "김하나"],
          companies: [
            .init(code: CompanyCode("20230988"), name: "낮과밤 픽쳐스"),
            .init(code: CompanyCode("20230988"), name: "낮과밤 픽쳐스"),
            .init(code: CompanyCode("2010123"), name: "강"),
            .init(code: CompanyCode("201012"), name: "주식회사 섬"),
          ]))
  }

  @Test func `blank and null fields of a movie's row are none`() throws {
    let page = try MovieListAnswer(FixtureFile.answer("movie-list.json"), number: 1).page
    #expect(
      page.rows[3]
        == ListedMovie(
          code: try #require(MovieCode("20230004")), title: "이름뿐인 영화",
          companies: [.init(code: nil, name: "이름만 있는 회사")]))
  }

  @Test func `odd rows of movies survive`() throws {
    let rows = try MovieListAnswer(FixtureFile.answer("movie-list.json"), number: 1).page.rows
    #expect(rows.map(\.openedOn?.number) == [20_230_427, nil, nil, nil, 20_230_419])
    #expect(rows[1].title == "섬으로 가는 길")
    #expect(rows[2].title.count > 100)
    #expect(rows[2].mainNation == "이탈리아")
  }

  @Test func `every field of a company's row is read`() throws {
    let page = try CompanyListAnswer(FixtureFile.answer("company-list.json"), number: 1).page
    #expect(page.totalCount == 12_249)
    #expect(
      page.rows == [
        ListedCompany(
          code: try #require(CompanyCode("20230988")), name: "낮과밤 픽쳐스", nameEnglish: "Day & Night Pictures",
          parts: "제작사,배급사,수입사,제공", chief: "김하나,나두리", filmography: "낮과 밤,좋은 날, 나쁜 날, 이상한 날 ,섬으로 가는 길"),
        ListedCompany(code: try #require(CompanyCode("201012")), name: "주식회사 섬", filmography: "섬으로 가는 길"),
        ListedCompany(
          code: try #require(CompanyCode("20100002")), name: "River Films", nameEnglish: "River Films",
          parts: "해외세일즈사"),
      ])
  }

  @Test func `every field of a person's row is read, and two of one name stay apart`() throws {
    let page = try PeopleListAnswer(FixtureFile.answer("people-list.json"), number: 1893).page
    #expect(page.number == 1893)
    #expect(page.totalCount == 189_258)
    #expect(
      page.rows == [
        ListedPerson(
          code: try #require(PersonCode("10000558")), name: "김하나", nameEnglish: "KIM Hana", role: "배우",
          filmography: "낮과 밤|섬으로 가는 길 |좋은 날, 나쁜 날"),
        ListedPerson(
          code: try #require(PersonCode("20363775")), name: "김하나", role: "배우", filmography: "낮과 밤"),
        ListedPerson(code: try #require(PersonCode("20349593")), name: "나두리"),
        ListedPerson(
          code: try #require(PersonCode("20339538")), name: "LEE Sena", nameEnglish: "LEE Sena",
          role: "액션/스턴트"),
      ])
  }

  @Test func `a page past the end has no rows and counts the whole list`() throws {
    let page = try MovieListAnswer(FixtureFile.answer("movie-list-past-the-end.json"), number: 951).page
    #expect(page == CatalogPage(number: 951, totalCount: 95_043, rows: []))
  }

  @Test func `lists of nobody are empty`() throws {
    #expect(
      try PeopleListAnswer(FixtureFile.answer("people-list-empty.json"), number: 1).page
        == CatalogPage(number: 1, totalCount: 0, rows: []))
    #expect(
      try CompanyListAnswer(FixtureFile.answer("company-list-empty.json"), number: 1).page
        == CatalogPage(number: 1, totalCount: 0, rows: []))
  }

  @Test(arguments: ["95043", "\"95043\""]) func `a count may be a number or a text`(_ count: String) throws {
    let body = "{\"movieListResult\":{\"movieList\":[],\"totCnt\":\(count)}}"
    #expect(try MovieListAnswer(Array(body.utf8), number: 1).page.totalCount == 95_043)
  }
}

@Suite struct `When a page of a list cannot be right` {
  private func error(_ body: [UInt8]) throws -> KOBISError {
    try #require(throws: KOBISError.self) { try MovieListAnswer(body, number: 1) }
  }

  @Test func `a code that stands twice is refused`() throws {
    let movies = try error(FixtureFile.answer("movie-list-repeated-code.json"))
    #expect(movies.code == .repeatedRow)
    #expect(movies.path == "movieListResult.movieList[2].movieCd")
    let body = try FixtureFile.answer("people-list-repeated-code.json")
    let people = #expect(throws: KOBISError.self) { try PeopleListAnswer(body, number: 1) }
    #expect(people?.code == .repeatedRow)
    #expect(people?.path == "peopleListResult.peopleList[1].peopleCd")
    #expect(people?.detail.contains("20349593") == true)
  }

  @Test(arguments: [
    ("null", KOBISError.Code.wrongType), ("true", .wrongType), ("{}", .wrongType), ("-1", .outOfRange),
    ("2000001", .outOfRange), ("99999999999999999999", .outOfRange), ("1.5", .malformedValue),
    ("1e3", .malformedValue), ("\"\"", .malformedValue), ("\"many\"", .malformedValue),
    ("\"-1\"", .outOfRange),
  ])
  func `a count that is none is named`(_ count: String, _ code: KOBISError.Code) throws {
    let error = try error(Array("{\"movieListResult\":{\"totCnt\":\(count),\"movieList\":[]}}".utf8))
    #expect(error.code == code)
    #expect(error.path == "movieListResult.totCnt")
  }

  @Test func `a page of more rows than the list has is refused`() throws {
    let text = String(decoding: try FixtureFile.answer("movie-list.json"), as: UTF8.self)
    let four = try error(Array(text.replacing("95043", with: "4").utf8))
    #expect(four.code == .outOfRange)
    #expect(four.path == "movieListResult.totCnt")
    #expect(throws: Never.self) {
      try MovieListAnswer(Array(text.replacing("95043", with: "5").utf8), number: 1)
    }
  }

  @Test func `more rows than were asked for are refused`() throws {
    func body(_ count: Int) -> [UInt8] {
      let rows = (0..<count).map {
        """
        {"peopleCd":"\($0)","peopleNm":"김하나","peopleNmEn":"","repRoleNm":"","filmoNames":""}
        """
      }
      return Array(
        "{\"peopleListResult\":{\"totCnt\":200,\"peopleList\":[\(rows.joined(separator: ","))]}}".utf8)
    }
    #expect(try PeopleListAnswer(body(100), number: 1).page.rows.count == 100)
    let error = #expect(throws: KOBISError.self) { try PeopleListAnswer(body(101), number: 1) }
    #expect(error?.code == .tooManyRows)
    #expect(error?.path == "peopleListResult.peopleList")
  }

  @Test(arguments: [
    ("\"movieNm\":\"낮과 밤\"", "\"movieNm\":\"\\t\"", "movieNm"),
    ("\"movieCd\":\"20230001\"", "\"movieCd\":\"2023-0001\"", "movieCd"),
    ("\"movieCd\":\"20230001\"", "\"movieCd\":\" \"", "movieCd"),
    ("\"prdtYear\":\"2022\"", "\"prdtYear\":\"MMXXII\"", "prdtYear"),
    ("\"openDt\":\"20230427\"", "\"openDt\":\"2023\"", "openDt"),
    ("\"companyCd\":\"2010123\"", "\"companyCd\":\"(주)\"", "companys[2].companyCd"),
  ])
  func `a field that holds no such value is named`(
    _ original: String, _ broken: String, _ path: String
  ) throws {
    let text = String(decoding: try FixtureFile.answer("movie-list.json"), as: UTF8.self)
    let place = try #require(text.firstRange(of: original))
    let error = try error(Array((text[..<place.lowerBound] + broken + text[place.upperBound...]).utf8))
    #expect(error.code == .malformedValue)
    #expect(error.path == "movieListResult.movieList[0].\(path)")
  }

  @Test func `a person or company without any name is refused`() throws {
    let people = String(decoding: try FixtureFile.answer("people-list.json"), as: UTF8.self)
    let nameless = Array(people.replacing("LEE Sena", with: " ").utf8)
    let person = #expect(throws: KOBISError.self) { try PeopleListAnswer(nameless, number: 1) }
    #expect(person?.code == .malformedValue)
    #expect(person?.path == "peopleListResult.peopleList[3].peopleNm")
    let companies = String(decoding: try FixtureFile.answer("company-list.json"), as: UTF8.self)
    let blank = Array(companies.replacing("River Films ", with: "").utf8)
    let company = #expect(throws: KOBISError.self) { try CompanyListAnswer(blank, number: 1) }
    #expect(company?.code == .malformedValue)
    #expect(company?.path == "companyListResult.companyList[2].companyNm")
  }
}
