import CatalogEngine
import KOBIS
import Testing

@Suite struct `When details are decoded` {
  @Test func `empty texts are none and empty lists are empty`() throws {
    let code = try #require(MovieCode("20230001"))
    #expect(try Sample.details("movie-all-empty.json") == MovieDetails(code: code, title: "낮과 밤"))
  }

  @Test func `an alphanumeric code and a running time of one digit are read`() throws {
    let details = try Sample.details("movie-alphanumeric-code.json", of: "2023C302")
    #expect(details.code.text == "2023C302")
    #expect(details.runningMinutes == 8)
    #expect(details.productionYear == 2022)
    #expect(details.openedOn == (try Sample.day(20_230_615)))
  }

  @Test func `what is not seen is taken off every text`() throws {
    let details = try Sample.details("movie-odd-text.json")
    #expect(details.title == "낮과\u{A0}밤")
    #expect(details.titleEnglish == "Day and Night")
    #expect(details.titleOriginal == nil)
    #expect(details.openedOn == nil)
    #expect(details.actors[0] == .init(name: "김하나", role: "마피아 중간보스"))
    #expect(details.audits.map(\.number) == ["2023-MF02214", "제2023-MF03343호"])
    #expect(details.audits.map(\.grade) == ["15세이상관람가", nil])
  }

  @Test func `two people of one name and a company in two parts stay apart`() throws {
    let details = try Sample.details("movie-odd-text.json")
    #expect(details.actors.map(\.name) == ["김하나", "김하나", "LEE Duri"])
    #expect(details.companies.map(\.code) == ["20230988", "20230988", "201012"])
    #expect(details.companies.map(\.part) == ["배급사", "수입사", "제작사"])
  }

  @Test func `rows that hold nothing are left out`() throws {
    let details = try Sample.details("movie-odd-text.json")
    #expect(details.nations == ["한국"])
    #expect(details.actors.count == 3)
  }

  @Test func `lists in another order say the same`() throws {
    let ordered = try Sample.details("movie-ordered.json")
    let shuffled = try Sample.details("movie-shuffled.json")
    #expect(ordered != shuffled)
    #expect(ordered.saysTheSame(as: shuffled))
  }
}

@Suite struct `When details cannot be right` {
  @Test func `details without a list are refused`() throws {
    let error = try Sample.detailsError("movie-missing-list.json")
    #expect(error.code == .fieldMissing)
    #expect(error.path == "movieInfoResult.movieInfo.staffs")
  }

  /// Whole details, with one row in each list.
  private static let whole = """
    {"movieInfoResult":{"movieInfo":{"movieCd":"20230001","movieNm":"낮과 밤","movieNmEn":"","movieNmOg":null,\
    "showTm":"","prdtYear":null,"openDt":"","prdtStatNm":null,"typeNm":"","nations":[{"nationNm":"한국"}],\
    "genres":[{"genreNm":"드라마"}],"directors":[{"peopleNm":"김하나","peopleNmEn":""}],\
    "actors":[{"peopleNm":"김하나","peopleNmEn":"","cast":"","castEn":null}],\
    "showTypes":[{"showTypeGroupNm":"2D","showTypeNm":"디지털"}],\
    "companys":[{"companyCd":"1","companyNm":"낮","companyNmEn":"","companyPartNm":""}],\
    "audits":[{"auditNo":"1","watchGradeNm":""}],\
    "staffs":[{"peopleNm":"김하나","peopleNmEn":"","staffRoleNm":""}]}}}
    """

  @Test func `blank and null fields are no fault`() throws {
    let code = try #require(MovieCode("20230001"))
    let details = try MovieInfoAnswer(Array(Self.whole.utf8), for: code).details
    #expect(details.actors == [.init(name: "김하나")])
    #expect(details.productionYear == nil)
  }

  @Test func `a blank title is refused`() throws {
    let code = try #require(MovieCode("20230001"))
    let blank = Array(Self.whole.replacing("낮과 밤", with: " ").utf8)
    let error = #expect(throws: KOBISError.self) { try MovieInfoAnswer(blank, for: code) }
    #expect(error?.code == .malformedValue)
    #expect(error?.path == "movieInfoResult.movieInfo.movieNm")
  }

  @Test(arguments: [
    ("movieCd", ""), ("movieNm", ""), ("movieNmEn", ""), ("movieNmOg", ""), ("showTm", ""), ("prdtYear", ""),
    ("openDt", ""), ("prdtStatNm", ""),
    ("typeNm", ""), ("nations", ""), ("staffs", ""), ("nationNm", "nations[0]."), ("genreNm", "genres[0]."),
    ("peopleNm", "directors[0]."), ("peopleNmEn", "directors[0]."), ("cast", "actors[0]."),
    ("castEn", "actors[0]."), ("showTypeGroupNm", "showTypes[0]."), ("showTypeNm", "showTypes[0]."),
    ("companyCd", "companys[0]."), ("companyNm", "companys[0]."), ("companyNmEn", "companys[0]."),
    ("companyPartNm", "companys[0]."), ("auditNo", "audits[0]."), ("watchGradeNm", "audits[0]."),
    ("staffRoleNm", "staffs[0]."),
  ])
  func `a field that KOBIS renamed is refused, not read as blank`(_ field: String, _ place: String) throws {
    let code = try #require(MovieCode("20230001"))
    let renamed = Self.whole.replacing("\"\(field)\"", with: "\"\(field)New\"")
    #expect(renamed != Self.whole)
    let error = #expect(throws: KOBISError.self) { try MovieInfoAnswer(Array(renamed.utf8), for: code) }
    #expect(error?.code == .fieldMissing)
    #expect(error?.path == "movieInfoResult.movieInfo.\(place)\(field)")
  }

  @Test func `another movie than the one asked for is refused`() throws {
    let error = try Sample.detailsError("movie-all-empty.json", of: "20230002")
    #expect(error.code == .wrongMovie)
    #expect(error.path == "movieInfoResult.movieInfo.movieCd")
  }

  @Test func `details without code and title say that nobody has the code`() throws {
    #expect(try Sample.detailsError("movie-unknown.json").code == .unknownMovie)
  }

  @Test(arguments: [
    ("{\"movieInfoResult\":{\"movieInfo\":null}}", KOBISError.Code.unknownMovie),
    ("{\"movieInfoResult\":{\"movieInfo\":{}}}", .unknownMovie),
    ("{\"movieInfoResult\":{\"movieInfo\":{\"movieCd\":null,\"movieNm\":\"\"}}}", .unknownMovie),
    ("{\"movieInfoResult\":{\"movieInfo\":{\"movieCd\":\"20230001\"}}}", .fieldMissing),
    ("{\"movieInfoResult\":{\"movieInfo\":{\"showTm\":\"1\"}}}", .fieldMissing),
    ("{\"movieInfoResult\":{\"movieInfo\":{\"movieNm\":\"a\"}}}", .fieldMissing),
    ("{\"movieInfoResult\":{\"movieInfo\":{\"movieNm\":\"a\",\"movieCd\":\"-\"}}}", .malformedValue),
    ("{\"movieInfoResult\":{}}", .fieldMissing), ("{\"movieInfoResult\":[]}", .wrongType),
    ("{\"movieInfoResult\":{\"movieInfo\":{\"movieCd\":20230001}}}", .wrongType),
    ("{\"movieInfoResult\":{\"movieInfo\":{\"showTm\":\"two hours\"}}}", .malformedValue),
    ("{\"movieInfoResult\":{\"movieInfo\":{\"prdtYear\":\"20230\"}}}", .outOfRange),
    ("{\"movieInfoResult\":{\"movieInfo\":{\"openDt\":\"2023\"}}}", .malformedValue),
    ("{\"movieInfoResult\":{\"movieInfo\":{\"actors\":null}}}", .wrongType),
    ("{\"movieInfoResult\":{\"movieInfo\":{\"actors\":[\"a\"]}}}", .wrongType),
    ("{\"movieInfoResult\":{\"movieInfo\":{\"actors\":[],\"actors\":[]}}}", .duplicateField),
    ("{\"boxOfficeResult\":{}}", .fieldMissing), ("{\"movieInfoResult\":{\"movieInfo\":{", .truncated),
  ])
  func `another shape is named`(_ text: String, _ code: KOBISError.Code) throws {
    let movie = try #require(MovieCode("20230001"))
    let error = #expect(throws: KOBISError.self) { try MovieInfoAnswer(Array(text.utf8), for: movie) }
    #expect(error?.code == code)
  }
}
