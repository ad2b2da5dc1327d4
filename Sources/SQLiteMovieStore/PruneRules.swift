import CatalogEngine
import SQLiteBinding

// What may go from the store: each kind a condition on the tables, which counts and removes alike. What hangs on a
// resource goes with it (ON DELETE CASCADE).

/// Charts come first, as details may go once the last chart that refers to them has gone.
private enum Prunable: CaseIterable {
  case charts, details, attempts, runs

  var path: WritableKeyPath<PruneCount, Int> {
    switch self {
    case .charts: \.charts
    case .details: \.details
    case .attempts: \.attempts
    case .runs: \.runs
    }
  }

  var table: (name: String, key: String) {
    self == .runs ? ("sync_run", "run_id") : ("resource", "resource_id")
  }

  /// How many of the parameters the condition has: which upstream, and before when.
  var parameterCount: Int { self == .charts ? 1 : 2 }

  func condition(_ request: PruneRequest) -> String {
    switch self {
    case .charts:
      return "resource.upstream = ?1 AND resource.fetched_at IS NOT NULL AND \(Self.oldCharts(request))"
    case .details:
      let kinds = [ResourceID.Kind.movieDetails, .personDetails, .companyDetails].map { "'\($0.rawValue)'" }
      return """
        resource.upstream = ?1 AND resource.kind IN (\(kinds.joined(separator: ", ")))
          AND resource.fetched_at < ?2
          AND NOT (resource.kind = '\(ResourceID.Kind.movieDetails.rawValue)' AND EXISTS (
            SELECT 1 FROM chart_entry JOIN resource AS chart ON chart.resource_id = chart_entry.resource_id
            WHERE chart_entry.movie_code = resource.key AND NOT \(Self.oldCharts(request, of: "chart"))))
        """
    case .attempts:
      // What is set aside would be asked for again by the next sync.
      return """
        resource.upstream = ?1 AND resource.failed_at < ?2 AND resource.fetched_at IS NULL
          AND (resource.set_aside_until IS NULL OR resource.set_aside_until <= \(request.now.millisecondsSinceEpoch))
        """
    // Of syncs one is at work at a time: the latest, if any.
    case .runs:
      return "started_at < ?2 AND run_id < (SELECT max(run_id) FROM sync_run)"
    }
  }

  /// Days are numbers of ours, and need no parameters.
  private static func oldCharts(_ request: PruneRequest, of table: String = "resource") -> String {
    guard let day = request.chartsBefore else { return "(FALSE)" }
    let kinds = BoxOfficePeriod.Kind.allCases.map { kind in
      "(\(table).kind = '\(ResourceID.Kind.boxOffice(kind).rawValue)' "
        + "AND \(table).first_day < \(day.advanced(by: -kind.spanInDays).number))"
    }
    return "(" + kinds.joined(separator: " OR ") + ")"
  }
}

extension BoxOfficePeriod.Kind {
  /// By how many days a chart's last day follows its first.
  var spanInDays: Int {
    let period = BoxOfficePeriod(self, containing: CalendarDay(daysSinceEpoch: 0))
    return period.day.days(until: period.through)
  }
}

extension Connection {
  func prunable(_ request: PruneRequest) throws(StoreError) -> PruneCount {
    var count = PruneCount()
    for kind in Prunable.allCases {
      let sql = "SELECT count(*) FROM \(kind.table.name) WHERE \(kind.condition(request))"
      count[keyPath: kind.path] =
        try firstRow(sql, Array(Self.values(of: request).prefix(kind.parameterCount))) {
          row throws(SQLiteError) in try row.int(at: 0)
        } ?? 0
    }
    return count
  }

  func prune(_ request: PruneRequest, limit: Int) throws(StoreError) -> PruneCount {
    var count = PruneCount()
    for kind in Prunable.allCases where count.total < limit {
      let (table, key) = kind.table
      try write(
        """
        DELETE FROM \(table) WHERE \(key) IN (
          SELECT \(key) FROM \(table) WHERE \(kind.condition(request)) LIMIT ?3)
        """, Self.values(of: request) + [.integer(limit - count.total)])
      // Rows that go with those that were named are not counted.
      count[keyPath: kind.path] = changedRowCount
    }
    return count
  }

  private static func values(of request: PruneRequest) -> [ColumnValue] {
    [.text(request.upstream.name), .instant(request.before)]
  }
}
