import CatalogEngine

// The words are plain: no movie is meant.
extension SimulatedMovie {
  /// The Korean title.
  var title: String { words.korean }

  /// The movie's details but for its people and companies, once it has opened.
  var detailsWithoutPeople: MovieDetails {
    MovieDetails(
      code: code, title: title, titleEnglish: words.english,
      runningMinutes: 80 + draw.number(below: 80, for: "minutes"),
      productionYear: openedOn.components.year, openedOn: openedOn, type: "장편", nations: [nation],
      genres: [draw.choice(of: Self.genres, for: "genre")],
      showTypes: [.init(group: "2D", name: "디지털")],
      audits: [
        .init(
          number:
            "\(openedOn.components.year)-MF\(String(draw.number(below: 99_999, for: "audit")).leftPadded(to: 5))",
          grade: draw.choice(of: Self.grades, for: "grade"))
      ])
  }

  /// The state of production on `today`; once the movie has opened if `nil`.
  func status(on today: CalendarDay?) -> String {
    today.map { openedOn > $0 } ?? false ? "개봉예정" : "개봉"
  }

  /// The opening day as far as it is told on `today`: of a movie that is far off, it is not.
  func openedOn(toldOn today: CalendarDay) -> CalendarDay? {
    openedOn <= today.advanced(by: SimulatedCatalog.datedDayCount) ? openedOn : nil
  }

  /// Where it comes from, as charts tell films apart (KOBIS `repNationCd`).
  var origin: BoxOfficeFilter.Origin { nation == Self.korea ? .korean : .foreign }

  /// Whether the director stands in the staff, too.
  var isWrittenByItsDirector: Bool { draw.number(below: 4, for: "auteur") == 0 }

  /// What the movie's company of a part did: the first brings it to the cinemas and now and then pays for it, too; the
  /// second made or imported it.
  func companyParts(_ part: Int) -> [String] {
    if part > 0 { return [origin == .korean ? "제작사" : "수입사"] }
    return draw.number(below: 4, for: "backer") == 0 ? ["배급사", "제공"] : ["배급사"]
  }

  private var words: (korean: String, english: String) {
    let first = draw.choice(of: Self.qualities, for: "quality")
    let second = draw.choice(of: Self.things, for: "thing")
    // The code's last digits part titles that would otherwise be alike.
    let number = draw.number(below: 9, for: "sequel")
    let sequel = number < 2 ? " \(number + 2)" : ""
    return ("\(first.0) \(second.0)\(sequel)", "\(first.1) \(second.1)\(sequel)")
  }

  private var nation: String {
    draw.choice(of: [Self.korea, Self.korea, "미국", "일본", "프랑스"], for: "nation")
  }

  private static let korea = "한국"
  private static let genres = ["드라마", "코미디", "액션", "스릴러", "애니메이션", "다큐멘터리", "공포(호러)", "멜로/로맨스"]
  private static let grades = ["전체관람가", "12세이상관람가", "15세이상관람가", "청소년관람불가"]
  private static let qualities = [
    ("푸른", "Blue"), ("마지막", "The Last"), ("조용한", "Quiet"), ("먼", "Distant"), ("붉은", "Red"), ("겨울", "Winter"),
    ("어느", "A Certain"), ("두 번째", "The Second"), ("잊힌", "Forgotten"), ("밤의", "Night"), ("작은", "Little"),
    ("오래된", "Old"),
    ("보이지 않는", "Invisible"), ("하얀", "White"), ("느린", "Slow"), ("빛나는", "Shining"),
  ]
  private static let things = [
    ("강", "River"), ("기차", "Train"), ("편지", "Letter"), ("도시", "City"), ("바다", "Sea"), ("약속", "Promise"),
    ("정원", "Garden"),
    ("노래", "Song"), ("손님", "Guest"), ("섬", "Island"), ("이야기", "Story"), ("극장", "Cinema"), ("별", "Star"),
    ("골목", "Alley"),
    ("계절", "Season"), ("사람들", "People"), ("항해", "Voyage"), ("그림자", "Shadow"),
  ]
}
