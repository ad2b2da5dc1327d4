public import CatalogEngine
public import HTTPSessionTesting

// A manual clock drives both of a catalogue's times: the Korean day it takes it to be, and how long it waits.
extension ManualClock: CatalogClock {
  /// The clock's wall time, as a catalogue reads it.
  public var wallTime: Timestamp { Timestamp(millisecondsSinceEpoch: wallNow) }

  /// Waits until the test has moved the clock on by `duration`.
  public func sleep(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration))
  }

  /// Makes a clock that stands at `wallTime`.
  public convenience init(wallTime: Timestamp) { self.init(wallNow: wallTime.millisecondsSinceEpoch) }

  /// Makes a clock that stands at a time of a day in Korea.
  ///
  /// - Parameters:
  ///   - day: The day in Asia/Seoul.
  ///   - hour: The hour of that day, 0 to 23; noon if not given.
  ///   - minute: The minute of that hour.
  public convenience init(inKorea day: CalendarDay, hour: Int = 12, minute: Int = 0) {
    let offset = Duration.seconds(hour * 3600 + minute * 60)
    self.init(wallTime: day.startInKorea.advanced(by: offset))
  }

  /// Sets the wall alone to `wallTime`, as an operator or NTP does.
  public func setWallTime(_ wallTime: Timestamp) { setWallNow(wallTime.millisecondsSinceEpoch) }
}

// The same for a clock whose waits end at once.
extension ImmediateClock: CatalogClock {
  /// The clock's wall time, as a catalogue reads it.
  public var wallTime: Timestamp { Timestamp(millisecondsSinceEpoch: wallNow) }

  /// Moves the clock on by `duration`.
  public func sleep(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration))
  }
}
