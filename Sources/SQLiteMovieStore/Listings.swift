import CatalogEngine
import SQLiteBinding

// Stretches of what is known of movies, people and companies.

// A movie that the list never had is known from the charts and details of the upstream that is asked for. CROSS JOIN,
// here and below, goes from left to right: the other way round every resource would be looked at for each movie.
private let unlistedMovies = """
  FROM movie
  WHERE NOT EXISTS (SELECT 1 FROM listed_movie
      WHERE listed_movie.upstream = ?1 AND listed_movie.movie_code = movie.movie_code)
    AND (EXISTS (SELECT 1 FROM chart_entry CROSS JOIN resource USING (resource_id)
        WHERE chart_entry.movie_code = movie.movie_code AND resource.upstream = ?1)
      OR EXISTS (SELECT 1 FROM movie_details CROSS JOIN resource USING (resource_id)
        WHERE movie_details.movie_code = movie.movie_code AND resource.upstream = ?1))
  """

// The first part comes sorted by an index; the second is short.
private let selectMovies = """
  SELECT listed_movie_id, opened_on, movie_code FROM listed_movie
  WHERE upstream = ?1 AND (?2 OR gone_at IS NULL)
  UNION ALL
  SELECT NULL, opened_on, movie_code \(unlistedMovies)
  ORDER BY opened_on DESC, movie_code LIMIT ?3 OFFSET ?4
  """

private let countMovies = """
  SELECT (SELECT count(*) FROM listed_movie WHERE upstream = ?1 AND (?2 OR gone_at IS NULL))
    + (SELECT count(*) \(unlistedMovies))
  """

private let selectListedMovie = """
  SELECT gone_at, \(ListedMovie.table.columns) FROM listed_movie WHERE listed_movie_id = ?1
  """

private let selectUnlistedMovie = "SELECT title, opened_on FROM movie WHERE movie_code = ?1"

private let selectDetailsNumber = """
  SELECT resource_id FROM movie_details CROSS JOIN resource USING (resource_id)
  WHERE movie_details.movie_code = ?1 AND resource.upstream = ?2 LIMIT 1
  """

extension Connection {
  func knownMovies(_ query: ListingQuery, upstream: UpstreamID) throws(StoreError) -> Listing<KnownMovie> {
    let keys = try withStatement(selectMovies) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(query, of: upstream)
        return try statement.mapRows { row throws(SQLiteError) in
          (number: try row.optionalInt64(at: 0), code: try row.movieCode(at: 2))
        }
      }
    }
    return Listing(
      rows: try keys.map { key throws(StoreError) in
        try knownMovie(key.code, number: key.number, upstream: upstream)
      },
      totalCount: try count(countMovies, query, of: upstream),
      completedAt: try completion(of: .movies, upstream: upstream))
  }

  func knownPeople(_ query: ListingQuery, upstream: UpstreamID) throws(StoreError) -> Listing<KnownPerson> {
    try listing(query, of: upstream) { KnownPerson(person: $0, goneAt: $1) }
  }

  func knownCompanies(_ query: ListingQuery, upstream: UpstreamID) throws(StoreError) -> Listing<KnownCompany>
  {
    try listing(query, of: upstream) { KnownCompany(company: $0, goneAt: $1) }
  }

  private func listing<Item: ListedRow, Known>(
    _ query: ListingQuery, of upstream: UpstreamID, _ known: (Item, Timestamp?) -> Known
  ) throws(StoreError) -> Listing<Known> {
    let rows = try withStatement(Item.table.selectListing) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(query, of: upstream)
        return try statement.mapRows { row throws(SQLiteError) in
          known(try Item(row, from: 1), try row.optionalTimestamp(at: 0))
        }
      }
    }
    return Listing(
      rows: rows, totalCount: try count(Item.table.count, query, of: upstream),
      completedAt: try completion(of: Item.table.list, upstream: upstream))
  }

  private func count(
    _ sql: String, _ query: ListingQuery, of upstream: UpstreamID
  ) throws(StoreError) -> Int {
    try firstRow(sql, [.text(upstream.name), .integer(query.includesGone ? 1 : 0)]) {
      row throws(SQLiteError) in try row.int(at: 0)
    } ?? 0
  }

  private func knownMovie(
    _ code: MovieCode, number: Int64?, upstream: UpstreamID
  ) throws(StoreError) -> KnownMovie {
    let details = try firstRow(selectDetailsNumber, [.text(code.text), .text(upstream.name)]) {
      row throws(SQLiteError) in try row.int64(at: 0)
    }
    let known =
      if let number {
        try listedMovie(number: number, hasDetails: details != nil)
      } else {
        try unlistedMovie(code, details: details)
      }
    guard let known else { throw StoreError(.unreadable("the movie \(code)")) }
    return known
  }

  /// A movie by its row of the list.
  private func listedMovie(number: Int64, hasDetails: Bool) throws(StoreError) -> KnownMovie? {
    let known = try firstRow(selectListedMovie, [.integer(Int(number))]) { row throws(SQLiteError) in
      KnownMovie(
        movie: try ListedMovie(row, from: 1), hasDetails: hasDetails, goneAt: try row.optionalTimestamp(at: 0)
      )
    }
    guard var known else { return nil }
    try loadLists(of: &known.movie, number: number)
    return known
  }

  /// A movie by what charts say, and details, if they are stored.
  private func unlistedMovie(_ code: MovieCode, details: Int64?) throws(StoreError) -> KnownMovie? {
    let movie = try firstRow(selectUnlistedMovie, [.text(code.text)]) { row throws(SQLiteError) in
      ListedMovie(code: code, title: try row.string(at: 0), openedOn: try row.optionalDay(at: 1))
    }
    guard var movie else { return nil }
    if let details, let answer = try movieDetails(code, resource: details) { movie.complete(with: answer) }
    return KnownMovie(movie: movie, hasDetails: details != nil)
  }
}

extension ListedMovie {
  /// Fills in what details say, in the form of a list's row; title and opening stay those of the charts.
  fileprivate mutating func complete(with details: MovieDetails) {
    func joined(_ names: [String]) -> String? { names.isEmpty ? nil : names.joined(separator: ",") }
    titleEnglish = details.titleEnglish
    productionYear = details.productionYear
    type = details.type
    status = details.status
    nations = joined(details.nations)
    genres = joined(details.genres)
    mainNation = details.nations.first
    mainGenre = details.genres.first
    directors = details.directors.map(\.name)
    // A company stands in details once for each of its parts.
    var seen: Set<Company> = []
    companies = details.companies.map { Company(code: $0.code.flatMap { CompanyCode($0) }, name: $0.name) }
      .filter { seen.insert($0).inserted }
  }
}

extension Statement {
  /// Binds upstream, whether rows are wanted that are gone, limit and offset as parameters 1 to 4.
  fileprivate mutating func bind(_ query: ListingQuery, of upstream: UpstreamID) throws(SQLiteError) {
    try bind(upstream.name, at: 1)
    try bind(query.includesGone, at: 2)
    try bind(query.limit, at: 3)
    try bind(query.offset, at: 4)
  }
}
