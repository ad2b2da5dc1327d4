import CatalogEngine

/// How fast a sync goes, by what it did in the last minute, and so how long it will still take.
///
/// Nothing is said before there is something to go by: a guess from the first answers would be off by whatever the
/// connection took to be made.
struct SyncPace {
  /// How far back it looks.
  static let window: Duration = .seconds(60)
  /// How far apart samples are kept; so there are no more of them than the window has of these.
  static let sampleInterval: Duration = .seconds(1)
  /// The least time that tells anything.
  static let spanMin: Duration = .seconds(3)

  /// How many resources were done at what time, the oldest first: one that is out of the window, at most.
  private var samples: [(instant: Timestamp, doneCount: Int)] = []
  private var doneCount = 0

  /// How many samples are kept now.
  var sampleCount: Int { samples.count }

  /// Begins to count; from then on time passes, answers or not.
  mutating func begin(at now: Timestamp) {
    if samples.isEmpty { samples.append((now, doneCount)) }
  }

  /// Takes account of how many resources are done by now.
  mutating func count(_ doneCount: Int, at now: Timestamp) {
    // A clock that was set back makes what was seen before worthless.
    if let last = samples.last, now < last.instant { samples = [] }
    begin(at: now)
    self.doneCount = doneCount
    if let last = samples.last, now.duration(since: last.instant) >= Self.sampleInterval {
      samples.append((now, doneCount))
    }
    let isOut = samples.dropFirst().prefix { now.duration(since: $0.instant) >= Self.window }
    samples.removeFirst(isOut.count)
  }

  /// How many resources were done in how much time of late; `nil` if that is too little to tell.
  private func recent(at now: Timestamp) -> (doneCount: Int, milliseconds: Int64)? {
    guard let first = samples.first else { return nil }
    let span = now.duration(since: first.instant)
    guard span >= Self.spanMin, doneCount > first.doneCount else { return nil }
    return (doneCount - first.doneCount, span.wholeMilliseconds)
  }

  /// The rate as people say it, `2.1 a second` or `12 a minute`; `nil` while it is unknown.
  func rate(at now: Timestamp) -> String? {
    guard let recent = recent(at: now) else { return nil }
    let tenths = Int64(recent.doneCount) * 10_000 / recent.milliseconds
    guard tenths < 10 else { return "\((tenths / 10).grouped).\(tenths % 10) a second" }
    return "\(max(1, Int64(recent.doneCount) * 60_000 / recent.milliseconds)) a minute"
  }

  /// How long `count` more resources will take; `nil` while that is unknown.
  func timeLeft(for count: Int, at now: Timestamp) -> Duration? {
    guard count > 0, let recent = recent(at: now) else { return nil }
    return .milliseconds(Int64(count) * recent.milliseconds / Int64(recent.doneCount))
  }
}
