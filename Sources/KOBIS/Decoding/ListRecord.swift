import CatalogEngine

/// A row of one of the long lists while it is being read.
///
/// The three lists differ in their rows, and agree in the frame around them. KOBIS does not say which page it answers,
/// so that this cannot be checked; a page past the end has no rows.
protocol ListRecord {
  associatedtype Field: JSONField
  associatedtype Row: Hashable & Sendable

  /// The field of the answer, as `movieListResult`.
  static var resultName: StaticString { get }

  /// The field of the result that holds the rows, as `movieList`.
  static var listName: StaticString { get }

  /// The field of the code.
  static var codeField: Field { get }

  /// A row of which nothing is known.
  init()

  /// The code's characters; empty before it was read.
  var codeText: String { get }

  /// Reads the value of a field.
  mutating func read(_ field: Field, from reader: inout JSONReader) throws(KOBISError)

  /// The row, all fields of which were there.
  func row() throws(KOBISError) -> Row
}

extension ListRecord {
  /// Reads the page `number` from an answer's body.
  static func page(in body: [UInt8], number: Int) throws(KOBISError) -> CatalogPage<Row> {
    try Answer.result(of: body, named: resultName) { reader throws(KOBISError) in
      try page(&reader, number: number)
    }
  }

  private static func page(
    _ reader: inout JSONReader, number: Int
  ) throws(KOBISError) -> CatalogPage<Row> {
    var page = CatalogPage<Row>(number: number, totalCount: 0, rows: [])
    var walk = try FieldWalk<ListField<Self>>(&reader)
    while let field = try walk.next(&reader) {
      do throws(KOBISError) {
        switch field {
        case .totCnt:
          page.totalCount = try reader.count(atMost: CatalogList.pageCountMax * CatalogList.pageRowCount)
        case .list: page.rows = try rows(&reader)
        }
      } catch {
        throw error.within("\(field.name)")
      }
    }
    try walk.requireAll()
    guard page.rows.count <= page.totalCount else {
      throw KOBISError(
        .outOfRange, at: "totCnt",
        "the list has \(page.totalCount) rows, and this page of it \(page.rows.count)")
    }
    return page
  }

  private static func rows(_ reader: inout JSONReader) throws(KOBISError) -> [Row] {
    var rows: [Row] = []
    var codes: Set<String> = []
    try reader.elements(atMost: CatalogList.pageRowCount) { reader, _ throws(KOBISError) in
      var record = Self()
      rows.append(try record.read(&reader))
      guard codes.insert(record.codeText).inserted else {
        throw KOBISError(
          .repeatedRow, at: "\(codeField.name)", "the code \(record.codeText) stands in two rows")
      }
    }
    return rows
  }

  private mutating func read(_ reader: inout JSONReader) throws(KOBISError) -> Row {
    var walk = try FieldWalk<Field>(&reader)
    while let field = try walk.next(&reader) {
      do throws(KOBISError) { try read(field, from: &reader) } catch { throw error.within("\(field.name)") }
    }
    try walk.requireAll()
    return try row()
  }
}

/// The fields of a list service's result.
private enum ListField<Record: ListRecord>: UInt8, JSONField {
  case totCnt, list

  var name: StaticString {
    switch self {
    case .totCnt: "totCnt"
    case .list: Record.listName
    }
  }
}
