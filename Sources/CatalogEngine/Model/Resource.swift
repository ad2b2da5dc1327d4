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
  public static func dailyBoxOffice(
    on day: DayReference, filter: BoxOfficeFilter = .everything
  ) -> Resource { Resource(.boxOffice(.daily, day, filter)) }

  /// The chart of the week, Monday to Sunday, that holds `day`.
  public static func weeklyBoxOffice(
    containing day: DayReference, filter: BoxOfficeFilter = .everything
  ) -> Resource { Resource(.boxOffice(.weekly, day, filter)) }

  /// The chart of the weekend, Friday to Sunday, of the week that holds `day`.
  public static func weekendBoxOffice(
    containing day: DayReference, filter: BoxOfficeFilter = .everything
  ) -> Resource { Resource(.boxOffice(.weekend, day, filter)) }

  /// The chart of the days before the weekend, Monday to Thursday, of the week that holds `day`.
  public static func weekdayBoxOffice(
    containing day: DayReference, filter: BoxOfficeFilter = .everything
  ) -> Resource { Resource(.boxOffice(.weekdays, day, filter)) }

  /// The chart of `kind` that holds `day`.
  public static func boxOffice(
    _ kind: BoxOfficePeriod.Kind, containing day: DayReference, filter: BoxOfficeFilter = .everything
  ) -> Resource { Resource(.boxOffice(kind, day, filter)) }
}

extension Resource where Value == MovieDetails {
  /// The details of one movie.
  public static func movieDetails(_ code: MovieCode) -> Resource { Resource(.movieDetails(code)) }
}

extension Resource where Value == PersonDetails {
  /// The details of one person.
  public static func personDetails(_ code: PersonCode) -> Resource { Resource(.personDetails(code)) }
}

extension Resource where Value == CompanyDetails {
  /// The details of one company.
  public static func companyDetails(_ code: CompanyCode) -> Resource { Resource(.companyDetails(code)) }
}

extension Resource where Value == CodeTable {
  /// A list of the upstream's codes.
  public static func codes(_ list: CodeList) -> Resource { Resource(.codes(list)) }
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
  case boxOffice(BoxOfficePeriod.Kind, DayReference, BoxOfficeFilter)
  case movieDetails(MovieCode)
  case personDetails(PersonCode)
  case companyDetails(CompanyCode)
  case codes(CodeList)

  package var kind: ResourceID.Kind {
    switch self {
    case .boxOffice(let kind, _, _): .boxOffice(kind)
    case .movieDetails: .movieDetails
    case .personDetails: .personDetails
    case .companyDetails: .companyDetails
    case .codes: .codes
    }
  }

  package func resolved(at now: Timestamp) -> ResourceID.Subject {
    switch self {
    case .boxOffice(let kind, let day, let filter):
      .boxOffice(BoxOfficePeriod(kind, containing: day.resolved(at: now)), filter)
    case .movieDetails(let code): .movieDetails(code)
    case .personDetails(let code): .personDetails(code)
    case .companyDetails(let code): .companyDetails(code)
    case .codes(let list): .codes(list)
    }
  }
}
