import CatalogEngine
import SQLiteBinding

// The table `listed_movie`, and the lists that hang on its rows.

private let directorTable = OrderedListTable.texts(
  select: "SELECT name FROM listed_movie_director WHERE listed_movie_id = ?1 ORDER BY position",
  insert: "INSERT INTO listed_movie_director VALUES (?1, ?2, ?3)")

private let companyTable = OrderedListTable<ListedMovie.Company>(
  select: """
    SELECT company_code, name FROM listed_movie_company WHERE listed_movie_id = ?1 ORDER BY position
    """,
  insert: "INSERT INTO listed_movie_company VALUES (?1, ?2, ?3, ?4)",
  read: { row throws(SQLiteError) in try ListedMovie.Company(row, from: 0) },
  bind: { company, statement throws(SQLiteError) in
    try statement.bind(company.code?.text, at: 3)
    try statement.bind(company.name, at: 4)
  })

/// The elements of a list that hang on the rows of a page, after the position of their row on the page.
private func selectOnPage(_ table: String, _ columns: String) -> String {
  """
  SELECT list_page_row.position, \(columns)
  FROM list_page_row
    CROSS JOIN listed_movie ON listed_movie.upstream = ?2 AND listed_movie.movie_code = list_page_row.code
    CROSS JOIN \(table) USING (listed_movie_id)
  WHERE list_page_row.resource_id = ?1 ORDER BY list_page_row.position, \(table).position
  """
}

private let selectDirectorsOnPage = selectOnPage("listed_movie_director", "listed_movie_director.name")
private let selectCompaniesOnPage = selectOnPage(
  "listed_movie_company", "listed_movie_company.company_code, listed_movie_company.name")

extension ListedMovie.Company {
  fileprivate init(_ row: borrowing Row, from first: Int) throws(SQLiteError) {
    self.init(
      code: row.isNull(at: first) ? nil : try row.companyCode(at: first), name: try row.string(at: first + 1))
  }
}

extension ListedMovie: ListedRow {
  static let table = ListedTable(
    "listed_movie", list: .movies, code: "movie_code", named: "title",
    others: [
      "title_english", "production_year", "opened_on", "type", "status", "nations", "genres", "main_nation",
      "main_genre",
    ])

  var codeText: String { code.text }

  init(_ row: borrowing Row, from first: Int) throws(SQLiteError) {
    self.init(
      code: try row.movieCode(at: first), title: try row.string(at: first + 1),
      titleEnglish: try row.optionalString(at: first + 2),
      productionYear: try row.optionalInt(at: first + 3), openedOn: try row.optionalDay(at: first + 4),
      type: try row.optionalString(at: first + 5), status: try row.optionalString(at: first + 6),
      nations: try row.optionalString(at: first + 7), genres: try row.optionalString(at: first + 8),
      mainNation: try row.optionalString(at: first + 9), mainGenre: try row.optionalString(at: first + 10))
  }

  func bind(to statement: inout Statement, from first: Int) throws(SQLiteError) {
    try statement.bind(code.text, at: first)
    try statement.bind(title, at: first + 1)
    try statement.bind(titleEnglish, at: first + 2)
    try statement.bind(productionYear, at: first + 3)
    try statement.bind(openedOn?.number, at: first + 4)
    try statement.bind(type, at: first + 5)
    try statement.bind(status, at: first + 6)
    try statement.bind(nations, at: first + 7)
    try statement.bind(genres, at: first + 8)
    try statement.bind(mainNation, at: first + 9)
    try statement.bind(mainGenre, at: first + 10)
  }

  static func value(_ page: CatalogPage<ListedMovie>) -> CatalogValue { .moviePage(page) }

  static func loadLists(
    of rows: inout [KnownRow<ListedMovie>], page: Int64, upstream: UpstreamID, in connection: Connection
  ) throws(StoreError) {
    func load(
      _ sql: String, _ append: (borrowing Row, inout ListedMovie?) throws(SQLiteError) -> Void
    ) throws(StoreError) {
      try connection.withStatement(sql) { statement throws(StoreError) in
        try statement.withSQLite { statement throws(SQLiteError) in
          try statement.bind(page, at: 1)
          try statement.bind(upstream.name, at: 2)
          try statement.forEachRow { row throws(SQLiteError) in
            let position = try row.int(at: 0)
            guard rows.indices.contains(position - 1), rows[position - 1].position == position else {
              throw .unreadable("a page without row \(position - 1)")
            }
            do throws(SQLiteError) {
              try append(row, &rows[position - 1].item)
            } catch {
              guard error.code == .corrupt else { throw error }
              rows[position - 1].item = nil
            }
          }
        }
      }
    }
    try load(selectDirectorsOnPage) { row, movie throws(SQLiteError) in
      movie?.directors.append(try row.string(at: 1))
    }
    try load(selectCompaniesOnPage) { row, movie throws(SQLiteError) in
      movie?.companies.append(try Company(row, from: 1))
    }
  }

  static func saveLists(of rows: [WrittenRow<ListedMovie>], in connection: Connection) throws(StoreError) {
    for table in ["listed_movie_director", "listed_movie_company"] where rows.contains(where: { !$0.isFirst })
    {
      try connection.runEach(
        "DELETE FROM \(table) WHERE listed_movie_id = ?1", rows.lazy.filter { !$0.isFirst }
      ) { row, statement throws(SQLiteError) in try statement.bind(row.number, at: 1) }
    }
    try connection.save(rows.map { ($0.number, $0.item.directors) }, directorTable)
    try connection.save(rows.map { ($0.number, $0.item.companies) }, companyTable)
  }
}

extension Connection {
  /// Fills in the lists that hang on one movie's row.
  func loadLists(of movie: inout ListedMovie, number: Int64) throws(StoreError) {
    movie.directors = try load(directorTable, number)
    movie.companies = try load(companyTable, number)
  }
}
