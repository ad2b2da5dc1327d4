import CatalogEngine

/// A query of the command that can be exported by name: what a table would tell only in the schema's own terms.
///
/// Its columns have the names that the command's JSON has. Its rows come in the order of an index, so that nothing has
/// to be sorted, and so kept, before the first of them can be told.
struct ExportQuery {
  /// One column.
  struct Column {
    /// How a stored value is told.
    enum Form { case asStored, day, instant, boolean, percentage }

    var name: String
    var form: Form
    var expression: String

    init(_ name: String, _ expression: String, _ form: Form = .asStored) {
      self.name = name
      self.expression = expression
      self.form = form
    }
  }

  var name: String
  var columns: [Column]
  /// All that follows the columns, `ORDER BY` left out.
  var source: String
  var order: String
  /// Whether its rows belong to days that it can be narrowed to.
  var hasDays = false

  /// The query's SQL; narrowed down to charts whose last day lies within `days`, if it has any.
  func sql(days: ClosedRange<CalendarDay>?) -> String {
    let list = columns.map { "\($0.expression) AS \"\($0.name)\"" }.joined(separator: ", ")
    let condition = days.map { " WHERE " + Self.condition(for: $0) } ?? ""
    return "SELECT \(list) FROM \(source)\(condition) ORDER BY \(order)"
  }

  /// Days are numbers of ours, and need no parameters.
  private static func condition(for days: ClosedRange<CalendarDay>) -> String {
    let kinds = BoxOfficePeriod.Kind.allCases.map { kind in
      let span = kind.spanInDays
      let first = days.lowerBound.advanced(by: -span).number
      let last = days.upperBound.advanced(by: -span).number
      return "(resource.kind = '\(ResourceID.Kind.boxOffice(kind).rawValue)' "
        + "AND resource.first_day BETWEEN \(first) AND \(last))"
    }
    return "(" + kinds.joined(separator: " OR ") + ")"
  }
}

extension ExportQuery {
  /// All of them, in the order in which they are listed.
  static let all = [charts, movies, resources, failures, runs, quotas]

  /// The rows of every stored chart, with what it is a chart of and where it comes from.
  static let charts = ExportQuery(
    name: "charts",
    columns: [
      resource,
      Column("day", "resource.first_day", .day), Column("through", through), Column("filter", filter),
      Column("source", "resource.source"), Column("fetchedAt", "resource.fetched_at", .instant),
      Column("revision", "resource.revision"),
      Column("position", "chart_entry.position"), Column("rank", "chart_entry.rank"),
      Column("rankChange", "chart_entry.rank_change"), Column("isNew", "chart_entry.is_new", .boolean),
      Column("movieCode", "chart_entry.movie_code"), Column("title", "chart_entry.title"),
      Column("openedOn", "chart_entry.opened_on", .day), Column("salesKRW", "chart_entry.sales_krw"),
      Column("salesShare", "chart_entry.sales_share_percent", .percentage),
      Column("salesChangeKRW", "chart_entry.sales_change_krw"),
      Column("salesChangePercent", "chart_entry.sales_change_percent", .percentage),
      Column("salesTotalKRW", "chart_entry.sales_total_krw"), Column("audience", "chart_entry.audience"),
      Column("audienceChange", "chart_entry.audience_change"),
      Column("audienceChangePercent", "chart_entry.audience_change_percent", .percentage),
      Column("audienceTotal", "chart_entry.audience_total"), Column("screens", "chart_entry.screens"),
      Column("showings", "chart_entry.showings"),
    ],
    source: "resource JOIN chart_entry USING (resource_id)",
    order: "resource.upstream, resource.kind, resource.key, chart_entry.position", hasDays: true)

  /// Every movie that is known, with its details if there are some.
  static let movies = ExportQuery(
    name: "movies",
    columns: [
      Column("movieCode", "movie.movie_code"), Column("title", "movie.title"),
      Column("titleEnglish", "details.title_english"), Column("titleOriginal", "details.title_original"),
      Column("openedOn", "movie.opened_on", .day), Column("runningMinutes", "details.running_minutes"),
      Column("productionYear", "details.production_year"), Column("status", "details.status"),
      Column("type", "details.type"), Column("nations", names(in: "movie_nation")),
      Column("genres", names(in: "movie_genre")), Column("directors", names(in: "movie_director")),
      Column("source", "resource.source"), Column("fetchedAt", "resource.fetched_at", .instant),
    ],
    source: """
      movie LEFT JOIN movie_details AS details USING (movie_code) \
      LEFT JOIN resource ON resource.resource_id = details.resource_id
      """,
    order: "movie.movie_code")

  /// Everything that was asked for, with what is stored of it.
  static let resources = ExportQuery(
    name: "resources",
    columns: [
      resource, Column("day", "resource.first_day", .day), Column("through", through),
      Column("source", "resource.source"), Column("fetchedAt", "resource.fetched_at", .instant),
      Column("isEmpty", "resource.is_empty", .boolean), Column("revision", "resource.revision"),
      Column("revisedAt", "resource.revised_at", .instant),
      Column("lastAttemptAt", "resource.last_attempt_at", .instant),
      Column("failureCode", "resource.failure_code"), Column("failedAt", "resource.failed_at", .instant),
    ],
    source: "resource", order: "resource.upstream, resource.kind, resource.key")

  /// What failed at its last attempt, the oldest failure first.
  static let failures = ExportQuery(
    name: "failures",
    columns: [
      resource, Column("code", "resource.failure_code"), Column("message", "resource.failure_message"),
      Column("at", "resource.failed_at", .instant),
      Column("isStored", "resource.fetched_at IS NOT NULL", .boolean),
    ],
    source: "resource INDEXED BY resource_by_failure WHERE resource.failed_at IS NOT NULL",
    order: "resource.upstream, resource.failed_at, resource.key")

  /// The syncs, the oldest first.
  static let runs = ExportQuery(
    name: "runs",
    columns: [
      Column("id", "run_id"), Column("startedAt", "started_at", .instant),
      Column("endedAt", "ended_at", .instant), Column("planned", "planned_count"),
      Column("fetched", "fetched_count"), Column("unchanged", "unchanged_count"),
      Column("revised", "revised_count"), Column("failed", "failed_count"),
      Column("stoppedBecause", "stopped_because"),
    ],
    source: "sync_run", order: "run_id")

  /// The ledger of calls.
  static let quotas = ExportQuery(
    name: "quotas",
    columns: [
      Column("upstream", "upstream"), Column("day", "day", .day), Column("used", "used_count"),
      Column("exhaustedAt", "exhausted_at", .instant),
    ],
    source: "quota_day", order: "upstream, day")

  private static let resource = Column(
    "resource", "resource.upstream || '/' || resource.kind || '/' || resource.key")

  /// A chart's last day as text; null for what is no chart.
  private static var through: String {
    let first =
      "printf('%04d-%02d-%02d', first_day / 10000, first_day / 100 % 100, first_day % 100)"
    let spans = BoxOfficePeriod.Kind.allCases.map { kind in
      "WHEN '\(ResourceID.Kind.boxOffice(kind).rawValue)' THEN date(\(first), '+\(kind.spanInDays) days')"
    }
    return "CASE resource.kind \(spans.joined(separator: " ")) END"
  }

  /// What a chart is narrowed down to, which stands before the day in its key; null for everything. From the key, which
  /// files of older schemas have as well.
  private static let filter =
    "nullif(substr(resource.key, 1, max(0, instr(resource.key, '/') - 1)), '')"

  /// The names in one of the lists of a movie's details, in the upstream's order, parted by `; `.
  private static func names(in table: String) -> String {
    "(SELECT group_concat(name, '; ') FROM "
      + "(SELECT name FROM \(table) WHERE resource_id = details.resource_id ORDER BY position))"
  }
}
