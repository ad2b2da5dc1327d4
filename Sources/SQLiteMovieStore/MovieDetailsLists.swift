import CatalogEngine
import SQLiteBinding

// The lists of a movie's details: a table each, all of the form (resource_id, position, columns of its own).

/// A list's two statements and how an element goes into columns and comes out of them.
private struct ListTable<Element>: Sendable {
  let select: String
  let insert: String
  let read: @Sendable (borrowing Row) throws(SQLiteError) -> Element
  /// Binds an element's columns, the first of which is parameter 3.
  let bind: @Sendable (Element, inout Statement) throws(SQLiteError) -> Void
}

private func names(_ select: String, _ insert: String) -> ListTable<String> {
  ListTable(
    select: select, insert: insert, read: { row throws(SQLiteError) in try row.string(at: 0) },
    bind: { name, statement throws(SQLiteError) in try statement.bind(name, at: 3) })
}

private let nations = names(
  "SELECT name FROM movie_nation WHERE resource_id = ?1 ORDER BY position",
  "INSERT INTO movie_nation VALUES (?1, ?2, ?3)")

private let genres = names(
  "SELECT name FROM movie_genre WHERE resource_id = ?1 ORDER BY position",
  "INSERT INTO movie_genre VALUES (?1, ?2, ?3)")

private let directors = ListTable<MovieDetails.Person>(
  select: "SELECT name, name_english FROM movie_director WHERE resource_id = ?1 ORDER BY position",
  insert: "INSERT INTO movie_director VALUES (?1, ?2, ?3, ?4)",
  read: { row throws(SQLiteError) in
    MovieDetails.Person(name: try row.string(at: 0), nameEnglish: try row.optionalString(at: 1))
  },
  bind: { person, statement throws(SQLiteError) in
    try statement.bind(person.name, at: 3)
    try statement.bind(person.nameEnglish, at: 4)
  })

private let actors = ListTable<MovieDetails.Actor>(
  select: """
    SELECT name, name_english, role, role_english FROM movie_actor WHERE resource_id = ?1 ORDER BY position
    """,
  insert: "INSERT INTO movie_actor VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
  read: { row throws(SQLiteError) in
    MovieDetails.Actor(
      name: try row.string(at: 0), nameEnglish: try row.optionalString(at: 1),
      role: try row.optionalString(at: 2),
      roleEnglish: try row.optionalString(at: 3))
  },
  bind: { actor, statement throws(SQLiteError) in
    try statement.bind(actor.name, at: 3)
    try statement.bind(actor.nameEnglish, at: 4)
    try statement.bind(actor.role, at: 5)
    try statement.bind(actor.roleEnglish, at: 6)
  })

private let showTypes = ListTable<MovieDetails.ShowType>(
  select: "SELECT group_name, name FROM movie_show_type WHERE resource_id = ?1 ORDER BY position",
  insert: "INSERT INTO movie_show_type VALUES (?1, ?2, ?3, ?4)",
  read: { row throws(SQLiteError) in
    MovieDetails.ShowType(group: try row.optionalString(at: 0), name: try row.optionalString(at: 1))
  },
  bind: { type, statement throws(SQLiteError) in
    try statement.bind(type.group, at: 3)
    try statement.bind(type.name, at: 4)
  })

private let companies = ListTable<MovieDetails.Company>(
  select: """
    SELECT company_code, name, name_english, part FROM movie_company WHERE resource_id = ?1 ORDER BY position
    """,
  insert: "INSERT INTO movie_company VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
  read: { row throws(SQLiteError) in
    MovieDetails.Company(
      code: try row.optionalString(at: 0), name: try row.string(at: 1),
      nameEnglish: try row.optionalString(at: 2),
      part: try row.optionalString(at: 3))
  },
  bind: { company, statement throws(SQLiteError) in
    try statement.bind(company.code, at: 3)
    try statement.bind(company.name, at: 4)
    try statement.bind(company.nameEnglish, at: 5)
    try statement.bind(company.part, at: 6)
  })

private let audits = ListTable<MovieDetails.Audit>(
  select: "SELECT number, grade FROM movie_audit WHERE resource_id = ?1 ORDER BY position",
  insert: "INSERT INTO movie_audit VALUES (?1, ?2, ?3, ?4)",
  read: { row throws(SQLiteError) in
    MovieDetails.Audit(number: try row.optionalString(at: 0), grade: try row.optionalString(at: 1))
  },
  bind: { audit, statement throws(SQLiteError) in
    try statement.bind(audit.number, at: 3)
    try statement.bind(audit.grade, at: 4)
  })

private let staff = ListTable<MovieDetails.Staff>(
  select: "SELECT name, name_english, role FROM movie_staff WHERE resource_id = ?1 ORDER BY position",
  insert: "INSERT INTO movie_staff VALUES (?1, ?2, ?3, ?4, ?5)",
  read: { row throws(SQLiteError) in
    MovieDetails.Staff(
      name: try row.string(at: 0), nameEnglish: try row.optionalString(at: 1),
      role: try row.optionalString(at: 2))
  },
  bind: { member, statement throws(SQLiteError) in
    try statement.bind(member.name, at: 3)
    try statement.bind(member.nameEnglish, at: 4)
    try statement.bind(member.role, at: 5)
  })

extension Connection {
  /// Fills in the lists of details that were read.
  func loadLists(of details: inout MovieDetails, resource: Int64) throws(StoreError) {
    details.nations = try load(nations, resource)
    details.genres = try load(genres, resource)
    details.directors = try load(directors, resource)
    details.actors = try load(actors, resource)
    details.showTypes = try load(showTypes, resource)
    details.companies = try load(companies, resource)
    details.audits = try load(audits, resource)
    details.staff = try load(staff, resource)
  }

  /// Writes the lists of details whose row was just written.
  func saveLists(of details: MovieDetails, resource: Int64) throws(StoreError) {
    try save(details.nations, nations, resource)
    try save(details.genres, genres, resource)
    try save(details.directors, directors, resource)
    try save(details.actors, actors, resource)
    try save(details.showTypes, showTypes, resource)
    try save(details.companies, companies, resource)
    try save(details.audits, audits, resource)
    try save(details.staff, staff, resource)
  }

  private func load<Element>(_ table: ListTable<Element>, _ resource: Int64) throws(StoreError) -> [Element] {
    try withStatement(table.select) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(resource, at: 1)
        return try statement.mapRows(table.read)
      }
    }
  }

  private func save<Element>(
    _ elements: [Element], _ table: ListTable<Element>, _ resource: Int64
  ) throws(StoreError) {
    guard !elements.isEmpty else { return }
    try withStatement(table.insert) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        for (index, element) in elements.enumerated() {
          try statement.bind(resource, at: 1)
          try statement.bind(index + 1, at: 2)
          try table.bind(element, &statement)
          try statement.run()
        }
      }
    }
  }
}
