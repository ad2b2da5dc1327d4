import CatalogEngine
import SQLiteBinding

// The table `listed_person`.

extension ListedPerson: ListedRow {
  static let table = ListedTable(
    "listed_person", list: .people, code: "person_code", named: "name",
    others: ["name_english", "role", "filmography"])

  var codeText: String { code.text }

  init(_ row: borrowing Row, from first: Int) throws(SQLiteError) {
    self.init(
      code: try row.personCode(at: first), name: try row.string(at: first + 1),
      nameEnglish: try row.optionalString(at: first + 2), role: try row.optionalString(at: first + 3),
      filmography: try row.optionalString(at: first + 4))
  }

  func bind(to statement: inout Statement, from first: Int) throws(SQLiteError) {
    try statement.bind(code.text, at: first)
    try statement.bind(name, at: first + 1)
    try statement.bind(nameEnglish, at: first + 2)
    try statement.bind(role, at: first + 3)
    try statement.bind(filmography, at: first + 4)
  }

  static func value(_ page: CatalogPage<ListedPerson>) -> CatalogValue { .peoplePage(page) }
}
