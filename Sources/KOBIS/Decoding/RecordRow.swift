/// A row of any of the lists that a movie or a company has: the texts of all their fields, `nil` where blank.
///
/// The lists share most of their fields, and one walk that knows them all serves every list.
struct RecordRow {
  enum Field: UInt8, JSONField {
    case peopleNm, peopleNmEn, staffRoleNm, cast, castEn, nationNm, genreNm, showTypeGroupNm, showTypeNm
    case companyCd, companyNm, companyNmEn, companyPartNm, auditNo, watchGradeNm

    var name: StaticString {
      switch self {
      case .peopleNm: "peopleNm"
      case .peopleNmEn: "peopleNmEn"
      case .staffRoleNm: "staffRoleNm"
      case .cast: "cast"
      case .castEn: "castEn"
      case .nationNm: "nationNm"
      case .genreNm: "genreNm"
      case .showTypeGroupNm: "showTypeGroupNm"
      case .showTypeNm: "showTypeNm"
      case .companyCd: "companyCd"
      case .companyNm: "companyNm"
      case .companyNmEn: "companyNmEn"
      case .companyPartNm: "companyPartNm"
      case .auditNo: "auditNo"
      case .watchGradeNm: "watchGradeNm"
      }
    }
  }

  private(set) var peopleNm: String?
  private(set) var peopleNmEn: String?
  private(set) var staffRoleNm: String?
  private(set) var cast: String?
  private(set) var castEn: String?
  private(set) var nationNm: String?
  private(set) var genreNm: String?
  private(set) var showTypeGroupNm: String?
  private(set) var showTypeNm: String?
  private(set) var companyCd: String?
  private(set) var companyNm: String?
  private(set) var companyNmEn: String?
  private(set) var companyPartNm: String?
  private(set) var auditNo: String?
  private(set) var watchGradeNm: String?

  /// Whether no field holds anything.
  private(set) var isBlank = true

  /// The person's Korean name, or the English one where KOBIS has no Korean one.
  var name: String? { peopleNm ?? peopleNmEn }

  /// The company's Korean name, or the English one where KOBIS has no Korean one.
  var companyName: String? { companyNm ?? companyNmEn }

  /// Reads a row, which has to have `fields`, blank or not.
  init(_ reader: inout JSONReader, with fields: [Field]) throws(KOBISError) {
    var walk = try FieldWalk<Field>(&reader)
    while let field = try walk.next(&reader) {
      do throws(KOBISError) {
        let text = try reader.optionalPlainText()
        if text != nil { isBlank = false }
        set(field, to: text)
      } catch {
        throw error.within("\(field.name)")
      }
    }
    try walk.require(fields)
  }

  private mutating func set(_ field: Field, to text: String?) {
    switch field {
    case .peopleNm: peopleNm = text
    case .peopleNmEn: peopleNmEn = text
    case .staffRoleNm: staffRoleNm = text
    case .cast: cast = text
    case .castEn: castEn = text
    case .nationNm: nationNm = text
    case .genreNm: genreNm = text
    case .showTypeGroupNm: showTypeGroupNm = text
    case .showTypeNm: showTypeNm = text
    case .companyCd: companyCd = text
    case .companyNm: companyNm = text
    case .companyNmEn: companyNmEn = text
    case .companyPartNm: companyPartNm = text
    case .auditNo: auditNo = text
    case .watchGradeNm: watchGradeNm = text
    }
  }
}

extension JSONReader {
  /// The most rows that a list within a record may have; the longest seen, of a movie's staff, has 780.
  static let recordRowCountMax = 20_000

  /// Reads an array of objects, each of which has `fields`, as what `make` makes of it; a row of which it makes
  /// nothing is left out.
  mutating func rows<Row>(
    _ fields: [RecordRow.Field], _ make: (RecordRow) throws(KOBISError) -> Row?
  ) throws(KOBISError) -> [Row] {
    var rows: [Row] = []
    try elements(atMost: Self.recordRowCountMax) { reader, _ throws(KOBISError) in
      let row = try RecordRow(&reader, with: fields)
      if !row.isBlank, let made = try make(row) { rows.append(made) }
    }
    return rows
  }
}
