import CatalogEngine
import SQLiteBinding

// The table `person_details`, and the lists that hang on its rows.

private let homepages = OrderedListTable.texts(
  select: "SELECT address FROM person_homepage WHERE resource_id = ?1 ORDER BY position",
  insert: "INSERT INTO person_homepage VALUES (?1, ?2, ?3)")

private let filmography = OrderedListTable.filmography("person_film")

extension Connection {
  /// The details stored under a resource's number.
  func personDetails(_ code: PersonCode, resource: Int64) throws(StoreError) -> PersonDetails? {
    let details = try firstRow(
      "SELECT name, name_english, sex, role FROM person_details WHERE resource_id = ?1",
      [.integer(Int(resource))]
    ) { row throws(SQLiteError) in
      PersonDetails(
        code: code, name: try row.string(at: 0), nameEnglish: try row.optionalString(at: 1),
        sex: try row.optionalString(at: 2), role: try row.optionalString(at: 3))
    }
    guard var details else { return nil }
    details.homepages = try load(homepages, resource)
    details.filmography = try load(filmography, resource)
    return details
  }

  /// Puts a person's details in the place of those stored under the resource's number.
  func replacePersonDetails(_ details: PersonDetails, resource: Int64) throws(StoreError) {
    try write("DELETE FROM person_details WHERE resource_id = ?1", [.integer(Int(resource))])
    try write(
      "INSERT INTO person_details VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
      [
        .integer(Int(resource)), .text(details.code.text), .text(details.name), .text(details.nameEnglish),
        .text(details.sex), .text(details.role),
      ])
    try save(details.homepages, homepages, resource)
    try save(details.filmography, filmography, resource)
  }
}
