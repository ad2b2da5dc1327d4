extension Answer {
  /// The same answer, after `duration` on the session's clock.
  public func delayed(by duration: Duration) -> Answer {
    var answer = self
    if duration < .zero {
      answer.problem = .init(.contradictoryStub, "A delay of \(duration) is negative.")
    }
    answer.timing.delay = duration
    return answer
  }

  /// The same answer, its body coming in pieces of `pieceByteCount` bytes, one after each `interval` on the
  /// session's clock.
  public func throttled(pieceByteCount: Int, every interval: Duration) -> Answer {
    var answer = self
    if pieceByteCount < 1 || interval < .zero {
      answer.problem = .init(
        .contradictoryStub,
        "A body cannot come in pieces of \(pieceByteCount) bytes every \(interval).")
    } else {
      answer.timing.throttle = Throttle(pieceByteCount: pieceByteCount, interval: interval)
    }
    return answer
  }

  /// The same answer, held at `gate` after its delay until the test releases it.
  ///
  /// While it is held, the caller's deadline does not run: the test decides when the answer comes.
  public func held(at gate: Gate) -> Answer {
    var answer = self
    answer.timing.gate = gate
    return answer
  }
}
