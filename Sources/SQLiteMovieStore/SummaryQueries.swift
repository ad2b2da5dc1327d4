import CatalogEngine
import SQLiteBinding

extension Connection {
  /// What is stored; runs inside the one snapshot of a read.
  func summary(upstream: UpstreamID, failureLimit: Int) throws(StoreError) -> StoreSummary {
    StoreSummary(
      kinds: try kindSummaries(upstream: upstream), movieCount: try number("SELECT count(*) FROM movie"),
      lastAttemptAt: try optionalNumber(
        "SELECT max(last_attempt_at) FROM resource WHERE upstream = ?1", upstream
      ).map {
        Timestamp(millisecondsSinceEpoch: $0)
      },
      failures: try failedAttempts(upstream: upstream, limit: failureLimit),
      failureCount: try number(
        "SELECT count(*) FROM resource WHERE failed_at IS NOT NULL AND upstream = ?1", upstream),
      lastRun: try runs(limit: 1).first, schemaVersion: try number("PRAGMA user_version"),
      byteCount: Int64(try number("PRAGMA page_count")) * Int64(try number("PRAGMA page_size")))
  }

  private func kindSummaries(upstream: UpstreamID) throws(StoreError) -> [StoreSummary.KindSummary] {
    var byKind: [ResourceID.Kind: StoreSummary.KindSummary] = [:]
    try withStatement(
      """
      SELECT kind, count(fetched_at), count(*) FILTER (WHERE source = 'recorded'),
        count(*) FILTER (WHERE fetched_at IS NULL),
        min(coalesce(CAST(first_day AS TEXT), key)) FILTER (WHERE fetched_at IS NOT NULL),
        max(coalesce(CAST(first_day AS TEXT), key)) FILTER (WHERE fetched_at IS NOT NULL),
        min(fetched_at), max(fetched_at)
      FROM resource WHERE upstream = ?1 GROUP BY kind
      """
    ) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(upstream.name, at: 1)
        try statement.forEachRow { row throws(SQLiteError) in
          guard let kind = ResourceID.Kind(rawValue: try row.string(at: 0)) else { return }
          byKind[kind] = StoreSummary.KindSummary(
            kind: kind, storedCount: try row.int(at: 1), recordedCount: try row.int(at: 2),
            missingCount: try row.int(at: 3), firstKey: try row.optionalString(at: 4),
            lastKey: try row.optionalString(at: 5), oldestFetchedAt: try row.optionalTimestamp(at: 6),
            newestFetchedAt: try row.optionalTimestamp(at: 7))
        }
      }
    }
    return ResourceID.Kind.allCases.map { kind in
      byKind[kind]
        ?? StoreSummary.KindSummary(
          kind: kind, storedCount: 0, recordedCount: 0, missingCount: 0, firstKey: nil, lastKey: nil,
          oldestFetchedAt: nil, newestFetchedAt: nil)
    }
  }

  private func failedAttempts(
    upstream: UpstreamID, limit: Int
  ) throws(StoreError) -> [StoreSummary.FailedAttempt] {
    var attempts: [StoreSummary.FailedAttempt] = []
    try withStatement(
      """
      SELECT resource.kind, resource.key, \(recordColumns) FROM resource
      WHERE failed_at IS NOT NULL AND upstream = ?1 ORDER BY failed_at DESC, key DESC LIMIT ?2
      """
    ) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(upstream.name, at: 1)
        try statement.bind(limit, at: 2)
      }
      try statement.forEachRow { row throws(StoreError) in
        let (kind, key) = try row.read { row throws(SQLiteError) in
          (try row.string(at: 0), try row.string(at: 1))
        }
        let record = try EntryRecord(row, from: 2)
        guard let kind = ResourceID.Kind(rawValue: kind),
          let subject = ResourceID.Subject(kind: kind, key: key),
          let failure = record.lastFailure
        else { return }
        attempts.append(
          StoreSummary.FailedAttempt(
            resource: ResourceID(upstream: upstream, subject: subject), failure: failure,
            isStored: record.fetchedAt != nil))
      }
    }
    return attempts
  }

  private func number(_ sql: String, _ upstream: UpstreamID? = nil) throws(StoreError) -> Int {
    Int(try optionalNumber(sql, upstream) ?? 0)
  }

  private func optionalNumber(_ sql: String, _ upstream: UpstreamID? = nil) throws(StoreError) -> Int64? {
    try withStatement(sql) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        if let upstream { try statement.bind(upstream.name, at: 1) }
        return try statement.firstRow { row throws(SQLiteError) in try row.optionalInt64(at: 0) } ?? nil
      }
    }
  }
}
