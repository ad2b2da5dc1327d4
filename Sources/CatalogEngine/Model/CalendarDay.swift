/// One day of the Korean calendar (Asia/Seoul): what the upstream calls `targetDt`, `openDt` or a bound of `showRange`.
///
/// Korea keeps UTC+9 all year and has done so since 1988, before the first day of data (2003-11-11), so a day
/// is plain arithmetic on Unix time and needs no zone database; no other zone is ever used to compute one.
public struct CalendarDay: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01 in the proleptic Gregorian calendar.
  public let daysSinceEpoch: Int32

  /// Makes a day from a count of days since 1970-01-01.
  ///
  /// - Precondition: The day lies in the years 1 to 9999.
  public init(daysSinceEpoch: Int32) {
    precondition(Self.representable.contains(daysSinceEpoch), "the day lies outside the years 1 to 9999")
    self.daysSinceEpoch = daysSinceEpoch
  }

  /// Makes the day of a calendar date; `nil` if there is no such date in the years 1 to 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.dayCount(ofMonth: month, year: year)
    else { return nil }
    daysSinceEpoch = Self.daysSinceEpoch(year: year, month: month, day: day)
  }

  /// Makes the Korean day in which an instant lies.
  public init(inKoreaAt instant: Timestamp) {
    let seconds = instant.millisecondsSinceEpoch.floorDivided(by: 1000) + Self.koreaOffsetSeconds
    let days = seconds.floorDivided(by: 86_400)
    daysSinceEpoch = Int32(
      clamping: min(max(days, Int64(Self.representable.lowerBound)), Int64(Self.representable.upperBound)))
  }

  /// The instant at which the day begins in Korea, 00:00 KST.
  public var startInKorea: Timestamp {
    Timestamp(millisecondsSinceEpoch: (Int64(daysSinceEpoch) * 86_400 - Self.koreaOffsetSeconds) * 1000)
  }

  /// Year, month (1 to 12) and day of the month (1 to 31).
  public var components: (year: Int, month: Int, day: Int) { Self.civil(daysSinceEpoch) }

  /// The day of the week, Monday to Sunday.
  public var weekday: Weekday {
    // 1970-01-01 was a Thursday, three days after a Monday.
    let index = (Int64(daysSinceEpoch) + 3).floorRemainder(by: 7)
    return Weekday.allCases[Int(index)]
  }

  /// The day `count` days later, or earlier if `count` is negative; held to the years 1 to 9999.
  public func advanced(by count: Int) -> CalendarDay {
    let sum = Int64(daysSinceEpoch).addingReportingOverflow(Int64(count))
    let target = sum.overflow ? (count < 0 ? Int64.min : .max) : sum.partialValue
    let bounds = Self.representable
    return CalendarDay(
      daysSinceEpoch: Int32(min(max(target, Int64(bounds.lowerBound)), Int64(bounds.upperBound))))
  }

  /// How many days `other` comes after this day; negative if it comes before.
  public func days(until other: CalendarDay) -> Int { Int(other.daysSinceEpoch) - Int(daysSinceEpoch) }

  /// Orders days by the calendar.
  public static func < (one: CalendarDay, other: CalendarDay) -> Bool {
    one.daysSinceEpoch < other.daysSinceEpoch
  }

  /// The days of the week, in ISO 8601's order.
  public enum Weekday: String, CaseIterable, Sendable {
    /// A day of the week.
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday
  }
}

extension CalendarDay {
  /// Korea's offset from UTC: nine hours, all year.
  static let koreaOffsetSeconds: Int64 = 9 * 3600

  /// 0001-01-01 to 9999-12-31.
  private static let representable: ClosedRange<Int32> = -719_162...2_932_896

  private static func dayCount(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: return 30
    default: return 31
    }
  }

  // The two conversions are Howard Hinnant's days_from_civil and civil_from_days
  // (https://howardhinnant.github.io/date_algorithms.html): years begin in March, so that the leap day is last.
  private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int32 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = Int64(shiftedYear).floorDivided(by: 400)
    let yearOfEra = Int64(shiftedYear) - era * 400
    let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int32(era * 146_097 + dayOfEra - 719_468)
  }

  private static func civil(_ days: Int32) -> (year: Int, month: Int, day: Int) {
    let shifted = Int64(days) + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (Int(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)), Int(month), Int(day))
  }
}

extension FixedWidthInteger {
  /// The quotient rounded toward negative infinity, so that instants before 1970 fall in the right day.
  package func floorDivided(by divisor: Self) -> Self {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder != 0 && (remainder < 0) != (divisor < 0) ? quotient - 1 : quotient
  }

  /// The remainder that goes with ``floorDivided(by:)``; never negative for a positive divisor.
  package func floorRemainder(by divisor: Self) -> Self { self - floorDivided(by: divisor) * divisor }
}
