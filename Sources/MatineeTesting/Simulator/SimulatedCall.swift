import CatalogEngine
import KOBIS

/// What a call asks the simulator for, as far as it is simulated.
enum SimulatedCall {
  /// The first rows of a chart.
  case chart(BoxOfficePeriod, BoxOfficeFilter, rowCount: Int)
  /// The details of a movie; of `nil`, of a code that cannot be one.
  case movie(MovieCode?)
  /// The details of a person; of `nil`, of a code that cannot be one.
  case person(PersonCode?)
  /// The details of a company; of `nil`, of a code that cannot be one.
  case company(CompanyCode?)
  /// A list of codes; `nil` for one that is not there.
  case codes(CodeList?)
  /// A page of a list.
  case page(CatalogList, number: Int, rowCount: Int)
  /// KOBIS answers a fault, of a number and words.
  case fault(String, String)

  /// The rows of a chart, and the most that a call may ask for (KOBIS `itemPerPage`).
  private static let chartRowCountMax = 10

  /// The rows of a page if a call does not say (KOBIS `itemPerPage`).
  private static let pageRowCountDefault = 10

  /// The parameters of the list services by which rows are searched, none of which is simulated.
  private static let searchNames = [
    "movieNm", "directorNm", "openStartDt", "openEndDt", "prdtStartYear", "prdtEndYear", "repNationCd",
    "movieTypeCd", "companyNm", "ceoNm", "companyPartCd", "peopleNm", "filmoNames",
  ]

  /// Reads a call; `nil` if what it asks for is not simulated.
  init?(_ call: KOBISCall) {
    switch call.service {
    case .dailyBoxOffice, .weeklyBoxOffice:
      guard let chart = Self.chart(call) else { return nil }
      self = chart
    case .movieInfo: self = Self.required("movieCd", "영화코드는", in: call) { .movie(MovieCode($0)) }
    case .peopleInfo: self = Self.required("peopleCd", "영화인코드는", in: call) { .person(PersonCode($0)) }
    case .companyInfo: self = Self.required("companyCd", "영화사코드는", in: call) { .company(CompanyCode($0)) }
    case .codeList:
      self = Self.required("comCode", "공통코드는", in: call) { code in
        .codes(CodeList.allCases.first { $0.kobisCode == code })
      }
    case .movieList, .companyList, .peopleList:
      guard let page = Self.page(call) else { return nil }
      self = page
    }
  }

  /// The subject whose answer it is, if it is the whole answer of one.
  var subject: ResourceID.Subject? {
    switch self {
    case .chart(let period, let filter, _): .boxOffice(period, filter)
    case .movie(let code): code.map { .movieDetails($0) }
    case .person(let code): code.map { .personDetails($0) }
    case .company(let code): code.map { .companyDetails($0) }
    case .codes(let list): list.map { .codes($0) }
    case .page(let list, let number, CatalogList.pageRowCount): .page(list, number)
    case .page, .fault: nil
    }
  }

  private static func required(
    _ name: String, _ subject: String, in call: KOBISCall, _ make: (String) -> SimulatedCall
  ) -> SimulatedCall {
    guard let value = call[name], !value.isEmpty else {
      return .fault(
        KOBISFault.parameterMissing, "\(subject) 필수항목입니다.[parameterName=\(name),parameterValue=null]")
    }
    return make(value)
  }

  private static func chart(_ call: KOBISCall) -> SimulatedCall? {
    let kind: BoxOfficePeriod.Kind
    switch (call.service, call["weekGb"]) {
    case (.dailyBoxOffice, _): kind = .daily
    case (_, "0"): kind = .weekly
    case (_, "1"), (_, nil): kind = .weekend
    case (_, "2"): kind = .weekdays
    default: return nil
    }
    guard let filter = filter(call),
      let rowCount = count("itemPerPage", in: call, default: chartRowCountMax),
      rowCount <= chartRowCountMax
    else { return nil }
    return required("targetDt", "날짜는", in: call) { value in
      guard value.utf8.count == 8, let day = CalendarDay(value) else {
        return .fault(
          KOBISFault.dateMalformed,
          "날싸형식에 맞게 입력하십시요.(YYYYMMDD)[parameterName=targetDt,parameterValue=\(value)]")
      }
      return .chart(BoxOfficePeriod(kind, containing: day), filter, rowCount: rowCount)
    }
  }

  /// What a call narrows a chart down to; `nil` if it says so in a way that KOBIS does not know.
  private static func filter(_ call: KOBISCall) -> BoxOfficeFilter? {
    let origin: BoxOfficeFilter.Origin?
    switch call["repNationCd"] ?? "" {
    case "": origin = nil
    case "K": origin = .korean
    case "F": origin = .foreign
    default: return nil
    }
    let filmKind: BoxOfficeFilter.FilmKind?
    switch call["multiMovieYn"] ?? "" {
    case "": filmKind = nil
    case "Y": filmKind = .diversity
    case "N": filmKind = .commercial
    default: return nil
    }
    guard let areaCode = call["wideAreaCd"], !areaCode.isEmpty else {
      return BoxOfficeFilter(origin: origin, filmKind: filmKind)
    }
    return BoxOfficeFilter(origin: origin, filmKind: filmKind, areaCode: areaCode)
  }

  private static func page(_ call: KOBISCall) -> SimulatedCall? {
    let list: CatalogList =
      switch call.service {
      case .companyList: .companies
      case .peopleList: .people
      default: .movies
      }
    guard searchNames.allSatisfy({ (call[$0] ?? "").isEmpty }),
      let number = count("curPage", in: call, default: 1),
      let rowCount = count("itemPerPage", in: call, default: pageRowCountDefault),
      rowCount <= CatalogList.pageRowCount
    else { return nil }
    return .page(list, number: number, rowCount: rowCount)
  }

  /// A parameter that is a number from 1 on; `nil` if it is something else.
  private static func count(_ name: String, in call: KOBISCall, default standard: Int) -> Int? {
    guard let text = call[name] else { return standard }
    return Int(text).flatMap { $0 >= 1 ? $0 : nil }
  }
}
