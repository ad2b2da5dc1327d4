import CatalogEngine
import SQLiteBinding

// The table `listed_company`.

extension ListedCompany: ListedRow {
  static let table = ListedTable(
    "listed_company", list: .companies, code: "company_code", named: "name",
    others: ["name_english", "parts", "chief", "filmography"])

  var codeText: String { code.text }

  init(_ row: borrowing Row, from first: Int) throws(SQLiteError) {
    self.init(
      code: try row.companyCode(at: first), name: try row.string(at: first + 1),
      nameEnglish: try row.optionalString(at: first + 2), parts: try row.optionalString(at: first + 3),
      chief: try row.optionalString(at: first + 4), filmography: try row.optionalString(at: first + 5))
  }

  func bind(to statement: inout Statement, from first: Int) throws(SQLiteError) {
    try statement.bind(code.text, at: first)
    try statement.bind(name, at: first + 1)
    try statement.bind(nameEnglish, at: first + 2)
    try statement.bind(parts, at: first + 3)
    try statement.bind(chief, at: first + 4)
    try statement.bind(filmography, at: first + 5)
  }

  static func value(_ page: CatalogPage<ListedCompany>) -> CatalogValue { .companyPage(page) }
}
