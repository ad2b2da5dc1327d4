import CatalogEngine
import SQLiteBinding

// The table `breaker`: the state of each upstream's circuit breaker. No row is a closed one that never failed.

extension Connection {
  func breaker(of upstream: UpstreamID) throws(StoreError) -> BreakerState {
    let state = try firstRow(
      "SELECT failure_count, opened_at, cool_down, next_attempt_at, probe_until FROM breaker WHERE upstream = ?1",
      [.text(upstream.name)]
    ) { row throws(SQLiteError) in
      BreakerState(
        consecutiveFailureCount: try row.int(at: 0), openedAt: try row.optionalTimestamp(at: 1),
        coolDown: .milliseconds(try row.int64(at: 2)), nextAttemptAt: try row.optionalTimestamp(at: 3),
        probeUntil: try row.optionalTimestamp(at: 4))
    }
    return state ?? BreakerState()
  }

  func saveBreaker(_ state: BreakerState, of upstream: UpstreamID) throws(StoreError) {
    try write(
      """
      INSERT INTO breaker (upstream, failure_count, opened_at, cool_down, next_attempt_at, probe_until)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT (upstream) DO UPDATE SET
        failure_count = excluded.failure_count, opened_at = excluded.opened_at, cool_down = excluded.cool_down,
        next_attempt_at = excluded.next_attempt_at, probe_until = excluded.probe_until
      """,
      [
        .text(upstream.name), .integer(state.consecutiveFailureCount), .instant(state.openedAt),
        .integer(Int(state.coolDown.wholeMilliseconds)), .instant(state.nextAttemptAt),
        .instant(state.probeUntil),
      ])
  }

  /// Tells the breaker what came of a call; writes only if that changes it.
  @discardableResult
  func changeBreaker(
    of upstream: UpstreamID, _ change: (inout BreakerState) -> Void
  ) throws(StoreError) -> BreakerState {
    let before = try breaker(of: upstream)
    var state = before
    change(&state)
    if state != before { try saveBreaker(state, of: upstream) }
    return state
  }
}
