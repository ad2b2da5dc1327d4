import CatalogEngine

/// A row of the list of movies while it is being read: every field has to be there, and all but code and title may be
/// blank.
struct MovieListRecord: ListRecord {
  enum Field: UInt8, JSONField {
    case movieCd, movieNm, movieNmEn, prdtYear, openDt, typeNm, prdtStatNm, nationAlt, genreAlt, repNationNm
    case repGenreNm, directors, companys

    var name: StaticString {
      switch self {
      case .movieCd: "movieCd"
      case .movieNm: "movieNm"
      case .movieNmEn: "movieNmEn"
      case .prdtYear: "prdtYear"
      case .openDt: "openDt"
      case .typeNm: "typeNm"
      case .prdtStatNm: "prdtStatNm"
      case .nationAlt: "nationAlt"
      case .genreAlt: "genreAlt"
      case .repNationNm: "repNationNm"
      case .repGenreNm: "repGenreNm"
      case .directors: "directors"
      case .companys: "companys"
      }
    }
  }

  static let resultName: StaticString = "movieListResult"
  static let listName: StaticString = "movieList"
  static let codeField = Field.movieCd

  private var code: MovieCode?
  private var title = ""
  private var titleEnglish: String?
  private var productionYear: Int?
  private var openedOn: CalendarDay?
  private var type: String?
  private var status: String?
  private var nations: String?
  private var genres: String?
  private var mainNation: String?
  private var mainGenre: String?
  private var directors: [String] = []
  private var companies: [ListedMovie.Company] = []

  var codeText: String { code?.text ?? "" }

  mutating func read(_ field: Field, from reader: inout JSONReader) throws(KOBISError) {
    switch field {
    case .movieCd: code = try reader.movieCode()
    case .movieNm: title = try reader.requiredPlainText("title")
    case .movieNmEn: titleEnglish = try reader.optionalPlainText()
    case .prdtYear: productionYear = try reader.optionalInteger(in: 1...9999)
    case .openDt: openedOn = try reader.skipNull() ? nil : reader.optionalDay()
    case .typeNm: type = try reader.optionalPlainText()
    case .prdtStatNm: status = try reader.optionalPlainText()
    case .nationAlt: nations = try reader.optionalPlainText()
    case .genreAlt: genres = try reader.optionalPlainText()
    case .repNationNm: mainNation = try reader.optionalPlainText()
    case .repGenreNm: mainGenre = try reader.optionalPlainText()
    case .directors: directors = try reader.rows([.peopleNm]) { row in row.name }
    case .companys:
      companies = try reader.rows([.companyCd, .companyNm]) { row throws(KOBISError) in
        try Self.company(row)
      }
    }
  }

  /// The company in a row; `nil` if it has no name, as in a movie's details.
  private static func company(_ row: RecordRow) throws(KOBISError) -> ListedMovie.Company? {
    guard let name = row.companyName else { return nil }
    guard let text = row.companyCd else { return ListedMovie.Company(code: nil, name: name) }
    guard let code = CompanyCode(text) else {
      throw KOBISError(
        .malformedValue, at: "companyCd", "the text is no company code of ASCII letters and digits")
    }
    return ListedMovie.Company(code: code, name: name)
  }

  func row() throws(KOBISError) -> ListedMovie {
    guard let code else { throw KOBISError.missing(Self.codeField.name) }
    return ListedMovie(
      code: code, title: title, titleEnglish: titleEnglish, productionYear: productionYear,
      openedOn: openedOn, type: type, status: status, nations: nations, genres: genres,
      mainNation: mainNation, mainGenre: mainGenre, directors: directors, companies: companies)
  }
}
