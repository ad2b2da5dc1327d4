import CatalogEngine
import SQLiteBinding

// The table `movie_details`; the lists that hang on its rows are in MovieDetailsLists.swift.

extension Connection {
  /// The details stored under a resource's number.
  func movieDetails(_ code: MovieCode, resource: Int64) throws(StoreError) -> MovieDetails? {
    let details: MovieDetails? = try withStatement(
      """
      SELECT title, title_english, title_original, running_minutes, production_year, opened_on, status, type
      FROM movie_details WHERE resource_id = ?1
      """
    ) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(resource, at: 1)
        return try statement.firstRow { row throws(SQLiteError) in
          MovieDetails(
            code: code, title: try row.string(at: 0), titleEnglish: try row.optionalString(at: 1),
            titleOriginal: try row.optionalString(at: 2), runningMinutes: try row.optionalInt(at: 3),
            productionYear: try row.optionalInt(at: 4), openedOn: try row.optionalDay(at: 5),
            status: try row.optionalString(at: 6), type: try row.optionalString(at: 7))
        }
      }
    }
    guard var details else { return nil }
    try loadLists(of: &details, resource: resource)
    return details
  }

  /// Puts a movie's details in the place of those stored under the resource's number.
  func replaceMovieDetails(_ details: MovieDetails, resource: Int64) throws(StoreError) {
    try run("DELETE FROM movie_details WHERE resource_id = ?1") { statement throws(SQLiteError) in
      try statement.bind(resource, at: 1)
    }
    try run(
      """
      INSERT INTO movie (movie_code, title, opened_on, named_on) VALUES (?1, ?2, ?3, 0)
      ON CONFLICT (movie_code) DO UPDATE SET title = excluded.title, opened_on = excluded.opened_on
      WHERE movie.named_on = 0
      """
    ) { statement throws(SQLiteError) in
      try statement.bind(details.code.text, at: 1)
      try statement.bind(details.title, at: 2)
      try statement.bind(details.openedOn?.number, at: 3)
    }
    try run("INSERT INTO movie_details VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)") {
      statement throws(SQLiteError) in
      try statement.bind(resource, at: 1)
      try statement.bind(details.code.text, at: 2)
      try statement.bind(details.title, at: 3)
      try statement.bind(details.titleEnglish, at: 4)
      try statement.bind(details.titleOriginal, at: 5)
      try statement.bind(details.runningMinutes, at: 6)
      try statement.bind(details.productionYear, at: 7)
      try statement.bind(details.openedOn?.number, at: 8)
      try statement.bind(details.status, at: 9)
      try statement.bind(details.type, at: 10)
    }
    try saveLists(of: details, resource: resource)
  }
}
