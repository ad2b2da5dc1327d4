/// The span of Korean days that a chart counts, and so which chart it is.
public struct BoxOfficePeriod: Hashable, Comparable, Sendable {
  /// How long a chart's span is.
  public enum Kind: String, CaseIterable, Sendable {
    /// One day.
    case daily
    /// Monday to Sunday (KOBIS `weekGb` 0).
    case weekly
    /// Friday to Sunday (KOBIS `weekGb` 1).
    case weekend
    /// Monday to Thursday (KOBIS `weekGb` 2).
    case weekdays
  }

  /// How long the span is.
  public let kind: Kind

  /// The span's first day: the day itself, the week's Monday, or the weekend's Friday.
  public let day: CalendarDay

  /// The chart of one day.
  public static func daily(_ day: CalendarDay) -> BoxOfficePeriod { BoxOfficePeriod(kind: .daily, day: day) }

  /// The chart of the week, Monday to Sunday, in which `day` lies.
  public static func weekly(containing day: CalendarDay) -> BoxOfficePeriod {
    BoxOfficePeriod(kind: .weekly, day: day.monday)
  }

  /// The chart of the weekend, Friday to Sunday, of the week in which `day` lies.
  public static func weekend(containing day: CalendarDay) -> BoxOfficePeriod {
    BoxOfficePeriod(kind: .weekend, day: day.monday.advanced(by: 4))
  }

  /// The chart of the days before the weekend, Monday to Thursday, of the week in which `day` lies.
  public static func weekdays(containing day: CalendarDay) -> BoxOfficePeriod {
    BoxOfficePeriod(kind: .weekdays, day: day.monday)
  }

  /// The chart of `kind` whose span or week holds `day`.
  public init(_ kind: Kind, containing day: CalendarDay) {
    switch kind {
    case .daily: self = .daily(day)
    case .weekly: self = .weekly(containing: day)
    case .weekend: self = .weekend(containing: day)
    case .weekdays: self = .weekdays(containing: day)
    }
  }

  private init(kind: Kind, day: CalendarDay) {
    self.kind = kind
    self.day = day
  }

  /// The span's last day.
  public var through: CalendarDay {
    switch kind {
    case .daily: day
    case .weekly: day.advanced(by: 6)
    case .weekend: day.advanced(by: 2)
    case .weekdays: day.advanced(by: 3)
    }
  }

  /// Orders periods by first day, then by kind's name.
  public static func < (one: BoxOfficePeriod, other: BoxOfficePeriod) -> Bool {
    one.day == other.day ? one.kind.rawValue < other.kind.rawValue : one.day < other.day
  }
}

extension CalendarDay {
  /// The Monday of the day's week.
  var monday: CalendarDay {
    advanced(by: -Int((Int64(daysSinceEpoch) + 3).floorRemainder(by: 7)))
  }
}
