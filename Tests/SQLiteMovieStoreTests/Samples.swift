import CatalogEngine

let kobis = UpstreamID("kobis")
let noon = Timestamp(millisecondsSinceEpoch: 1_641_438_000_000)

func day(_ number: Int) -> CalendarDay { CalendarDay(number: number) ?? CalendarDay(daysSinceEpoch: 0) }

func code(_ text: String) -> MovieCode {
  guard let code = MovieCode(text) else { preconditionFailure("\(text) is no movie code") }
  return code
}

/// A chart whose rows have figures of their own in every column, extremes among them, and a tie.
func chart(
  _ period: BoxOfficePeriod, movies: [String] = ["20199882", "2023C165", "20210028"],
  filter: BoxOfficeFilter = .everything, audience: Int64 = 64_050
) -> BoxOffice {
  BoxOffice(
    period: period, filter: filter,
    entries: movies.enumerated().map { index, movie in
      BoxOfficeEntry(
        position: index + 1, rank: max(1, index), rankChange: -index, isNew: index == 0,
        movieCode: code(movie),
        title: "영화 \(movie)\u{0} '", openedOn: index == 1 ? nil : day(20_220_105),
        salesKRW: 584_559_330 + Int64(index), salesShare: Percentage(thousandths: 34_200 + Int64(index)),
        salesChangeKRW: -91_443_730, salesChangePercent: Percentage(thousandths: 38_399_000),
        salesTotalKRW: .max - Int64(index), audience: audience + Int64(index), audienceChange: .min,
        audienceChangePercent: Percentage(thousandths: -15_300), audienceTotal: 6_252_827,
        screens: 1171 + index,
        showings: 4416)
    })
}

func answer(
  _ value: CatalogValue, from provenance: Provenance = .host("kobis.or.kr"), at instant: Timestamp = noon
) -> FetchedAnswer {
  FetchedAnswer(
    resource: ResourceID(upstream: kobis, subject: value.subject), value: value, provenance: provenance,
    fetchedAt: instant)
}

let daily = BoxOfficePeriod.daily(day(20_220_105))
let dailyID = ResourceID(upstream: kobis, subject: .boxOffice(daily))

let details = MovieDetails(
  code: code("20199882"), title: "경관의 피", titleEnglish: "The Policeman's Lineage", titleOriginal: nil,
  runningMinutes: 118, productionYear: 2020, openedOn: day(20_220_105), status: "개봉", type: "장편",
  nations: ["한국", "미국"], genres: ["범죄", "드라마"],
  directors: [.init(name: "이규만", nameEnglish: "LEE Kyu-maan"), .init(name: "김감독")],
  actors: [
    .init(name: "조진웅", nameEnglish: "CHO Jin-woong", role: "박강윤", roleEnglish: nil), .init(name: "최우식"),
    .init(name: "최우식"),
  ],
  showTypes: [.init(group: "2D", name: "디지털"), .init(group: nil, name: "IMAX")],
  companies: [
    .init(code: "20100001", name: "가", nameEnglish: nil, part: "제작사"),
    .init(code: "20100001", name: "가", nameEnglish: nil, part: "배급사"),
  ],
  audits: [.init(number: "2021-MF02310", grade: "15세이상관람가")],
  staff: [.init(name: "박누군가", nameEnglish: nil, role: "각본")])

func person(_ text: String) -> PersonCode {
  guard let code = PersonCode(text) else { preconditionFailure("\(text) is no person code") }
  return code
}

func company(_ text: String) -> CompanyCode {
  guard let code = CompanyCode(text) else { preconditionFailure("\(text) is no company code") }
  return code
}

func id(_ subject: ResourceID.Subject) -> ResourceID { ResourceID(upstream: kobis, subject: subject) }

let korean = BoxOfficeFilter(origin: .korean)

let personDetails = PersonDetails(
  code: person("10000558"), name: "봉준호", nameEnglish: "BONG Joon-ho", sex: "남자", role: "감독",
  homepages: ["https://b.example", "https://a.example"],
  filmography: [
    FilmCredit(movieCode: code("20183782"), title: "기생충", part: "감독"),
    FilmCredit(movieCode: code("20183782"), title: "기생충", part: "각본"),
    FilmCredit(movieCode: code("2023C165"), title: "", part: nil),
  ])

let companyDetails = CompanyDetails(
  code: company("20100558"), name: "(주)바른손이앤에이", nameEnglish: nil, chief: "박 진홍", parts: ["제작사", "수입사"],
  filmography: [FilmCredit(movieCode: code("20183782"), title: "기생충", part: "제작사")])

let areas = CodeTable(
  list: .areas,
  entries: [
    .init(code: "0105001", name: "서울시", nameEnglish: "Seoul"), .init(code: "0105002", name: "경기도"),
  ])

/// A movie of the list with something in every column.
func listedMovie(_ text: String, title: String? = nil) -> ListedMovie {
  ListedMovie(
    code: code(text), title: title ?? "영화 \(text)", titleEnglish: "Movie, \(text)", productionYear: 2020,
    openedOn: day(20_220_105), type: "장편", status: "개봉", nations: "한국,미국", genres: "범죄,드라마",
    mainNation: "한국", mainGenre: "범죄", directors: ["이규만", "이규만"],
    companies: [.init(code: company("20100001"), name: "가"), .init(code: nil, name: "나")])
}

/// A page of a list of movies with so many rows in all.
func moviePage(_ number: Int = 1, of totalCount: Int, _ rows: [ListedMovie]) -> CatalogValue {
  .moviePage(CatalogPage(number: number, totalCount: totalCount, rows: rows))
}

func moviePage(_ number: Int = 1, of totalCount: Int, _ codes: some Sequence<String>) -> CatalogValue {
  moviePage(number, of: totalCount, codes.map { listedMovie($0) })
}

func listedPerson(_ text: String, role: String? = "배우") -> ListedPerson {
  ListedPerson(
    code: person(text), name: "사람 \(text)", nameEnglish: "Person \(text)", role: role, filmography: "가|나")
}

func listedCompany(_ text: String) -> ListedCompany {
  ListedCompany(
    code: company(text), name: "회사 \(text)", nameEnglish: nil, parts: "제작사,배급사", chief: "대표",
    filmography: "가,나")
}

/// The codes of the rows `numbers` of a list, as text that sorts as they do.
func codes(_ numbers: some Sequence<Int>) -> [String] { numbers.map { "M\(10_000 + $0)" } }

extension Timestamp {
  /// So many hours after noon.
  static func hours(_ count: Int) -> Timestamp { noon.advanced(by: .seconds(count * 3600)) }
}
