import CatalogEngine

/// An invented company.
struct SimulatedCompany: Sendable {
  let code: CompanyCode
  let name: String
  let nameEnglish: String?
  let chief: String?
}

/// The invented companies, numbered from 0, and which of them had a part in which movie.
struct SimulatedCompanies: Sendable {
  /// How many there are, whatever the clock says; a prime, as ``PartRule`` wants it.
  static let count = 307

  /// The companies of a movie: who brings it to the cinemas, and who made or imported it.
  static let partsPerMovie = 2

  private let seed: UInt64
  private let rule: PartRule

  init(seed: UInt64) {
    self.seed = seed
    rule = PartRule(
      holderCount: Self.count, partsPerMovie: Self.partsPerMovie, seed: seed, purpose: "company")
  }

  /// The company at an index.
  func company(at index: Int) -> SimulatedCompany? {
    guard (0..<Self.count).contains(index), let code = CompanyCode(String(Self.code(at: index))) else {
      return nil
    }
    let draw = Draw(seed, 2, UInt64(index))
    let thing = draw.choice(of: Self.things, for: "thing")
    let trade = draw.choice(of: Self.trades, for: "trade")
    let form = draw.choice(of: ["(주)", "주식회사 ", "", ""], for: "form")
    let chief = draw.choice(of: ["김하늘", "이바다", "박가람,최나래", "정보람", "강푸름,조새롬"], for: "chief")
    return SimulatedCompany(
      code: code, name: form + thing.0 + trade.0,
      nameEnglish: draw.number(below: 3, for: "english") == 0 ? nil : "\(thing.1) \(trade.1)",
      chief: draw.number(below: 4, for: "headless") == 0 ? nil : chief)
  }

  /// The index of the company of a code; `nil` if none has it.
  func index(of code: CompanyCode) -> Int? {
    guard let number = Int(code.text) else { return nil }
    let base = number < Self.codeBase ? Self.shortCodeBase : Self.codeBase
    let index = number - base
    guard (0..<Self.count).contains(index), String(Self.code(at: index)) == code.text else { return nil }
    return index
  }

  /// The movie's companies, in the order of their parts.
  func companies(inMovie ordinal: Int) -> [SimulatedCompany] {
    (0..<Self.partsPerMovie).compactMap { company(at: rule.holder(of: $0, inMovie: ordinal)) }
  }

  /// What the company at an index had a part in, of the first `movieCount` movies, the newest first.
  func parts(ofCompanyAt index: Int, ofMovies movieCount: Int) -> [(ordinal: Int, part: Int)] {
    rule.parts(of: index, ofMovies: movieCount)
  }

  /// Most codes have eight digits; one in ten has six, as KOBIS's oldest have.
  private static func code(at index: Int) -> Int {
    (index % 10 == 9 ? shortCodeBase : codeBase) + index
  }

  private static let codeBase = 20_200_000
  private static let shortCodeBase = 201_000

  private static let things = [
    ("한강", "Hangang"), ("고래", "Whale"), ("등대", "Lighthouse"), ("돌담", "Stone Wall"), ("느티나무", "Zelkova"),
    ("종이배", "Paper Boat"), ("첫눈", "First Snow"), ("모래시계", "Hourglass"), ("산책", "Stroll"), ("파도", "Wave"),
    ("오솔길", "Path"), ("연필", "Pencil"), ("두루미", "Crane"), ("다락방", "Attic"),
  ]
  private static let trades = [
    ("영화사", "Films"), ("픽쳐스", "Pictures"), ("필름", "Film"), ("엔터테인먼트", "Entertainment"), ("시네마", "Cinema"),
    ("스튜디오", "Studio"), ("미디어", "Media"),
  ]
}
