import CatalogEngine
import SQLiteBinding

// The table `movie_details` and the lists that hang on it, one table each.

extension Connection {
  /// The row of a movie's resource with its details.
  func movieDetailsRow(of resource: ResourceID, code: MovieCode) throws(StoreError) -> ResourceRow? {
    guard let (number, record) = try recordRow(of: resource) else { return nil }
    let details = record.fetchedAt == nil ? nil : try movieDetails(code)
    return ResourceRow(
      number: number, entry: StoredEntry(value: details.map(CatalogValue.movieDetails), record: record))
  }

  private func movieDetails(_ code: MovieCode) throws(StoreError) -> MovieDetails? {
    var details: MovieDetails? = try rows(
      of: code,
      """
      SELECT title, title_english, title_original, running_minutes, production_year, opened_on, status, type
      FROM movie_details WHERE movie_code = ?1
      """
    ) { row throws(SQLiteError) in
      MovieDetails(
        code: code, title: try row.string(at: 0), titleEnglish: try row.optionalString(at: 1),
        titleOriginal: try row.optionalString(at: 2), runningMinutes: try row.optionalInt(at: 3),
        productionYear: try row.optionalInt(at: 4), openedOn: try row.optionalDay(at: 5),
        status: try row.optionalString(at: 6), type: try row.optionalString(at: 7))
    }.first
    guard details != nil else { return nil }
    details?.nations = try list(of: code, "movie_nation", "name") { row throws(SQLiteError) in
      try row.string(at: 0)
    }
    details?.genres = try list(of: code, "movie_genre", "name") { row throws(SQLiteError) in
      try row.string(at: 0)
    }
    details?.directors = try list(of: code, "movie_director", "name, name_english") {
      row throws(SQLiteError) in
      MovieDetails.Person(name: try row.string(at: 0), nameEnglish: try row.optionalString(at: 1))
    }
    details?.actors = try list(
      of: code, "movie_actor", "name, name_english, role, role_english"
    ) { row throws(SQLiteError) in
      MovieDetails.Actor(
        name: try row.string(at: 0), nameEnglish: try row.optionalString(at: 1),
        role: try row.optionalString(at: 2), roleEnglish: try row.optionalString(at: 3))
    }
    details?.showTypes = try list(of: code, "movie_show_type", "group_name, name") {
      row throws(SQLiteError) in
      MovieDetails.ShowType(group: try row.optionalString(at: 0), name: try row.optionalString(at: 1))
    }
    details?.companies = try list(
      of: code, "movie_company", "company_code, name, name_english, part"
    ) { row throws(SQLiteError) in
      MovieDetails.Company(
        code: try row.optionalString(at: 0), name: try row.string(at: 1),
        nameEnglish: try row.optionalString(at: 2), part: try row.optionalString(at: 3))
    }
    details?.audits = try list(of: code, "movie_audit", "number, grade") { row throws(SQLiteError) in
      MovieDetails.Audit(number: try row.optionalString(at: 0), grade: try row.optionalString(at: 1))
    }
    details?.staff = try list(of: code, "movie_staff", "name, name_english, role") {
      row throws(SQLiteError) in
      MovieDetails.Staff(
        name: try row.string(at: 0), nameEnglish: try row.optionalString(at: 1),
        role: try row.optionalString(at: 2))
    }
    return details
  }

  private func list<Element>(
    of code: MovieCode, _ table: String, _ columns: String,
    _ decode: (borrowing Row) throws(SQLiteError) -> Element
  ) throws(StoreError) -> [Element] {
    try rows(of: code, "SELECT \(columns) FROM \(table) WHERE movie_code = ?1 ORDER BY position", decode)
  }

  private func rows<Element>(
    of code: MovieCode, _ sql: String, _ decode: (borrowing Row) throws(SQLiteError) -> Element
  ) throws(StoreError) -> [Element] {
    try withStatement(sql) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(code.text, at: 1)
        return try statement.mapRows(decode)
      }
    }
  }

  /// Puts a movie's details in the place of those stored.
  func replaceMovieDetails(_ details: MovieDetails, resource: Int64) throws(StoreError) {
    // The lists go with the row they hang on.
    try write("DELETE FROM movie_details WHERE movie_code = ?1", [.text(details.code.text)])
    try write(
      "INSERT INTO movie (movie_code, title, opened_on, named_on) VALUES (?1, ?2, ?3, 0) ON CONFLICT DO NOTHING",
      [.text(details.code.text), .text(details.title), .integer(details.openedOn?.number)])
    try write(
      "INSERT INTO movie_details VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
      [
        .text(details.code.text), .integer(Int(resource)), .text(details.title), .text(details.titleEnglish),
        .text(details.titleOriginal), .integer(details.runningMinutes), .integer(details.productionYear),
        .integer(details.openedOn?.number), .text(details.status), .text(details.type),
      ])
    try writeList(details.code, "movie_nation", details.nations) { [.text($0)] }
    try writeList(details.code, "movie_genre", details.genres) { [.text($0)] }
    try writeList(details.code, "movie_director", details.directors) {
      [.text($0.name), .text($0.nameEnglish)]
    }
    try writeList(details.code, "movie_actor", details.actors) {
      [.text($0.name), .text($0.nameEnglish), .text($0.role), .text($0.roleEnglish)]
    }
    try writeList(details.code, "movie_show_type", details.showTypes) { [.text($0.group), .text($0.name)] }
    try writeList(details.code, "movie_company", details.companies) {
      [.text($0.code), .text($0.name), .text($0.nameEnglish), .text($0.part)]
    }
    try writeList(details.code, "movie_audit", details.audits) { [.text($0.number), .text($0.grade)] }
    try writeList(details.code, "movie_staff", details.staff) {
      [.text($0.name), .text($0.nameEnglish), .text($0.role)]
    }
  }

  /// Writes one list of a movie, in its order, from position 1.
  private func writeList<Element>(
    _ code: MovieCode, _ table: String, _ elements: [Element], _ columns: (Element) -> [ColumnValue]
  ) throws(StoreError) {
    for (index, element) in elements.enumerated() {
      let values = [.text(code.text), .integer(index + 1)] + columns(element)
      let marks = (1...values.count).map { "?\($0)" }.joined(separator: ", ")
      try write("INSERT INTO \(table) VALUES (\(marks))", values)
    }
  }
}
