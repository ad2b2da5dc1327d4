import CatalogEngine

// The words are plain and the names are made of common syllables: nobody is meant.
extension SimulatedMovie {
  /// The Korean title.
  var title: String { words.korean }

  /// The movie's details, which agree with its rows in the charts.
  var details: MovieDetails {
    let (nation, isKorean) = nationOfOrigin
    return MovieDetails(
      code: code, title: title, titleEnglish: words.english,
      runningMinutes: 80 + draw.number(below: 80, for: "minutes"),
      productionYear: openedOn.components.year, openedOn: openedOn, status: "개봉", type: "장편",
      nations: [nation],
      genres: [draw.choice(of: Self.genres, for: "genre")],
      directors: [person("director", isKorean: isKorean)],
      actors: [
        actor("first", role: "주인공"), actor("second", role: "친구"), actor("third", role: nil),
      ],
      showTypes: [.init(group: "2D", name: "디지털")],
      companies: [
        .init(code: "20\(draw.number(below: 900_000, for: "company") + 100_000)", name: "한강영화사", part: "배급사")
      ],
      audits: [
        .init(
          number:
            "\(openedOn.components.year)-MF\(String(draw.number(below: 99_999, for: "audit")).leftPadded(to: 5))",
          grade: draw.choice(of: Self.grades, for: "grade"))
      ])
  }

  private var words: (korean: String, english: String) {
    let first = draw.choice(of: Self.qualities, for: "quality")
    let second = draw.choice(of: Self.things, for: "thing")
    // The code's last digits part titles that would otherwise be alike.
    let number = draw.number(below: 9, for: "sequel")
    let sequel = number < 2 ? " \(number + 2)" : ""
    return ("\(first.0) \(second.0)\(sequel)", "\(first.1) \(second.1)\(sequel)")
  }

  private var nationOfOrigin: (name: String, isKorean: Bool) {
    let nation = draw.choice(of: ["한국", "한국", "미국", "일본", "프랑스"], for: "nation")
    return (nation, nation == "한국")
  }

  private func person(_ purpose: StaticString, isKorean: Bool) -> MovieDetails.Person {
    let family = draw.choice(of: Self.families, for: purpose)
    let given = Draw(draw.value, 1).choice(of: Self.givenNames, for: purpose)
    return .init(name: family.0 + given.0, nameEnglish: "\(family.1) \(given.1)")
  }

  private func actor(_ purpose: StaticString, role: String?) -> MovieDetails.Actor {
    let person = person(purpose, isKorean: true)
    return .init(name: person.name, nameEnglish: person.nameEnglish, role: role)
  }

  private static let genres = ["드라마", "코미디", "액션", "스릴러", "애니메이션", "다큐멘터리", "공포(호러)", "멜로/로맨스"]
  private static let grades = ["전체관람가", "12세이상관람가", "15세이상관람가", "청소년관람불가"]
  private static let families = [
    ("김", "KIM"), ("이", "LEE"), ("박", "PARK"), ("최", "CHOI"), ("정", "JUNG"), ("강", "KANG"), ("조", "CHO"),
    ("윤", "YOON"),
  ]
  private static let givenNames = [
    ("하늘", "Ha-neul"), ("바다", "Ba-da"), ("가람", "Ga-ram"), ("나래", "Na-rae"), ("보람", "Bo-ram"),
    ("슬기", "Seul-gi"),
    ("아름", "A-reum"), ("한별", "Han-byeol"), ("새롬", "Sae-rom"), ("푸름", "Pu-reum"),
  ]
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
