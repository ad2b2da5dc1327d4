/// When an answer comes, on the session's clock.
struct AnswerTiming: Sendable {
  /// The wait before the reply or the error.
  var delay: Duration = .zero
  /// How fast the body comes; `nil` for at once.
  var throttle: Throttle?
  /// Where the answer is held after its delay.
  var gate: Gate?
  /// Whether it comes at the request's deadline.
  var awaitsDeadline = false
}

/// A body that comes in pieces, one after each interval.
struct Throttle: Hashable, Sendable {
  let pieceByteCount: Int
  let interval: Duration

  /// How long `byteCount` bytes take.
  func duration(byteCount: Int) -> Duration {
    interval * ((byteCount + pieceByteCount - 1) / pieceByteCount)
  }
}

extension Throttle {
  /// Sleeps piece by piece; says whether the whole body came within `limit`.
  func pass(byteCount: Int, within limit: Duration, clock: any Clock<Duration>) async throws -> Bool {
    var elapsed: Duration = .zero
    var remainingByteCount = byteCount
    while remainingByteCount > 0 {
      guard elapsed + interval <= limit else {
        try await clock.sleep(for: limit - elapsed)
        return false
      }
      try await clock.sleep(for: interval)
      elapsed += interval
      remainingByteCount -= pieceByteCount
    }
    return true
  }
}
