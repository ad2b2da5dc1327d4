import CatalogEngine

/// The details of a company while they are being read.
///
/// No answer of this service was recorded: its shape is told by clients of it alone. So code and name have to be there,
/// and a filmography's rows name their movies; all else may be absent or `null`, and then counts as blank or empty,
/// lest a field that KOBIS does not send after all make every company unreadable. What is there has to be of its type.
struct CompanyRecord: DetailsRecord {
  enum Field: UInt8, JSONField {
    case companyCd, companyNm, companyNmEn, ceoNm, parts, filmos

    var name: StaticString {
      switch self {
      case .companyCd: "companyCd"
      case .companyNm: "companyNm"
      case .companyNmEn: "companyNmEn"
      case .ceoNm: "ceoNm"
      case .parts: "parts"
      case .filmos: "filmos"
      }
    }
  }

  static let wording = DetailsWording<Field>(
    result: "companyInfoResult", info: "companyInfo", code: .companyCd, name: .companyNm,
    requiredFields: [.companyCd, .companyNm], noun: "company", unknown: .unknownCompany,
    wrong: .wrongCompany)

  static func code(_ text: String) -> CompanyCode? { CompanyCode(text) }

  private(set) var code: String?
  private(set) var name: String?
  private var nameEnglish: String?
  private var chief: String?
  private var parts: [String] = []
  private var filmography: [FilmCredit] = []

  mutating func read(_ field: Field, from reader: inout JSONReader) throws(KOBISError) {
    switch field {
    case .companyCd: code = try reader.optionalPlainText()
    case .companyNm: name = try reader.optionalPlainText()
    case .companyNmEn: nameEnglish = try reader.optionalPlainText()
    case .ceoNm: chief = try reader.optionalPlainText()
    case .parts:
      if try reader.skipNull() { return }
      parts = try reader.rows([]) { row in row.companyPartNm }
    case .filmos:
      if try reader.skipNull() { return }
      filmography = try reader.filmography([.movieCd, .movieNm])
    }
  }

  func details(of code: CompanyCode) throws(KOBISError) -> CompanyDetails {
    // As in a movie's details, the English name serves where KOBIS has no Korean one.
    guard let name = name ?? nameEnglish else {
      throw KOBISError(.malformedValue, at: "companyNm", "the name is blank")
    }
    return CompanyDetails(
      code: code, name: name, nameEnglish: nameEnglish, chief: chief, parts: parts, filmography: filmography)
  }
}
