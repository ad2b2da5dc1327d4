import CatalogEngine

/// A row of the list of people while it is being read: every field has to be there, and all but code and name may be
/// blank.
struct PeopleListRecord: ListRecord {
  enum Field: UInt8, JSONField {
    case peopleCd, peopleNm, peopleNmEn, repRoleNm, filmoNames

    var name: StaticString {
      switch self {
      case .peopleCd: "peopleCd"
      case .peopleNm: "peopleNm"
      case .peopleNmEn: "peopleNmEn"
      case .repRoleNm: "repRoleNm"
      case .filmoNames: "filmoNames"
      }
    }
  }

  static let resultName: StaticString = "peopleListResult"
  static let listName: StaticString = "peopleList"
  static let codeField = Field.peopleCd

  private var code: PersonCode?
  private var name: String?
  private var nameEnglish: String?
  private var role: String?
  private var filmography: String?

  var codeText: String { code?.text ?? "" }

  mutating func read(_ field: Field, from reader: inout JSONReader) throws(KOBISError) {
    switch field {
    case .peopleCd: code = try reader.code("person") { PersonCode($0) }
    case .peopleNm: name = try reader.optionalPlainText()
    case .peopleNmEn: nameEnglish = try reader.optionalPlainText()
    case .repRoleNm: role = try reader.optionalPlainText()
    case .filmoNames: filmography = try reader.optionalPlainText()
    }
  }

  func row() throws(KOBISError) -> ListedPerson {
    guard let code else { throw KOBISError.missing(Self.codeField.name) }
    // As in a movie's details, the English name serves where KOBIS has no Korean one.
    guard let name = name ?? nameEnglish else {
      throw KOBISError(.malformedValue, at: "\(Field.peopleNm.name)", "the name is blank")
    }
    return ListedPerson(
      code: code, name: name, nameEnglish: nameEnglish, role: role, filmography: filmography)
  }
}
