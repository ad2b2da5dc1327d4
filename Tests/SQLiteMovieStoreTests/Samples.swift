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
  _ period: BoxOfficePeriod, movies: [String] = ["20199882", "2023C165", "20210028"], audience: Int64 = 64_050
)
  -> BoxOffice
{
  BoxOffice(
    period: period,
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
