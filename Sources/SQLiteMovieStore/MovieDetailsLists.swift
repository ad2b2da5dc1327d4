import CatalogEngine
import SQLiteBinding

// The lists of a movie's details: a table each.

private let nations = OrderedListTable.texts(
  select: "SELECT name FROM movie_nation WHERE resource_id = ?1 ORDER BY position",
  insert: "INSERT INTO movie_nation VALUES (?1, ?2, ?3)")

private let genres = OrderedListTable.texts(
  select: "SELECT name FROM movie_genre WHERE resource_id = ?1 ORDER BY position",
  insert: "INSERT INTO movie_genre VALUES (?1, ?2, ?3)")

private let directors = OrderedListTable<MovieDetails.Person>(
  select: "SELECT name, name_english FROM movie_director WHERE resource_id = ?1 ORDER BY position",
  insert: "INSERT INTO movie_director VALUES (?1, ?2, ?3, ?4)",
  read: { row throws(SQLiteError) in
    MovieDetails.Person(name: try row.string(at: 0), nameEnglish: try row.optionalString(at: 1))
  },
  bind: { person, statement throws(SQLiteError) in
    try statement.bind(person.name, at: 3)
    try statement.bind(person.nameEnglish, at: 4)
  })

private let actors = OrderedListTable<MovieDetails.Actor>(
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

private let showTypes = OrderedListTable<MovieDetails.ShowType>(
  select: "SELECT group_name, name FROM movie_show_type WHERE resource_id = ?1 ORDER BY position",
  insert: "INSERT INTO movie_show_type VALUES (?1, ?2, ?3, ?4)",
  read: { row throws(SQLiteError) in
    MovieDetails.ShowType(group: try row.optionalString(at: 0), name: try row.optionalString(at: 1))
  },
  bind: { type, statement throws(SQLiteError) in
    try statement.bind(type.group, at: 3)
    try statement.bind(type.name, at: 4)
  })

private let companies = OrderedListTable<MovieDetails.Company>(
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

private let audits = OrderedListTable<MovieDetails.Audit>(
  select: "SELECT number, grade FROM movie_audit WHERE resource_id = ?1 ORDER BY position",
  insert: "INSERT INTO movie_audit VALUES (?1, ?2, ?3, ?4)",
  read: { row throws(SQLiteError) in
    MovieDetails.Audit(number: try row.optionalString(at: 0), grade: try row.optionalString(at: 1))
  },
  bind: { audit, statement throws(SQLiteError) in
    try statement.bind(audit.number, at: 3)
    try statement.bind(audit.grade, at: 4)
  })

private let staff = OrderedListTable<MovieDetails.Staff>(
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
}
