import CatalogEngine
import SQLiteBinding

// The table `sync_run`: one row for each sync, counted on in the transaction of every page.

/// How many runs are kept, the latest.
private let runCountMax: Int64 = 1000

/// What a run counts.
enum RunCount: String {
  case fetched = "fetched_count"
  case unchanged = "unchanged_count"
  case revised = "revised_count"
  case failed = "failed_count"

  init(_ outcome: CommitReceipt.Outcome) {
    switch outcome {
    case .fetched: self = .fetched
    case .revised: self = .revised
    case .unchanged, .kept: self = .unchanged
    }
  }
}

extension Connection {
  func beginRun(at instant: Timestamp, planned: Int) throws(StoreError) -> SyncRunID {
    try withStatement("INSERT INTO sync_run (started_at, planned_count) VALUES (?1, ?2)") {
      statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(instant.millisecondsSinceEpoch, at: 1)
        try statement.bind(planned, at: 2)
        try statement.run()
      }
    }
    let run = SyncRunID(rawValue: lastInsertedRowID)
    try withStatement("DELETE FROM sync_run WHERE run_id <= ?1") { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(run.rawValue - runCountMax, at: 1)
        try statement.run()
      }
    }
    return run
  }

  func count(_ outcome: CommitReceipt.Outcome, in run: SyncRunID) throws(StoreError) {
    try count(RunCount(outcome), in: run)
  }

  func count(_ count: RunCount, in run: SyncRunID) throws(StoreError) {
    try withStatement("UPDATE sync_run SET \(count.rawValue) = \(count.rawValue) + 1 WHERE run_id = ?1") {
      statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(run.rawValue, at: 1)
        try statement.run()
      }
    }
  }

  func endRun(_ run: StoreSummary.Run) throws(StoreError) {
    try withStatement(
      """
      UPDATE sync_run SET ended_at = ?2, planned_count = ?3, fetched_count = max(fetched_count, ?4),
        unchanged_count = max(unchanged_count, ?5), revised_count = max(revised_count, ?6),
        failed_count = max(failed_count, ?7), stopped_because = ?8 WHERE run_id = ?1
      """
    ) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(run.id.rawValue, at: 1)
        try statement.bind(run.endedAt?.millisecondsSinceEpoch, at: 2)
        try statement.bind(run.plannedCount, at: 3)
        try statement.bind(run.fetchedCount, at: 4)
        try statement.bind(run.unchangedCount, at: 5)
        try statement.bind(run.revisedCount, at: 6)
        try statement.bind(run.failedCount, at: 7)
        try statement.bind(run.stoppedBecause, at: 8)
        try statement.run()
      }
    }
  }

  /// The latest runs, the latest first.
  func runs(limit: Int) throws(StoreError) -> [StoreSummary.Run] {
    try withStatement(
      """
      SELECT run_id, started_at, ended_at, planned_count, fetched_count, unchanged_count, revised_count,
        failed_count, stopped_because FROM sync_run ORDER BY run_id DESC LIMIT ?1
      """
    ) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(max(0, limit), at: 1)
        return try statement.mapRows { row throws(SQLiteError) in
          StoreSummary.Run(
            id: SyncRunID(rawValue: try row.int64(at: 0)),
            startedAt: Timestamp(millisecondsSinceEpoch: try row.int64(at: 1)),
            endedAt: try row.optionalTimestamp(at: 2), plannedCount: try row.int(at: 3),
            fetchedCount: try row.int(at: 4), unchangedCount: try row.int(at: 5),
            revisedCount: try row.int(at: 6), failedCount: try row.int(at: 7),
            stoppedBecause: try row.optionalString(at: 8))
        }
      }
    }
  }
}
