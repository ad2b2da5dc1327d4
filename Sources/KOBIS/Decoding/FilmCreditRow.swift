import CatalogEngine

/// A row of a filmography while it is being read.
struct FilmCreditRow {
  enum Field: UInt8, JSONField {
    case movieCd, movieNm, moviePartNm, companyPartNm

    var name: StaticString {
      switch self {
      case .movieCd: "movieCd"
      case .movieNm: "movieNm"
      case .moviePartNm: "moviePartNm"
      case .companyPartNm: "companyPartNm"
      }
    }
  }

  private var code: String?
  private var title: String?
  private var part: String?

  /// Reads a row, which has to have `fields`; `nil` if all of them are blank.
  ///
  /// A row with a code and without a title is refused, as one with a title and without a code: every row seen has both.
  static func credit(
    _ reader: inout JSONReader, with fields: [Field]
  ) throws(KOBISError) -> FilmCredit? {
    var row = FilmCreditRow()
    var walk = try FieldWalk<Field>(&reader)
    while let field = try walk.next(&reader) {
      do throws(KOBISError) { try row.read(field, from: &reader) } catch {
        throw error.within("\(field.name)")
      }
    }
    try walk.require(fields)
    guard row.code != nil || row.title != nil || row.part != nil else { return nil }
    guard let code = row.code.flatMap({ MovieCode($0) }) else {
      throw KOBISError(
        .malformedValue, at: "movieCd", "the text is no movie code of ASCII letters and digits")
    }
    guard let title = row.title else {
      throw KOBISError(.malformedValue, at: "movieNm", "the title is blank")
    }
    return FilmCredit(movieCode: code, title: title, part: row.part)
  }

  private mutating func read(_ field: Field, from reader: inout JSONReader) throws(KOBISError) {
    let text = try reader.optionalPlainText()
    switch field {
    case .movieCd: code = text
    case .movieNm: title = text
    case .moviePartNm, .companyPartNm: part = text ?? part
    }
  }
}

extension JSONReader {
  /// Reads a filmography, whose rows have `fields`; blank rows are left out.
  mutating func filmography(_ fields: [FilmCreditRow.Field]) throws(KOBISError) -> [FilmCredit] {
    var credits: [FilmCredit] = []
    try elements(atMost: Self.recordRowCountMax) { reader, _ throws(KOBISError) in
      if let credit = try FilmCreditRow.credit(&reader, with: fields) { credits.append(credit) }
    }
    return credits
  }
}
