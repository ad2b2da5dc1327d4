import CatalogEngine

/// The details of a person while they are being read.
///
/// Texts may be blank or `null`, and are then `nil`, and lists may be empty; but every field has to be there.
struct PersonRecord: DetailsRecord {
  enum Field: UInt8, JSONField {
    case peopleCd, peopleNm, peopleNmEn, sex, repRoleNm, homepages, filmos

    var name: StaticString {
      switch self {
      case .peopleCd: "peopleCd"
      case .peopleNm: "peopleNm"
      case .peopleNmEn: "peopleNmEn"
      case .sex: "sex"
      case .repRoleNm: "repRoleNm"
      case .homepages: "homepages"
      case .filmos: "filmos"
      }
    }
  }

  static let wording = DetailsWording<Field>(
    result: "peopleInfoResult", info: "peopleInfo", code: .peopleCd, name: .peopleNm,
    requiredFields: Field.allCases, noun: "person", unknown: .unknownPerson, wrong: .wrongPerson)

  static func code(_ text: String) -> PersonCode? { PersonCode(text) }

  private(set) var code: String?
  private(set) var name: String?
  private var nameEnglish: String?
  private var sex: String?
  private var role: String?
  private var homepages: [String] = []
  private var filmography: [FilmCredit] = []

  mutating func read(_ field: Field, from reader: inout JSONReader) throws(KOBISError) {
    switch field {
    case .peopleCd: code = try reader.optionalPlainText()
    case .peopleNm: name = try reader.optionalPlainText()
    case .peopleNmEn: nameEnglish = try reader.optionalPlainText()
    case .sex: sex = try reader.optionalPlainText()
    case .repRoleNm: role = try reader.optionalPlainText()
    case .homepages: homepages = try reader.homepages()
    case .filmos: filmography = try reader.filmography([.movieCd, .movieNm, .moviePartNm])
    }
  }

  func details(of code: PersonCode) throws(KOBISError) -> PersonDetails {
    // As in a movie's details, the English name serves where KOBIS has no Korean one.
    guard let name = name ?? nameEnglish else {
      throw KOBISError(.malformedValue, at: "peopleNm", "the name is blank")
    }
    return PersonDetails(
      code: code, name: name, nameEnglish: nameEnglish, sex: sex, role: role, homepages: homepages,
      filmography: filmography)
  }
}

extension JSONReader {
  private enum HomepageField: UInt8, JSONField {
    case homepgUrl

    var name: StaticString { "homepgUrl" }
  }

  /// Reads addresses, each in a string or in an object's `homepgUrl`: clients know both, and every list recorded is
  /// empty. Blank ones are left out.
  fileprivate mutating func homepages() throws(KOBISError) -> [String] {
    var homepages: [String] = []
    try elements(atMost: Self.recordRowCountMax) { reader, _ throws(KOBISError) in
      let isObject: Bool
      do throws(JSONError) { isObject = try reader.type() == .object } catch { throw KOBISError(error) }
      guard isObject else {
        if let address = try reader.optionalPlainText() { homepages.append(address) }
        return
      }
      var walk = try FieldWalk<HomepageField>(&reader)
      while let field = try walk.next(&reader) {
        do throws(KOBISError) {
          if let address = try reader.optionalPlainText() { homepages.append(address) }
        } catch {
          throw error.within("\(field.name)")
        }
      }
      try walk.requireAll()
    }
    return homepages
  }
}
