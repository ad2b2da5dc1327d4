import CatalogEngine
import KOBIS
import KOBISFixtures
import Testing

extension Sample {
  /// A sound answer of one of the nine services, and what reads it.
  struct Answer: Sendable, CustomTestStringConvertible {
    let service: KOBISCall.Service
    let body: @Sendable () throws -> [UInt8]
    private let read: @Sendable ([UInt8]) throws(KOBISError) -> Void

    /// Fields that may be absent, by their path without indices.
    let optionalFields: Set<String>

    var testDescription: String { service.rawValue }

    init(
      _ service: KOBISCall.Service, _ file: String, optionalFields: Set<String> = [],
      read: @escaping @Sendable ([UInt8]) throws(KOBISError) -> Void
    ) {
      self.service = service
      body = { try FixtureFile.answer(file) }
      self.optionalFields = optionalFields
      self.read = read
    }

    /// The first row of a recorded chart: the rows are alike, and the tests read a body once for each of its bytes.
    init(
      _ service: KOBISCall.Service, firstRowOf chart: [UInt8]?, optionalFields: Set<String>,
      read: @escaping @Sendable ([UInt8]) throws(KOBISError) -> Void
    ) {
      self.service = service
      body = {
        let text = String(decoding: try #require(chart), as: UTF8.self)
        return Array((text[..<(try #require(text.firstIndex(of: "}")))] + "}]}}").utf8)
      }
      self.optionalFields = optionalFields
      self.read = read
    }

    /// Reads `body` as the answer and drops what it holds.
    func decode(_ body: [UInt8]) throws(KOBISError) { try read(body) }
  }

  /// One answer of each service; every field that a service has holds something in one row at least.
  static let answers: [Answer] =
    charts + details + pages + [
      Answer(.codeList, "codes-areas.json") { body throws(KOBISError) in
        _ = try CodeListAnswer(body, for: .areas)
      }
    ]

  private static let monday = CalendarDay(number: RecordedWeek.firstDay) ?? KOBISSource.firstDay

  private static let charts = [
    Answer(
      .dailyBoxOffice, firstRowOf: RecordedWeek.dailyBodies["20190708"],
      optionalFields: ["boxOfficeResult.boxofficeType"]
    ) { body throws(KOBISError) in
      _ = try BoxOfficeAnswer(body, for: .daily(monday))
    },
    Answer(
      .weeklyBoxOffice, firstRowOf: RecordedWeek.weeklyBody,
      optionalFields: ["boxOfficeResult.boxofficeType", "boxOfficeResult.yearWeekTime"]
    ) { body throws(KOBISError) in
      _ = try BoxOfficeAnswer(body, for: .weekly(containing: monday))
    },
  ]

  private static let details = [
    Answer(.movieInfo, "movie-odd-text.json", optionalFields: ["movieInfoResult.source"]) {
      body throws(KOBISError) in
      guard let code = MovieCode("20230001") else { return }
      _ = try MovieInfoAnswer(body, for: code)
    },
    Answer(.peopleInfo, "person.json", optionalFields: ["peopleInfoResult.source"]) {
      body throws(KOBISError) in
      guard let code = PersonCode("10000558") else { return }
      _ = try PeopleInfoAnswer(body, for: code)
    },
    Answer(
      .companyInfo, "company.json",
      optionalFields: [
        "companyInfoResult.source", "companyInfoResult.companyInfo.companyNmEn",
        "companyInfoResult.companyInfo.ceoNm", "companyInfoResult.companyInfo.parts",
        "companyInfoResult.companyInfo.parts.companyPartNm", "companyInfoResult.companyInfo.filmos",
        "companyInfoResult.companyInfo.filmos.companyPartNm",
      ]
    ) { body throws(KOBISError) in
      guard let code = CompanyCode("20230988") else { return }
      _ = try CompanyInfoAnswer(body, for: code)
    },
  ]

  private static let pages = [
    Answer(.movieList, "movie-list.json", optionalFields: ["movieListResult.source"]) {
      body throws(KOBISError) in _ = try MovieListAnswer(body, number: 1)
    },
    Answer(.companyList, "company-list.json", optionalFields: ["companyListResult.source"]) {
      body throws(KOBISError) in _ = try CompanyListAnswer(body, number: 1)
    },
    Answer(.peopleList, "people-list.json", optionalFields: ["peopleListResult.source"]) {
      body throws(KOBISError) in _ = try PeopleListAnswer(body, number: 1)
    },
  ]
}
