import CatalogEngine
import SQLiteBinding

// Which movies stand in charts and have no details: what a sync asks for next.

// From the movies to their charts: in the long run nearly every movie has its details, and is passed over at once.
private let selectMissing = """
  SELECT movie.movie_code, resource.kind, max(resource.first_day), EXISTS (
      SELECT 1 FROM resource AS details
      WHERE details.upstream = ?1 AND details.kind = 'movie-details' AND details.key = movie.movie_code
        AND details.set_aside_until > ?11)
  FROM movie CROSS JOIN chart_entry USING (movie_code) CROSS JOIN resource USING (resource_id)
  WHERE resource.upstream = ?1 AND (
      (resource.kind = 'daily-box-office' AND resource.first_day BETWEEN ?2 AND ?3)
      OR (resource.kind = 'weekend-box-office' AND resource.first_day BETWEEN ?4 AND ?5)
      OR (resource.kind = 'weekday-box-office' AND resource.first_day BETWEEN ?6 AND ?7)
      OR (resource.kind = 'weekly-box-office' AND resource.first_day BETWEEN ?8 AND ?9))
    AND NOT EXISTS (
      SELECT 1 FROM movie_details CROSS JOIN resource AS details USING (resource_id)
      WHERE movie_details.movie_code = movie.movie_code AND details.upstream = ?1
        AND (?10 IS NULL OR details.source = ?10))
  GROUP BY movie.movie_code, resource.kind
  """

extension Connection {
  func moviesWithoutDetails(
    in days: ClosedRange<CalendarDay>, upstream: UpstreamID, from provenance: Provenance?, at now: Timestamp
  ) throws(StoreError) -> MissingDetails {
    var latest: [MovieCode: CalendarDay] = [:]
    var setAside: Set<MovieCode> = []
    try withStatement(selectMissing) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(upstream.name, at: 1)
        // The charts that end within the days, by their first days.
        for (index, span) in [0, 2, 3, 6].enumerated() {
          try statement.bind(days.lowerBound.advanced(by: -span).number, at: 2 + index * 2)
          try statement.bind(days.upperBound.advanced(by: -span).number, at: 3 + index * 2)
        }
        try statement.bind(provenance?.description, at: 10)
        try statement.bind(now.millisecondsSinceEpoch, at: 11)
        try statement.forEachRow { row throws(SQLiteError) in
          let (movie, kind) = (try row.movieCode(at: 0), try row.string(at: 1))
          let firstDay = try row.day(at: 2)
          guard let kind = ResourceID.Kind(rawValue: kind)?.periodKind else {
            throw .unreadable("a chart of kind '\(kind)'")
          }
          let through = BoxOfficePeriod(kind, containing: firstDay).through
          latest[movie] = max(through, latest[movie] ?? through)
          if try row.bool(at: 3) { setAside.insert(movie) }
        }
      }
    }
    let movies = latest.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    return MissingDetails(
      due: movies.filter { !setAside.contains($0) }, setAside: movies.filter { setAside.contains($0) })
  }
}

extension ResourceID.Kind {
  /// The kind of a chart's period; `nil` of what is no chart.
  fileprivate var periodKind: BoxOfficePeriod.Kind? {
    BoxOfficePeriod.Kind.allCases.first { .boxOffice($0) == self }
  }
}
