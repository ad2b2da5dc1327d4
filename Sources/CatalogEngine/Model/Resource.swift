/// Something to read, with the type of what it reads as: `.dailyBoxOffice(on: .yesterday)` is a `Resource<BoxOffice>`.
public struct Resource<Value: CatalogContent>: Hashable, Sendable {
  package let reference: SubjectReference

  /// Makes the resource of a reference; the factories below see to it that `Value` is the reference's type.
  init(_ reference: SubjectReference) { self.reference = reference }

  /// A resource's kind, for logs and lifetimes.
  public var kind: ResourceID.Kind { reference.kind }
}

extension Resource where Value == BoxOffice {
  /// The chart of one day in Korea.
  public static func dailyBoxOffice(on day: DayReference) -> Resource { Resource(.boxOffice(.daily, day)) }

  /// The chart of the week, Monday to Sunday, that holds `day`.
  public static func weeklyBoxOffice(containing day: DayReference) -> Resource {
    Resource(.boxOffice(.weekly, day))
  }

  /// The chart of the weekend, Friday to Sunday, of the week that holds `day`.
  public static func weekendBoxOffice(containing day: DayReference) -> Resource {
    Resource(.boxOffice(.weekend, day))
  }

  /// The chart of `kind` that holds `day`.
  public static func boxOffice(_ kind: BoxOfficePeriod.Kind, containing day: DayReference) -> Resource {
    Resource(.boxOffice(kind, day))
  }
}

extension Resource where Value == MovieDetails {
  /// The details of one movie.
  public static func movieDetails(_ code: MovieCode) -> Resource { Resource(.movieDetails(code)) }
}

/// A day, named outright or by its place before today; resolved in Korea by the catalogue's own clock.
public enum DayReference: Hashable, Sendable {
  /// The day before the Korean day it is when the catalogue is asked.
  case yesterday
  /// A day named outright.
  case day(CalendarDay)

  /// The day meant at `now`.
  public func resolved(at now: Timestamp) -> CalendarDay {
    switch self {
    case .yesterday: CalendarDay(inKoreaAt: now).advanced(by: -1)
    case .day(let day): day
    }
  }
}

/// A subject whose day may still wait for a clock.
package enum SubjectReference: Hashable, Sendable {
  case boxOffice(BoxOfficePeriod.Kind, DayReference)
  case movieDetails(MovieCode)

  package var kind: ResourceID.Kind {
    switch self {
    case .boxOffice(let kind, _): .boxOffice(kind)
    case .movieDetails: .movieDetails
    }
  }

  package func resolved(at now: Timestamp) -> ResourceID.Subject {
    switch self {
    case .boxOffice(let kind, let day): .boxOffice(BoxOfficePeriod(kind, containing: day.resolved(at: now)))
    case .movieDetails(let code): .movieDetails(code)
    }
  }
}
