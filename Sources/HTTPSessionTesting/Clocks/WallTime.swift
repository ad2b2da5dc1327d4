/// Arithmetic on the time of day, in milliseconds since the Unix epoch, and on calendar days at a fixed offset
/// from UTC.
///
/// Korea has kept UTC+9 without summer time since 1988, so a fixed offset is exact for every day since.
public enum WallTime {
  /// 2022-01-06T12:00:00+09:00.
  public static let noonOf20220106InKorea: Int64 = 1_641_438_000_000

  /// Korea Standard Time's offset from UTC: nine hours.
  public static let koreanOffset: Swift.Duration = .seconds(9 * 3_600)

  private static let dayMilliseconds: Int64 = 86_400_000

  /// The start of a day of the Gregorian calendar, in milliseconds since the Unix epoch.
  ///
  /// - Parameters:
  ///   - offset: The zone's offset from UTC; Korea's unless you say so.
  public static func startOfDay(
    year: Int, month: Int, day: Int, offset: Swift.Duration = koreanOffset
  ) -> Int64 {
    // Days from the civil date, after Howard Hinnant's "chrono-compatible low-level date algorithms".
    let shiftedYear = Int64(month <= 2 ? year - 1 : year)
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = Int64((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1)
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (era * 146_097 + dayOfEra - 719_468) * dayMilliseconds - milliseconds(offset)
  }

  /// The start of the day after the one that holds `wallNow`, in milliseconds since the Unix epoch.
  public static func startOfNextDay(after wallNow: Int64, offset: Swift.Duration = koreanOffset)
    -> Int64
  {
    let local = wallNow + milliseconds(offset)
    let dayNumber =
      local >= 0 ? local / dayMilliseconds : (local - dayMilliseconds + 1) / dayMilliseconds
    return (dayNumber + 1) * dayMilliseconds - milliseconds(offset)
  }

  static func milliseconds(_ duration: Swift.Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}

extension ManualClock {
  /// Makes a clock that stands at an hour of a Korean calendar day.
  ///
  /// - Parameter hour: Hours since midnight in Asia/Seoul, 0 to 23.
  public convenience init(koreanYear year: Int, month: Int, day: Int, hour: Int = 12) {
    self.init(
      wallNow: WallTime.startOfDay(year: year, month: month, day: day) + Int64(hour) * 3_600_000)
  }

  /// Advances to the next midnight in Korea, waking those who are due.
  public func advanceToNextKoreanMidnight() {
    let wall = wallNow
    advance(by: .milliseconds(WallTime.startOfNextDay(after: wall) - wall))
  }
}
