import CatalogEngine

/// A row of the list of companies while it is being read: every field has to be there, and all but code and name may
/// be blank.
struct CompanyListRecord: ListRecord {
  enum Field: UInt8, JSONField {
    case companyCd, companyNm, companyNmEn, companyPartNames, ceoNm, filmoNames

    var name: StaticString {
      switch self {
      case .companyCd: "companyCd"
      case .companyNm: "companyNm"
      case .companyNmEn: "companyNmEn"
      case .companyPartNames: "companyPartNames"
      case .ceoNm: "ceoNm"
      case .filmoNames: "filmoNames"
      }
    }
  }

  static let resultName: StaticString = "companyListResult"
  static let listName: StaticString = "companyList"
  static let codeField = Field.companyCd

  private var code: CompanyCode?
  private var name: String?
  private var nameEnglish: String?
  private var parts: String?
  private var chief: String?
  private var filmography: String?

  var codeText: String { code?.text ?? "" }

  mutating func read(_ field: Field, from reader: inout JSONReader) throws(KOBISError) {
    switch field {
    case .companyCd: code = try reader.code("company") { CompanyCode($0) }
    case .companyNm: name = try reader.optionalPlainText()
    case .companyNmEn: nameEnglish = try reader.optionalPlainText()
    case .companyPartNames: parts = try reader.optionalPlainText()
    case .ceoNm: chief = try reader.optionalPlainText()
    case .filmoNames: filmography = try reader.optionalPlainText()
    }
  }

  func row() throws(KOBISError) -> ListedCompany {
    guard let code else { throw KOBISError.missing(Self.codeField.name) }
    // As in a movie's details, the English name serves where KOBIS has no Korean one.
    guard let name = name ?? nameEnglish else {
      throw KOBISError(.malformedValue, at: "\(Field.companyNm.name)", "the name is blank")
    }
    return ListedCompany(
      code: code, name: name, nameEnglish: nameEnglish, parts: parts, chief: chief, filmography: filmography)
  }
}
