/// When a sync that is repeated is due: instants that are anchored to Korean mornings, and so do not drift.
///
/// ```
/// every 1h   …  06:00  07:00  08:00  …  05:00  06:00  07:00  …       a divisor of the day: the same instants each day
/// every 7h   …  04:00  07:00  14:00  21:00  04:00  07:00  …          no divisor: it starts anew each morning
/// every 7d   Monday 07:00  Monday 07:00  …                           whole days: counted from a fixed Monday
/// ```
///
/// The instants depend on the interval alone: neither on when the program was started, nor on how long its syncs took,
/// nor on the machine's zone. So a program that is started anew, or a second one, comes to the same.
public struct SyncSchedule: Hashable, Sendable {
  /// The shortest interval: one minute.
  public static let intervalMin: Duration = .seconds(60)

  /// The hour in Asia/Seoul to which instants are anchored: early, and yet late enough for the upstream to have settled
  /// the figures of the day before, which it gathers from the theatres over night.
  public static let morningHour = 7

  /// The most that a clock is taken to be merely corrected by when it is set back; an instant that has been served is
  /// not served again for that.
  public static let clockCorrectionMax: Duration = .seconds(60)

  /// From one instant to the next, but for the last before a morning.
  public let interval: Duration

  /// The morning of 2003-11-10: the Monday of the first week that the upstream has charts of. Mondays, as the chart of
  /// a week is settled on the morning after its Sunday.
  private static let firstMorning = CalendarDay(daysSinceEpoch: 12_366).startInKorea
    .advanced(by: .seconds(morningHour * 3600))

  private static let day: Duration = .seconds(86_400)

  /// Makes a schedule.
  ///
  /// - Parameter interval: Shorter than a day, it is counted from each morning anew; a day or longer, from a fixed
  ///   Monday morning, so that whole days stay on mornings and whole weeks on Mondays.
  /// - Precondition: `interval` is at least ``intervalMin``.
  public init(every interval: Duration) {
    precondition(interval >= Self.intervalMin, "a sync is repeated after a minute at the earliest")
    self.interval = interval
  }

  /// The first instant after another.
  ///
  /// - Parameters:
  ///   - now: The present, by whatever the clock says.
  ///   - served: The instant for which the last sync was made, if there was one: it does not come again because the
  ///     clock was set back by no more than ``clockCorrectionMax``.
  /// - Returns: An instant later than `now`; `now` itself only at the end of time.
  public func next(after now: Timestamp, served: Timestamp? = nil) -> Timestamp {
    if let served, served > now, served.duration(since: now) <= Self.clockCorrectionMax {
      return next(after: served)
    }
    guard interval < Self.day else { return multiple(of: interval, from: Self.firstMorning, after: now) }
    let nextMorning = multiple(of: Self.day, from: Self.firstMorning, after: now)
    let morning = nextMorning.advanced(by: .zero - Self.day)
    return min(nextMorning, multiple(of: interval, from: morning, after: now))
  }

  /// The first instant after `now` that is a multiple of `step` away from `origin`.
  private func multiple(of step: Duration, from origin: Timestamp, after now: Timestamp) -> Timestamp {
    let stepInMilliseconds = step.wholeMilliseconds
    let since = now.duration(since: origin).wholeMilliseconds
    // Not `floorRemainder(by:)`, whose product overflows at the ends of time.
    let rest = since % stepInMilliseconds
    return now.advanced(by: .milliseconds(rest < 0 ? -rest : stepInMilliseconds - rest))
  }
}
