import CatalogEngine
import HTTPTypes
import KOBIS
import Testing

/// The query of a call's request, with the key `k3y`.
private func query(_ call: KOBISCall) throws -> String? {
  let path = try #require(call.request(under: .official, key: APIKey("k3y")).path)
  return path.split(separator: "?").last.map(String.init)
}

@Suite struct `When a chart is narrowed down` {
  private let day = 20_220_105

  @Test func `every filter is a parameter, in one order`() throws {
    let filter = try #require(BoxOfficeFilter(origin: .korean, filmKind: .diversity, areaCode: "0105001"))
    let call = KOBISCall.chart(of: .daily(try Sample.day(day)), filter: filter)
    #expect(call.service == .dailyBoxOffice)
    #expect(
      try query(call) == "key=k3y&targetDt=20220105&multiMovieYn=Y&repNationCd=K&wideAreaCd=0105001")
  }

  @Test func `commercial and foreign films have their letters`() throws {
    let filter = BoxOfficeFilter(origin: .foreign, filmKind: .commercial)
    let call = KOBISCall.chart(of: .daily(try Sample.day(day)), filter: filter)
    #expect(try query(call) == "key=k3y&targetDt=20220105&multiMovieYn=N&repNationCd=F")
  }

  @Test func `without a filter nothing is added`() throws {
    let period = BoxOfficePeriod.daily(try Sample.day(day))
    #expect(KOBISCall.chart(of: period) == KOBISCall(for: .boxOffice(period)))
    #expect(try query(.chart(of: period)) == "key=k3y&targetDt=20220105")
  }

  @Test func `a week's filters follow its span`() throws {
    let filter = BoxOfficeFilter(origin: .korean)
    let week = KOBISCall.chart(of: .weekly(containing: try Sample.day(day)), filter: filter)
    #expect(week.service == .weeklyBoxOffice)
    #expect(try query(week) == "key=k3y&targetDt=20220103&weekGb=0&repNationCd=K")
    let weekend = KOBISCall.chart(of: .weekend(containing: try Sample.day(day)), filter: filter)
    #expect(try query(weekend) == "key=k3y&targetDt=20220107&weekGb=1&repNationCd=K")
  }

  @Test(arguments: [20_220_103, 20_220_105, 20_220_109])
  func `Monday to Thursday is asked for by the Monday`(_ number: Int) throws {
    let call = KOBISCall(for: .boxOffice(.weekdays(containing: try Sample.day(number))))
    #expect(call.service == .weeklyBoxOffice)
    #expect(try query(call) == "key=k3y&targetDt=20220103&weekGb=2")
  }

  @Test(arguments: ["a&weekGb=2", "서울", "", " 0105001", "0105001#"])
  func `what might add a parameter is no area's code`(_ text: String) {
    #expect(BoxOfficeFilter(areaCode: text) == nil)
  }
}

@Suite struct `When something else than a chart is asked for` {
  @Test func `details are asked for by their code`() throws {
    let person = KOBISCall(for: .personDetails(try #require(PersonCode("10000558"))))
    #expect(person.service == .peopleInfo)
    #expect(try query(person) == "key=k3y&peopleCd=10000558")
    let company = KOBISCall(for: .companyDetails(try #require(CompanyCode("201012"))))
    #expect(company.service == .companyInfo)
    #expect(try query(company) == "key=k3y&companyCd=201012")
    let movie = KOBISCall(for: try Sample.movie("2023C165"))
    #expect(movie.service == .movieInfo)
    #expect(try query(movie) == "key=k3y&movieCd=2023C165")
  }

  @Test(arguments: [(CodeList.areas, "0105000000"), (.nations, "2204"), (.filmTypes, "2201")])
  func `codes are asked for by their list's own code`(_ list: CodeList, _ code: String) throws {
    let call = KOBISCall(for: .codes(list))
    #expect(call.service == .codeList)
    #expect(try query(call) == "key=k3y&comCode=\(code)")
  }

  @Test(arguments: [
    (CatalogList.movies, KOBISCall.Service.movieList), (.companies, .companyList), (.people, .peopleList),
  ])
  func `a page is asked for by its number, with as many rows as pages have`(
    _ list: CatalogList, _ service: KOBISCall.Service
  ) throws {
    let call = KOBISCall(for: .page(list, 7))
    #expect(call.service == service)
    #expect(try query(call) == "key=k3y&curPage=7&itemPerPage=100")
  }

  @Test func `a request is read back as the call it was made of`() throws {
    let area = try #require(BoxOfficeFilter(filmKind: .diversity, areaCode: "0105001"))
    let subjects: [ResourceID.Subject] = [
      .boxOffice(.weekdays(containing: try Sample.day(20_220_105)), area), .codes(.nations),
      .page(.people, 1893), .personDetails(try #require(PersonCode("1"))),
    ]
    for subject in subjects {
      let call = KOBISCall(for: subject)
      #expect(KOBISCall(call.request(under: .official, key: nil)) == call)
    }
    let odd = KOBISCall(.movieList, [.init("movieNm", "a&weekGb=2 서")])
    #expect(try query(odd) == "key=k3y&movieNm=a%26weekGb%3D2%20%EC%84%9C")
    #expect(KOBISCall(odd.request(under: .official, key: nil)) == odd)
  }
}
