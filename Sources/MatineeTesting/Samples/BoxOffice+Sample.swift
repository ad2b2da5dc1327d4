public import CatalogEngine

extension BoxOffice {
  /// An invented chart of `day` with ten rows, the same at every call; never of a real movie.
  ///
  /// Samples of successive days agree with each other: audiences accumulate and changes add up.
  public static func sample(day: CalendarDay) -> BoxOffice { sample(of: .daily(day)) }

  /// An invented chart of the week, Monday to Sunday, in which `day` lies.
  public static func sample(weekContaining day: CalendarDay) -> BoxOffice {
    sample(of: .weekly(containing: day))
  }

  /// An invented chart of the weekend, Friday to Sunday, of the week in which `day` lies.
  public static func sample(weekendContaining day: CalendarDay) -> BoxOffice {
    sample(of: .weekend(containing: day))
  }

  /// An invented chart of `period` with ten rows, which agrees with the samples of its days.
  public static func sample(of period: BoxOfficePeriod) -> BoxOffice {
    SimulatedBoxOffice(seed: sampleSeed).chart(of: period)
  }

  /// The seed that all samples are drawn from.
  static let sampleSeed: UInt64 = 20_031_111
}
