import CatalogEngine

/// An invented person: a name made of common syllables, which others may share; nobody is meant.
struct SimulatedPerson: Sendable {
  let code: PersonCode
  let name: String
  let nameEnglish: String?
  let sex: String?
  let profession: Profession

  /// What people do; each does one thing, but for directors, who also write now and then.
  enum Profession: CaseIterable, Sendable {
    case director, actor, writer, cinematographer

    /// As KOBIS words it.
    var name: String {
      switch self {
      case .director: "감독"
      case .actor: "배우"
      case .writer: "시나리오(각본)"
      case .cinematographer: "촬영"
      }
    }

    /// How many there are; primes, as ``PartRule`` wants them.
    fileprivate var holderCount: Int {
      switch self {
      case .director: 401
      case .actor: 2111
      case .writer: 409
      case .cinematographer: 397
      }
    }

    /// How many a movie has.
    var partsPerMovie: Int { self == .actor ? 3 : 1 }

    fileprivate var purpose: StaticString {
      switch self {
      case .director: "director"
      case .actor: "actor"
      case .writer: "writer"
      case .cinematographer: "cinematographer"
      }
    }

    /// The index of the first of them among all people.
    fileprivate var firstIndex: Int {
      Self.allCases.prefix { $0 != self }.reduce(0) { $0 + $1.holderCount }
    }
  }
}

/// The invented people, numbered from 0, and who of them is in which movie.
struct SimulatedPeople: Sendable {
  private let seed: UInt64
  private let rules: [SimulatedPerson.Profession: PartRule]

  /// How many there are, whatever the clock says.
  static let count = SimulatedPerson.Profession.allCases.reduce(0) { $0 + $1.holderCount }

  init(seed: UInt64) {
    self.seed = seed
    rules = Dictionary(
      uniqueKeysWithValues: SimulatedPerson.Profession.allCases.map { profession in
        (
          profession,
          PartRule(
            holderCount: profession.holderCount, partsPerMovie: profession.partsPerMovie, seed: seed,
            purpose: profession.purpose)
        )
      })
  }

  /// The person at an index.
  func person(at index: Int) -> SimulatedPerson? {
    guard let code = PersonCode(String(Self.codeBase + index)), let profession = profession(at: index) else {
      return nil
    }
    let draw = Draw(seed, 1, UInt64(index))
    let family = draw.choice(of: Self.families, for: "family")
    let first = draw.choice(of: Self.firstSyllables, for: "first")
    let second = draw.choice(of: Self.secondSyllables, for: "second")
    // KOBIS has an English name of about every other person, and seldom says the sex of those it has none of.
    let isKnown = draw.number(below: 2, for: "english") == 0
    return SimulatedPerson(
      code: code, name: family.0 + first.0 + second.0,
      nameEnglish: isKnown ? "\(family.1) \(first.1)-\(second.1)" : nil,
      sex: isKnown ? draw.choice(of: ["남자", "여자"], for: "sex") : nil, profession: profession)
  }

  /// The index of the person of a code; `nil` if nobody has it.
  func index(of code: PersonCode) -> Int? {
    guard let number = Int(code.text), (0..<Self.count).contains(number - Self.codeBase),
      String(number) == code.text
    else { return nil }
    return number - Self.codeBase
  }

  /// Those of a profession who are in the movie, in the order of their parts.
  func people(_ profession: SimulatedPerson.Profession, inMovie ordinal: Int) -> [SimulatedPerson] {
    guard let rule = rules[profession] else { return [] }
    return (0..<rule.partsPerMovie).compactMap {
      person(at: profession.firstIndex + rule.holder(of: $0, inMovie: ordinal))
    }
  }

  /// The first `movieCount` movies that the person at an index is in, the newest first.
  func movies(ofPersonAt index: Int, ofMovies movieCount: Int) -> [Int] {
    guard let profession = profession(at: index), let rule = rules[profession] else { return [] }
    return rule.parts(of: index - profession.firstIndex, ofMovies: movieCount).map(\.ordinal)
  }

  private func profession(at index: Int) -> SimulatedPerson.Profession? {
    SimulatedPerson.Profession.allCases.first {
      (0..<$0.holderCount).contains(index - $0.firstIndex)
    }
  }

  private static let codeBase = 20_100_000

  private static let families = [
    ("김", "KIM"), ("이", "LEE"), ("박", "PARK"), ("최", "CHOI"), ("정", "JUNG"), ("강", "KANG"), ("조", "CHO"),
    ("윤", "YOON"), ("장", "JANG"), ("임", "LIM"), ("한", "HAN"), ("오", "OH"), ("서", "SEO"), ("신", "SHIN"),
  ]
  private static let firstSyllables = [
    ("하", "Ha"), ("바", "Ba"), ("가", "Ga"), ("나", "Na"), ("보", "Bo"), ("다", "Da"), ("아", "A"), ("새", "Sae"),
    ("푸", "Pu"), ("미", "Mi"), ("은", "Eun"), ("도", "Do"),
  ]
  private static let secondSyllables = [
    ("늘", "neul"), ("람", "ram"), ("래", "rae"), ("름", "reum"), ("별", "byeol"), ("롬", "rom"), ("온", "on"),
    ("솔", "sol"), ("빛", "bit"), ("담", "dam"), ("결", "gyeol"), ("진", "jin"),
  ]
}
