import CatalogEngine
import SQLiteBinding

// The table `company_details`, and the lists that hang on its rows.

private let parts = OrderedListTable.texts(
  select: "SELECT name FROM company_part WHERE resource_id = ?1 ORDER BY position",
  insert: "INSERT INTO company_part VALUES (?1, ?2, ?3)")

private let filmography = OrderedListTable.filmography("company_film")

extension Connection {
  /// The details stored under a resource's number.
  func companyDetails(_ code: CompanyCode, resource: Int64) throws(StoreError) -> CompanyDetails? {
    let details = try firstRow(
      "SELECT name, name_english, chief FROM company_details WHERE resource_id = ?1",
      [.integer(Int(resource))]
    ) { row throws(SQLiteError) in
      CompanyDetails(
        code: code, name: try row.string(at: 0), nameEnglish: try row.optionalString(at: 1),
        chief: try row.optionalString(at: 2))
    }
    guard var details else { return nil }
    details.parts = try load(parts, resource)
    details.filmography = try load(filmography, resource)
    return details
  }

  /// Puts a company's details in the place of those stored under the resource's number.
  func replaceCompanyDetails(_ details: CompanyDetails, resource: Int64) throws(StoreError) {
    try write("DELETE FROM company_details WHERE resource_id = ?1", [.integer(Int(resource))])
    try write(
      "INSERT INTO company_details VALUES (?1, ?2, ?3, ?4, ?5)",
      [
        .integer(Int(resource)), .text(details.code.text), .text(details.name), .text(details.nameEnglish),
        .text(details.chief),
      ])
    try save(details.parts, parts, resource)
    try save(details.filmography, filmography, resource)
  }
}
