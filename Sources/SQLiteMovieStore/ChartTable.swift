import CatalogEngine
import SQLiteBinding

// The tables `chart_entry` and `movie`: the rows of charts, and the movies they name.

/// The columns of a chart's row, in the order in which ``BoxOfficeEntry/init(_:from:)`` reads them.
private let entryColumns = """
  chart_entry.position, chart_entry.rank, chart_entry.rank_change, chart_entry.is_new, chart_entry.movie_code, \
  chart_entry.title, chart_entry.opened_on, chart_entry.sales_krw, chart_entry.sales_share_percent, \
  chart_entry.sales_change_krw, chart_entry.sales_change_percent, chart_entry.sales_total_krw, \
  chart_entry.audience, chart_entry.audience_change, chart_entry.audience_change_percent, \
  chart_entry.audience_total, chart_entry.screens, chart_entry.showings
  """

// One statement for the record and the rows: a look-up and a step the less on the hottest read.
private let selectChart = """
  SELECT resource.resource_id, \(recordColumns), \(entryColumns)
  FROM resource LEFT JOIN chart_entry USING (resource_id)
  WHERE upstream = ?1 AND kind = ?2 AND key = ?3 ORDER BY chart_entry.position
  """

private let insertMovie = """
  INSERT INTO movie (movie_code, title, opened_on, named_on) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (movie_code) DO UPDATE SET
    title = excluded.title, opened_on = coalesce(excluded.opened_on, opened_on), named_on = excluded.named_on
  WHERE excluded.named_on > movie.named_on
    OR (excluded.named_on = movie.named_on
      AND (title, opened_on) IS NOT (excluded.title, coalesce(excluded.opened_on, opened_on)))
  """

private let insertEntry = """
  INSERT INTO chart_entry VALUES
    (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)
  """

extension BoxOfficeEntry {
  /// Reads ``entryColumns``, the first of which is column `first`.
  fileprivate init(_ row: borrowing Row, from first: Int) throws(SQLiteError) {
    self.init(
      position: try row.int(at: first), rank: try row.int(at: first + 1),
      rankChange: try row.int(at: first + 2),
      isNew: try row.bool(at: first + 3), movieCode: try row.movieCode(at: first + 4),
      title: try row.string(at: first + 5), openedOn: try row.optionalDay(at: first + 6),
      salesKRW: try row.int64(at: first + 7), salesShare: try row.percentage(at: first + 8),
      salesChangeKRW: try row.int64(at: first + 9), salesChangePercent: try row.percentage(at: first + 10),
      salesTotalKRW: try row.int64(at: first + 11), audience: try row.int64(at: first + 12),
      audienceChange: try row.int64(at: first + 13),
      audienceChangePercent: try row.percentage(at: first + 14),
      audienceTotal: try row.int64(at: first + 15), screens: try row.int(at: first + 16),
      showings: try row.int(at: first + 17))
  }

  /// Binds all columns of `chart_entry`.
  fileprivate func bind(to statement: inout Statement, resource: Int64) throws(SQLiteError) {
    try statement.bind(resource, at: 1)
    try statement.bind(position, at: 2)
    try statement.bind(rank, at: 3)
    try statement.bind(rankChange, at: 4)
    try statement.bind(isNew, at: 5)
    try statement.bind(movieCode.text, at: 6)
    try statement.bind(title, at: 7)
    try statement.bind(openedOn?.number, at: 8)
    try statement.bind(salesKRW, at: 9)
    try statement.bind(salesShare.percent, at: 10)
    try statement.bind(salesChangeKRW, at: 11)
    try statement.bind(salesChangePercent.percent, at: 12)
    try statement.bind(salesTotalKRW, at: 13)
    try statement.bind(audience, at: 14)
    try statement.bind(audienceChange, at: 15)
    try statement.bind(audienceChangePercent.percent, at: 16)
    try statement.bind(audienceTotal, at: 17)
    try statement.bind(screens, at: 18)
    try statement.bind(showings, at: 19)
  }
}

extension Connection {
  /// The row of a chart's resource with its rows.
  func chartRow(
    of resource: ResourceID, period: BoxOfficePeriod, filter: BoxOfficeFilter
  ) throws(StoreError) -> ResourceRow? {
    var number: Int64?
    var record = EntryRecord()
    var entries: [BoxOfficeEntry] = []
    try withStatement(selectChart) { statement throws(StoreError) in
      try statement.bind(resource)
      try statement.forEachRow { row throws(StoreError) in
        if number == nil {
          number = try row.read { row throws(SQLiteError) in try row.int64(at: 0) }
          record = try EntryRecord(row, from: 1)
          entries.reserveCapacity(10)
        }
        let first = 1 + recordColumnCount
        guard !row.isNull(at: first) else { return }
        entries.append(try row.read { row throws(SQLiteError) in try BoxOfficeEntry(row, from: first) })
      }
    }
    guard let number else { return nil }
    let value =
      record.fetchedAt == nil
      ? nil : CatalogValue.boxOffice(BoxOffice(period: period, filter: filter, entries: entries))
    return ResourceRow(number: number, entry: StoredEntry(value: value, record: record))
  }

  /// Puts a chart's rows in the place of those stored under the resource's number.
  func replaceChart(_ chart: BoxOffice, resource: Int64, isFirst: Bool) throws(StoreError) {
    if !isFirst {
      try run("DELETE FROM chart_entry WHERE resource_id = ?1") { statement throws(SQLiteError) in
        try statement.bind(resource, at: 1)
      }
    }
    let namedOn = chart.period.through.number
    try runEach(insertMovie, chart.entries) { entry, movies throws(SQLiteError) in
      try movies.bind(entry.movieCode.text, at: 1)
      try movies.bind(entry.title, at: 2)
      try movies.bind(entry.openedOn?.number, at: 3)
      try movies.bind(namedOn, at: 4)
    }
    try runEach(insertEntry, chart.entries) { entry, entries throws(SQLiteError) in
      try entry.bind(to: &entries, resource: resource)
    }
  }

  func appearances(
    of movie: MovieCode, upstream: UpstreamID, limit: Int
  ) throws(StoreError) -> [ChartAppearance] {
    let latestFirst = try withStatement(
      """
      SELECT resource.kind, resource.key, \(entryColumns)
      FROM chart_entry JOIN resource USING (resource_id)
      WHERE chart_entry.movie_code = ?1 AND resource.upstream = ?2
      ORDER BY resource.first_day DESC, resource.kind DESC LIMIT ?3
      """
    ) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(movie.text, at: 1)
        try statement.bind(upstream.name, at: 2)
        try statement.bind(limit, at: 3)
      }
      return try statement.mapRows { row throws(StoreError) in
        try row.read { row throws(SQLiteError) in
          let (kind, key) = (try row.string(at: 0), try row.string(at: 1))
          guard let kind = ResourceID.Kind(rawValue: kind),
            case .boxOffice(let period, let filter)? = ResourceID.Subject(kind: kind, key: key)
          else { throw .unreadable("a chart entry of '\(kind)/\(key)'") }
          return ChartAppearance(period: period, filter: filter, entry: try BoxOfficeEntry(row, from: 2))
        }
      }
    }
    return latestFirst.reversed()
  }
}
