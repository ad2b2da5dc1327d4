import CatalogEngine

/// The lists of codes: the areas as KOBIS has them, and a part of its nations and film types, in its form.
enum SimulatedCodes {
  /// The codes of a list.
  static func table(_ list: CodeList) -> CodeTable {
    let entries: [CodeTable.Entry] =
      switch list {
      case .areas: areas.map { .init(code: $0.code, name: $0.name) }
      case .nations: nations
      case .filmTypes: filmTypes
      }
    return CodeTable(list: list, entries: entries)
  }

  /// An area's share of the country's audience, in thousandths; all of them make the whole. `nil` for another code.
  static func audienceShare(ofArea code: String) -> Int64? { areas.first { $0.code == code }?.share }

  private static let areas: [(code: String, name: String, share: Int64)] = [
    ("0105001", "서울시", 260), ("0105002", "경기도", 245), ("0105003", "강원도", 24), ("0105004", "충청북도", 27),
    ("0105005", "충청남도", 35), ("0105006", "경상북도", 37), ("0105007", "경상남도", 52), ("0105008", "전라북도", 30),
    ("0105009", "전라남도", 23), ("0105010", "제주도", 12), ("0105011", "부산시", 72), ("0105012", "대구시", 55),
    ("0105013", "대전시", 32), ("0105014", "울산시", 20), ("0105015", "인천시", 48), ("0105016", "광주시", 21),
    ("0105017", "세종시", 7),
  ]

  private static let nations: [CodeTable.Entry] = [
    .init(code: "22041011", name: "한국", nameEnglish: "Korea"),
    .init(code: "22042002", name: "미국", nameEnglish: "U.S."),
    .init(code: "22041008", name: "일본", nameEnglish: "Japan"),
    .init(code: "22041006", name: "중국", nameEnglish: "China"),
    .init(code: "22041012", name: "홍콩", nameEnglish: "Hong Kong"),
    .init(code: "22041009", name: "대만", nameEnglish: "Taiwan"),
    .init(code: "22043001", name: "프랑스", nameEnglish: "France"),
    .init(code: "22043002", name: "독일", nameEnglish: "Germany"),
    .init(code: "22043003", name: "영국", nameEnglish: "U.K."),
    .init(code: "22043004", name: "이탈리아", nameEnglish: "Italy"),
    .init(code: "22042001", name: "캐나다", nameEnglish: "Canada"),
    .init(code: "22044001", name: "호주", nameEnglish: "Australia"),
    .init(code: "22049999", name: "기타"),
  ]

  private static let filmTypes: [CodeTable.Entry] = [
    .init(code: "220101", name: "장편"), .init(code: "220102", name: "단편"),
    .init(code: "220103", name: "옴니버스"), .init(code: "220104", name: "온라인전용"),
    .init(code: "220105", name: "기타"),
  ]
}
