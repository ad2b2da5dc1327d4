import CatalogEngine

/// The details of a movie while they are being read.
///
/// Texts may be blank or `null`, and are then `nil`, and lists may be empty; but every field has to be there.
struct MovieRecord: DetailsRecord {
  enum Field: UInt8, JSONField {
    case movieCd, movieNm, movieNmEn, movieNmOg, showTm, prdtYear, openDt, prdtStatNm, typeNm
    case nations, genres, directors, actors, showTypes, companys, audits, staffs

    var name: StaticString {
      switch self {
      case .movieCd: "movieCd"
      case .movieNm: "movieNm"
      case .movieNmEn: "movieNmEn"
      case .movieNmOg: "movieNmOg"
      case .showTm: "showTm"
      case .prdtYear: "prdtYear"
      case .openDt: "openDt"
      case .prdtStatNm: "prdtStatNm"
      case .typeNm: "typeNm"
      case .nations: "nations"
      case .genres: "genres"
      case .directors: "directors"
      case .actors: "actors"
      case .showTypes: "showTypes"
      case .companys: "companys"
      case .audits: "audits"
      case .staffs: "staffs"
      }
    }
  }

  static let wording = DetailsWording<Field>(
    result: "movieInfoResult", info: "movieInfo", code: .movieCd, name: .movieNm,
    requiredFields: Field.allCases, noun: "movie", unknown: .unknownMovie, wrong: .wrongMovie)

  static func code(_ text: String) -> MovieCode? { MovieCode(text) }

  private(set) var code: String?
  private(set) var name: String?
  private var titleEnglish: String?
  private var titleOriginal: String?
  private var runningMinutes: Int?
  private var productionYear: Int?
  private var openedOn: CalendarDay?
  private var status: String?
  private var type: String?
  private var nations: [String] = []
  private var genres: [String] = []
  private var directors: [MovieDetails.Person] = []
  private var actors: [MovieDetails.Actor] = []
  private var showTypes: [MovieDetails.ShowType] = []
  private var companies: [MovieDetails.Company] = []
  private var audits: [MovieDetails.Audit] = []
  private var staff: [MovieDetails.Staff] = []

  mutating func read(_ field: Field, from reader: inout JSONReader) throws(KOBISError) {
    switch field {
    case .movieCd: code = try reader.optionalPlainText()
    case .movieNm: name = try reader.optionalPlainText()
    case .movieNmEn: titleEnglish = try reader.optionalPlainText()
    case .movieNmOg: titleOriginal = try reader.optionalPlainText()
    case .showTm: runningMinutes = try reader.optionalInteger(in: 0...100_000)
    case .prdtYear: productionYear = try reader.optionalInteger(in: 1...9999)
    case .openDt: openedOn = try reader.skipNull() ? nil : reader.optionalDay()
    case .prdtStatNm: status = try reader.optionalPlainText()
    case .typeNm: type = try reader.optionalPlainText()
    case .nations: nations = try reader.rows([.nationNm]) { row in row.nationNm }
    case .genres: genres = try reader.rows([.genreNm]) { row in row.genreNm }
    case .directors:
      directors = try reader.rows([.peopleNm, .peopleNmEn]) { row in
        row.name.map { .init(name: $0, nameEnglish: row.peopleNmEn) }
      }
    case .actors:
      actors = try reader.rows([.peopleNm, .peopleNmEn, .cast, .castEn]) { row in
        row.name.map {
          .init(name: $0, nameEnglish: row.peopleNmEn, role: row.cast, roleEnglish: row.castEn)
        }
      }
    case .showTypes:
      showTypes = try reader.rows([.showTypeGroupNm, .showTypeNm]) { row in
        .init(group: row.showTypeGroupNm, name: row.showTypeNm)
      }
    case .companys:
      companies = try reader.rows([.companyCd, .companyNm, .companyNmEn, .companyPartNm]) { row in
        row.companyName.map {
          .init(code: row.companyCd, name: $0, nameEnglish: row.companyNmEn, part: row.companyPartNm)
        }
      }
    case .audits:
      audits = try reader.rows([.auditNo, .watchGradeNm]) { row in
        .init(number: row.auditNo, grade: row.watchGradeNm)
      }
    case .staffs:
      staff = try reader.rows([.peopleNm, .peopleNmEn, .staffRoleNm]) { row in
        row.name.map { .init(name: $0, nameEnglish: row.peopleNmEn, role: row.staffRoleNm) }
      }
    }
  }

  func details(of code: MovieCode) throws(KOBISError) -> MovieDetails {
    guard let name else { throw KOBISError(.malformedValue, at: "movieNm", "the title is blank") }
    return MovieDetails(
      code: code, title: name, titleEnglish: titleEnglish, titleOriginal: titleOriginal,
      runningMinutes: runningMinutes, productionYear: productionYear, openedOn: openedOn, status: status,
      type: type, nations: nations, genres: genres, directors: directors, actors: actors,
      showTypes: showTypes, companies: companies, audits: audits, staff: staff)
  }
}
