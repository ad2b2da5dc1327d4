import CatalogEngine
import KOBIS
import Testing

private func person(_ file: String, of code: String = "10000558") throws -> PersonDetails {
  try PeopleInfoAnswer(FixtureFile.answer(file), for: #require(PersonCode(code))).details
}

private func personError(_ body: [UInt8], of code: String = "10000558") throws -> KOBISError {
  let code = try #require(PersonCode(code))
  return try #require(throws: KOBISError.self) { try PeopleInfoAnswer(body, for: code) }
}

private func company(_ file: String, of code: String = "20230988") throws -> CompanyDetails {
  try CompanyInfoAnswer(FixtureFile.answer(file), for: #require(CompanyCode(code))).details
}

private func companyError(_ body: [UInt8], of code: String = "20230988") throws -> KOBISError {
  let code = try #require(CompanyCode(code))
  return try #require(throws: KOBISError.self) { try CompanyInfoAnswer(body, for: code) }
}

@Suite struct `When a person's details are decoded` {
  @Test func `every field is read, and blank rows are left out`() throws {
    let island = try #require(MovieCode("2023C302"))
    let day = try #require(MovieCode("20230001"))
    #expect(
      try person("person.json")
        == PersonDetails(
          code: try #require(PersonCode("10000558")), name: "김하나", nameEnglish: "KIM Hana", sex: "여자",
          role: "배우", homepages: ["https://example.org/hana"],
          filmography: [
            FilmCredit(movieCode: island, title: "섬으로 가는 길", part: "배우"),
            FilmCredit(movieCode: day, title: "낮과 밤", part: "배우"),
            FilmCredit(movieCode: day, title: "낮과 밤", part: "각본"),
            FilmCredit(movieCode: try #require(MovieCode("20112775")), title: "물"),
          ]))
  }

  @Test func `homepages may be objects`() throws {
    let details = try person("person-homepage-objects.json", of: "20349593")
    #expect(details.homepages == ["https://example.org/duri"])
    #expect(details.sex == nil && details.role == nil && details.filmography.isEmpty)
  }

  @Test func `a code that nobody has is KOBIS's no`() throws {
    let error = try personError(FixtureFile.answer("person-unknown.json"))
    #expect(error.code == .unknownPerson)
    #expect(error.detail.contains("10000558"))
    #expect(error.path == "peopleInfoResult.peopleInfo")
    for text in ["null", "{}", "{\"peopleCd\":\"\",\"peopleNm\":\" \"}"] {
      let body = Array("{\"peopleInfoResult\":{\"peopleInfo\":\(text)}}".utf8)
      #expect(try personError(body).code == .unknownPerson)
    }
  }

  @Test func `another person's details are refused`() throws {
    let error = try personError(FixtureFile.answer("person.json"), of: "20363775")
    #expect(error.code == .wrongPerson)
    #expect(error.path == "peopleInfoResult.peopleInfo.peopleCd")
  }

  @Test(arguments: [
    ("\"김하나\",\"peopleNmEn\":\" KIM Hana\"", "\"\",\"peopleNmEn\":\"\"", "peopleNm"),
    ("\"2023C302\"", "\"-\"", "filmos[0].movieCd"), ("\"섬으로 가는 길 \"", "\"\"", "filmos[0].movieNm"),
    ("\"20112775\"", "\"\"", "filmos[4].movieCd"),
  ])
  func `a value that cannot be so is named`(_ original: String, _ broken: String, _ path: String) throws {
    let text = String(decoding: try FixtureFile.answer("person.json"), as: UTF8.self)
    #expect(text.contains(original))
    let error = try personError(Array(text.replacing(original, with: broken).utf8))
    #expect(error.code == .malformedValue)
    #expect(error.path == "peopleInfoResult.peopleInfo.\(path)")
  }

  @Test func `the English name serves where there is no Korean one`() throws {
    let text = String(decoding: try FixtureFile.answer("person.json"), as: UTF8.self)
    let body = Array(text.replacing("김하나", with: "").utf8)
    let details = try PeopleInfoAnswer(body, for: #require(PersonCode("10000558"))).details
    #expect(details.name == "KIM Hana")
  }
}

@Suite struct `When a company's details are decoded` {
  @Test func `every field is read`() throws {
    let day = try #require(MovieCode("20230001"))
    #expect(
      try company("company.json")
        == CompanyDetails(
          code: try #require(CompanyCode("20230988")), name: "낮과밤 픽쳐스",
          nameEnglish: "Day & Night Pictures", chief: "김하나,나두리", parts: ["제작사", "배급사"],
          filmography: [
            FilmCredit(movieCode: day, title: "낮과 밤", part: "제작사"),
            FilmCredit(movieCode: day, title: "낮과 밤", part: "배급사"),
            FilmCredit(movieCode: try #require(MovieCode("2023C302")), title: "섬으로 가는 길"),
          ]))
  }

  @Test func `code and name are enough, and a part is read under either name`() throws {
    let details = try company("company-sparse.json", of: "201012")
    #expect(
      details
        == CompanyDetails(
          code: try #require(CompanyCode("201012")), name: "주식회사 섬",
          filmography: [
            FilmCredit(movieCode: try #require(MovieCode("2023C302")), title: "섬으로 가는 길", part: "제작사")
          ]))
  }

  @Test func `a code that no company has is KOBIS's no`() throws {
    #expect(try companyError(FixtureFile.answer("company-unknown.json")).code == .unknownCompany)
  }

  @Test func `another company's details are refused`() throws {
    let error = try companyError(FixtureFile.answer("company.json"), of: "201012")
    #expect(error.code == .wrongCompany)
    #expect(error.path == "companyInfoResult.companyInfo.companyCd")
  }

  @Test(arguments: [
    ("{\"companyCd\":\"20230988\"}", KOBISError.Code.fieldMissing, "companyNm"),
    ("{\"companyNm\":\"a\"}", .fieldMissing, "companyCd"),
    ("{\"companyCd\":\"20230988\",\"companyNm\":\"\"}", .malformedValue, "companyNm"),
    ("{\"companyCd\":\"20230988\",\"companyNm\":\"a\",\"parts\":\"제작사\"}", .wrongType, "parts"),
    ("{\"companyCd\":\"20230988\",\"companyNm\":\"a\",\"parts\":[\"제작사\"]}", .wrongType, "parts[0]"),
    ("{\"companyCd\":\"20230988\",\"filmos\":[{\"movieCd\":\"1\"}]}", .fieldMissing, "filmos[0].movieNm"),
  ])
  func `what has to be there is named`(_ info: String, _ code: KOBISError.Code, _ path: String) throws {
    let error = try companyError(Array("{\"companyInfoResult\":{\"companyInfo\":\(info)}}".utf8))
    #expect(error.code == code)
    #expect(error.path == "companyInfoResult.companyInfo.\(path)")
  }
}

@Suite struct `When KOBIS knows no such code` {
  @Test(arguments: [
    ("movie-unknown.json", "unknownMovie"), ("person-unknown.json", "unknownPerson"),
    ("company-unknown.json", "unknownCompany"),
  ])
  func `the failure says so by a detail that others know`(_ file: String, _ detail: String) throws {
    let subject: ResourceID.Subject =
      switch detail {
      case CatalogFailure.unknownMovieDetail: .movieDetails(try #require(MovieCode("1")))
      case CatalogFailure.unknownPersonDetail: .personDetails(try #require(PersonCode("1")))
      default: .companyDetails(try #require(CompanyCode("1")))
      }
    let body = try FixtureFile.answer(file)
    let failure = #expect(throws: CatalogFailure.self) { try KOBISSource().value(from: body, for: subject) }
    #expect(failure?.code == .fault)
    #expect(failure?.detail == detail)
    #expect(failure?.isUnknownCode == true)
  }

  @Test func `a fault of KOBIS's own is no such thing`() throws {
    let body = try FixtureFile.answer("fault-unknown.json")
    let subject = ResourceID.Subject.personDetails(try #require(PersonCode("1")))
    let failure = #expect(throws: CatalogFailure.self) { try KOBISSource().value(from: body, for: subject) }
    #expect(failure?.code == .fault)
    #expect(failure?.isUnknownCode == false)
  }
}
