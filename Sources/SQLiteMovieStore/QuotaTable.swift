import CatalogEngine
import SQLiteBinding

// The table `quota_day`: the calls of each upstream and day.

extension Connection {
  func quotaUse(of upstream: UpstreamID, on day: CalendarDay) throws(StoreError) -> QuotaUse {
    let use = try firstRow(
      "SELECT used_count, exhausted_at FROM quota_day WHERE upstream = ?1 AND day = ?2",
      [.text(upstream.name), .integer(day.number)]
    ) { row throws(SQLiteError) in
      QuotaUse(usedCount: try row.int(at: 0), exhaustedAt: try row.optionalTimestamp(at: 1))
    }
    return use ?? QuotaUse()
  }

  /// Enters one call.
  func enterCall(to upstream: UpstreamID, on day: CalendarDay) throws(StoreError) {
    try write(
      """
      INSERT INTO quota_day (upstream, day, used_count) VALUES (?1, ?2, 1)
      ON CONFLICT (upstream, day) DO UPDATE SET used_count = used_count + 1
      """, [.text(upstream.name), .integer(day.number)])
  }

  /// Enters so many calls at least.
  func raiseUse(of upstream: UpstreamID, on day: CalendarDay, to count: Int) throws(StoreError) {
    try write(
      """
      INSERT INTO quota_day (upstream, day, used_count) VALUES (?1, ?2, ?3)
      ON CONFLICT (upstream, day) DO UPDATE SET used_count = max(used_count, excluded.used_count)
      """, [.text(upstream.name), .integer(day.number), .integer(count)])
  }

  /// Takes note that the upstream says that the day's calls are used up.
  func exhaust(_ upstream: UpstreamID, on day: CalendarDay, count: Int, at instant: Timestamp)
    throws(StoreError)
  {
    try write(
      """
      INSERT INTO quota_day (upstream, day, used_count, exhausted_at) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (upstream, day) DO UPDATE SET
        used_count = max(used_count, excluded.used_count), exhausted_at = coalesce(exhausted_at, excluded.exhausted_at)
      """, [.text(upstream.name), .integer(day.number), .integer(count), .instant(instant)])
  }
}
