import CatalogEngine
import HTTPTypes
import KOBIS
import Testing

@Suite struct `When KOBIS is asked` {
  private func path(_ subject: ResourceID.Subject, base: String? = nil) throws -> String? {
    let base = try base.map { try KOBISBase($0) } ?? .official
    return try KOBISSource(key: APIKey("a/b+c=&"), base: base).request(for: subject).path
  }

  private let root = "/kobisopenapi/webservice/rest"

  @Test func `a day is asked for by its date, over https`() throws {
    let request = try KOBISSource(key: APIKey("k3y")).request(for: Sample.daily(20_220_105))
    #expect(request.method == .get)
    #expect(request.scheme == "https")
    #expect(request.authority == "kobis.or.kr")
    #expect(request.path == root + "/boxoffice/searchDailyBoxOfficeList.json?key=k3y&targetDt=20220105")
  }

  @Test func `a week is asked for by its Monday`() throws {
    let week = BoxOfficePeriod.weekly(containing: try Sample.day(20_190_711))
    let path = try KOBISSource(key: APIKey("k")).request(for: .boxOffice(week)).path
    #expect(path == root + "/boxoffice/searchWeeklyBoxOfficeList.json?key=k&targetDt=20190708&weekGb=0")
  }

  @Test func `a weekend is asked for by its Friday`() throws {
    let weekend = BoxOfficePeriod.weekend(containing: try Sample.day(20_190_708))
    let path = try KOBISSource(key: APIKey("k")).request(for: .boxOffice(weekend)).path
    #expect(path == root + "/boxoffice/searchWeeklyBoxOfficeList.json?key=k&targetDt=20190712&weekGb=1")
  }

  @Test func `a movie is asked for by its code`() throws {
    let path = try KOBISSource(key: APIKey("k")).request(for: Sample.movie("2023C165")).path
    #expect(path == root + "/movie/searchMovieInfo.json?key=k&movieCd=2023C165")
  }

  @Test func `a key is percent-encoded`() throws {
    #expect(try path(Sample.movie("1"))?.contains("?key=a%2Fb%2Bc%3D%26&movieCd=1") == true)
  }

  @Test(arguments: ["http://127.0.0.1:8080", "http://127.0.0.1:8080/", "HTTP://127.0.0.1:8080//"])
  func `a base may end in slashes or not`(_ base: String) throws {
    #expect(try path(Sample.movie("1"), base: base)?.hasPrefix("/movie/searchMovieInfo.json?") == true)
  }

  @Test func `without a key the failure says which setting to mend`() throws {
    let failure = #expect(throws: CatalogFailure.self) {
      try KOBISSource().request(for: Sample.daily(20_220_105))
    }
    #expect(failure?.code == .keyMissing)
    #expect(failure?.message.contains("KOBIS_API_KEY") == true)
  }

  @Test func `its answers come from the base's host and port unless told otherwise`() throws {
    #expect(KOBISSource().provenance == .host("kobis.or.kr"))
    #expect(try KOBISSource(base: KOBISBase("http://localhost:99/x")).provenance == .host("localhost:99"))
    #expect(KOBISSource(provenance: .recorded).provenance == .recorded)
  }

  @Test func `it has charts from 2003-11-11 to yesterday in Korea`() throws {
    let day = try Sample.day(20_220_106)
    let available = KOBISSource().availableDays(at: day.startInKorea)
    #expect(available == (try Sample.day(20_031_111))...(try Sample.day(20_220_105)))
    let early = KOBISSource().availableDays(at: Timestamp(millisecondsSinceEpoch: 0))
    #expect(early.lowerBound == early.upperBound)
  }
}

@Suite struct `When a base is read` {
  @Test(arguments: [
    "", "kobis.or.kr", "ftp://kobis.or.kr", "https://", "https:///path", "https://user@host/",
    "https://host?key=1",
    "https://host/#a", "https://host:0", "https://host:65536", "https://host:http", "https://ho st",
    "https://[::1",
    "https://[::1]x", "https://host/\u{e9}", "file:///etc/passwd", "https:host", "https://host/a\n",
  ])
  func `what is no base is refused and not repeated`(_ text: String) {
    let error = #expect(throws: KOBISError.self) { try KOBISBase(text) }
    #expect(error?.code == .malformedBase)
    if text.count > "https://".count { #expect(error?.description.contains(text) == false) }
  }

  @Test(arguments: [
    (
      "https://kobis.or.kr/kobisopenapi/webservice/rest", "https", "kobis.or.kr",
      "/kobisopenapi/webservice/rest"
    ),
    ("http://LOCALHOST:8080", "http", "localhost:8080", ""), ("http://[::1]:80/a/", "http", "[::1]:80", "/a"),
  ])
  func `what is one is taken apart`(_ text: String, _ scheme: String, _ authority: String, _ path: String)
    throws
  {
    let base = try KOBISBase(text)
    #expect(base.scheme == scheme)
    #expect(base.authority == authority)
    #expect(base.path == path)
  }
}

@Suite struct `When KOBIS answers a fault` {
  @Test(arguments: [
    ("fault-320010.json", CatalogFailure.Code.keyRefused, "320010"), ("fault-320011.json", .quota, "320011"),
    ("fault-320102.json", .fault, "320102"), ("fault-320103.json", .fault, "320103"),
    ("fault-unknown.json", .fault, "320900"),
  ])
  func `each number has its class, for every service`(
    _ file: String, _ code: CatalogFailure.Code, _ number: String
  ) throws {
    let body = try FixtureFile.answer(file)
    let week = BoxOfficePeriod.weekly(containing: try Sample.day(20_190_708))
    let subjects: [ResourceID.Subject] = [
      try Sample.daily(20_190_708), .boxOffice(week), try Sample.movie("20190001"), .codes(.areas),
      .page(.movies, 1), .page(.companies, 1), .page(.people, 1),
      .personDetails(try #require(PersonCode("1"))), .companyDetails(try #require(CompanyCode("1"))),
    ]
    for subject in subjects {
      let failure = #expect(throws: CatalogFailure.self) { try KOBISSource().value(from: body, for: subject) }
      #expect(failure?.code == code)
      #expect(failure?.detail == number)
    }
  }

  @Test func `KOBIS's own words are in the message`() throws {
    let body = try FixtureFile.answer("fault-320010.json")
    let failure = #expect(throws: CatalogFailure.self) {
      try KOBISSource().value(from: body, for: Sample.daily(20_190_708))
    }
    #expect(failure?.message.contains("유효하지않은 키값입니다.") == true)
    #expect(failure?.message.contains("KOBIS_API_KEY") == true)
  }

  @Test func `a fault beside a result is still a fault`() throws {
    let chart = String(decoding: try FixtureFile.answer("daily-empty.json"), as: UTF8.self)
    let fault = String(decoding: try FixtureFile.answer("fault-320011.json"), as: UTF8.self)
    let body = Array((chart.dropLast() + "," + fault.dropFirst()).utf8)
    let failure = #expect(throws: CatalogFailure.self) {
      try KOBISSource().value(from: body, for: Sample.daily(20_190_708))
    }
    #expect(failure?.code == .quota)
  }

  @Test(arguments: [
    "{\"boxOfficeResult\":{},\"faultInfo\":{\"errorCode\":\"320011\",\"message\":\"…\"}}",
    "{\"boxOfficeResult\":\"\",\"a\":[{\"faultInfo\":1}],\"faultInfo\":{\"errorCode\":\"320011\"}}",
    "{\"faultInfo\":{\"errorCode\":\"320011\"},\"boxOfficeResult\":[]}",
  ])
  func `a malformed result hides no fault beside it`(_ text: String) throws {
    let failure = #expect(throws: CatalogFailure.self) {
      try KOBISSource().value(from: Array(text.utf8), for: Sample.daily(20_190_708))
    }
    #expect(failure?.code == .quota)
    #expect(failure?.detail == "320011")
  }

  @Test func `a fault in what is no JSON from end to end is none`() throws {
    let body = Array("{\"boxOfficeResult\":{},\"faultInfo\":{\"errorCode\":\"320011\"}".utf8)
    let failure = #expect(throws: CatalogFailure.self) {
      try KOBISSource().value(from: body, for: Sample.daily(20_190_708))
    }
    #expect(failure?.code == .undecodable)
    #expect(failure?.detail == "fieldMissing")
  }

  @Test func `calls that are used up come back at the daily reset`() throws {
    let body = try FixtureFile.answer("fault-320011.json")
    let failure = #expect(throws: CatalogFailure.self) {
      try KOBISSource().value(from: body, for: Sample.daily(20_190_708))
    }
    #expect(failure?.message.contains("at the daily reset (00:00 in Korea unless set otherwise)") == true)
  }

  @Test func `a fault whose number is a JSON number is read all the same`() throws {
    let body = Array("{\"faultInfo\":{\"errorCode\":320011}}".utf8)
    let failure = #expect(throws: CatalogFailure.self) {
      try KOBISSource().value(from: body, for: Sample.daily(20_190_708))
    }
    #expect(failure?.code == .quota)
  }

  @Test(arguments: [
    ("{\"faultInfo\":{\"message\":\"?\"}}", "fieldMissing"),
    ("{\"faultInfo\":{\"errorCode\":\" \"}}", "malformedValue"),
    ("{\"faultInfo\":{\"errorCode\":null}}", "wrongType"), ("{\"faultInfo\":\"?\"}", "wrongType"),
  ])
  func `a fault without a number is undecodable`(_ text: String, _ detail: String) throws {
    let body = Array(text.utf8)
    let failure = #expect(throws: CatalogFailure.self) {
      try KOBISSource().value(from: body, for: Sample.daily(20_190_708))
    }
    #expect(failure?.code == .undecodable)
    #expect(failure?.detail == detail)
  }
}

@Suite struct `When an answer is refused` {
  @Test(arguments: [
    ("daily-wrong-day.json", CatalogFailure.Code.implausible, "wrongPeriod"),
    ("daily-repeated-movie.json", .implausible, "repeatedMovie"),
    ("daily-repeated-position.json", .implausible, "repeatedPosition"),
    ("daily-out-of-range.json", .undecodable, "outOfRange"),
    ("daily-truncated.json", .undecodable, "truncated"),
    ("page-maintenance.html", .undecodable, "markup"),
    ("daily-missing-field.json", .undecodable, "fieldMissing"),
  ])
  func `the failure names the class, the reason and what was asked`(
    _ file: String, _ code: CatalogFailure.Code, _ detail: String
  ) throws {
    let body = try FixtureFile.answer(file)
    let failure = #expect(throws: CatalogFailure.self) {
      try KOBISSource().value(from: body, for: Sample.daily(20_190_708))
    }
    #expect(failure?.code == code)
    #expect(failure?.detail == detail)
    #expect(failure?.message.contains("daily-box-office 20190708") == true)
  }

  @Test(arguments: [
    ("person.json", "person-details", "1", CatalogFailure.Code.implausible, "wrongPerson"),
    ("company.json", "company-details", "1", .implausible, "wrongCompany"),
    ("codes-areas.json", "codes", "nations", .implausible, "wrongCodes"),
    ("codes-repeated-code.json", "codes", "film-types", .implausible, "repeatedRow"),
    ("movie-list-repeated-code.json", "movie-list", "00001", .implausible, "repeatedRow"),
    ("people-list-repeated-code.json", "people-list", "00001", .implausible, "repeatedRow"),
    ("movie-list.json", "people-list", "00001", .undecodable, "fieldMissing"),
    ("person-unknown.json", "person-details", "1", .fault, "unknownPerson"),
    ("company-unknown.json", "company-details", "1", .fault, "unknownCompany"),
    ("page-maintenance.html", "company-list", "00002", .undecodable, "markup"),
  ])
  func `the other services' answers are refused in the same classes`(
    _ file: String, _ kind: String, _ key: String, _ code: CatalogFailure.Code, _ detail: String
  ) throws {
    let body = try FixtureFile.answer(file)
    let kind = try #require(ResourceID.Kind(rawValue: kind))
    let subject = try #require(ResourceID.Subject(kind: kind, key: key))
    let failure = #expect(throws: CatalogFailure.self) { try KOBISSource().value(from: body, for: subject) }
    #expect(failure?.code == code)
    #expect(failure?.detail == detail)
    #expect(failure?.message.contains("\(kind.rawValue) \(key)") == true)
    #expect(KOBISError.Code.all.contains(KOBISError.Code(rawValue: detail)))
  }

  @Test func `no two codes of errors share a name`() {
    #expect(Set(KOBISError.Code.all).count == KOBISError.Code.all.count)
  }

  @Test func `a code that nobody has is KOBIS's no, not a broken answer`() throws {
    let body = try FixtureFile.answer("movie-unknown.json")
    let failure = #expect(throws: CatalogFailure.self) {
      try KOBISSource().value(from: body, for: Sample.movie("20990001"))
    }
    #expect(failure?.code == .fault)
    #expect(failure?.detail == "unknownMovie")
  }

  @Test func `another movie's details are implausible`() throws {
    let body = try FixtureFile.answer("movie-all-empty.json")
    let failure = #expect(throws: CatalogFailure.self) {
      try KOBISSource().value(from: body, for: Sample.movie("20990001"))
    }
    #expect(failure?.code == .implausible)
    #expect(failure?.detail == "wrongMovie")
  }
}
