/// The stable name of one thing an upstream can be asked for, as `kobis/daily-box-office/20220105`.
///
/// It is what the store files an answer under and what logs and reports print; it holds neither a key nor a host.
public struct ResourceID: Hashable, Sendable {
  /// The upstream that is asked.
  public let upstream: UpstreamID

  /// What it is asked for.
  public let subject: Subject

  /// Makes the name of `subject` at `upstream`.
  public init(upstream: UpstreamID, subject: Subject) {
    self.upstream = upstream
    self.subject = subject
  }

  /// What an upstream can be asked for.
  public enum Subject: Hashable, Sendable {
    /// The chart of a day, week, weekend or the days before it: of every film in the country, or of a part.
    case boxOffice(BoxOfficePeriod, BoxOfficeFilter = .everything)
    /// The details of a movie.
    case movieDetails(MovieCode)
    /// The details of a person.
    case personDetails(PersonCode)
    /// The details of a company.
    case companyDetails(CompanyCode)
    /// A list of codes.
    case codes(CodeList)
    /// A page, counted from 1, of one of the long lists.
    case page(CatalogList, Int)
  }

  /// The kinds of subjects: a resource's middle name, and its lifetime's key.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The chart of a day.
    case dailyBoxOffice = "daily-box-office"
    /// The chart of a week, Monday to Sunday.
    case weeklyBoxOffice = "weekly-box-office"
    /// The chart of a weekend, Friday to Sunday.
    case weekendBoxOffice = "weekend-box-office"
    /// The chart of the days before a weekend, Monday to Thursday.
    case weekdayBoxOffice = "weekday-box-office"
    /// The details of a movie.
    case movieDetails = "movie-details"
    /// The details of a person.
    case personDetails = "person-details"
    /// The details of a company.
    case companyDetails = "company-details"
    /// A list of codes.
    case codes = "codes"
    /// A page of the list of movies.
    case movieList = "movie-list"
    /// A page of the list of companies.
    case companyList = "company-list"
    /// A page of the list of people.
    case peopleList = "people-list"
  }
}

extension ResourceID.Subject {
  /// The subject's kind.
  public var kind: ResourceID.Kind {
    switch self {
    case .boxOffice(let period, _): .boxOffice(period.kind)
    case .movieDetails: .movieDetails
    case .personDetails: .personDetails
    case .companyDetails: .companyDetails
    case .codes: .codes
    case .page(let list, _): .page(of: list)
    }
  }

  /// The subject's name within its kind: `20220105`, `korean/20220105`, a code, the name of a list of codes, or a
  /// page's number in five digits.
  ///
  /// A chart's filter comes first, so that of one filter a range of keys is a range of days.
  public var key: String {
    switch self {
    case .boxOffice(let period, let filter): Self.keyPrefix(of: filter) + period.day.basicFormat
    case .movieDetails(let code): code.text
    case .personDetails(let code): code.text
    case .companyDetails(let code): code.text
    case .codes(let list): list.rawValue
    case .page(_, let number): Self.pageKey(number)
    }
  }

  /// What the keys of all charts of a filter begin with; nothing for those of everything.
  package static func keyPrefix(of filter: BoxOfficeFilter) -> String {
    filter.isEverything ? "" : "\(filter)/"
  }

  /// The key of a page, whose digits are as many for every page, so that keys sort as pages do.
  package static func pageKey(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits
  }

  /// Makes a subject from its kind and key; `nil` if the key is none of that kind.
  public init?(kind: ResourceID.Kind, key: String) {
    func chart(_ kind: BoxOfficePeriod.Kind) -> Self? { Self(chart: kind, key: key) }
    let subject: Self? =
      switch kind {
      case .dailyBoxOffice: chart(.daily)
      case .weeklyBoxOffice: chart(.weekly)
      case .weekendBoxOffice: chart(.weekend)
      case .weekdayBoxOffice: chart(.weekdays)
      case .movieDetails: MovieCode(key).map(Self.movieDetails)
      case .personDetails: PersonCode(key).map(Self.personDetails)
      case .companyDetails: CompanyCode(key).map(Self.companyDetails)
      case .codes: CodeList(rawValue: key).map(Self.codes)
      case .movieList: Self(page: key, of: .movies)
      case .companyList: Self(page: key, of: .companies)
      case .peopleList: Self(page: key, of: .people)
      }
    guard let subject else { return nil }
    self = subject
  }

  private init?(chart kind: BoxOfficePeriod.Kind, key: String) {
    let parts = key.split(separator: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let day = parts.last, day.utf8.count == 8,
      let day = CalendarDay(String(day)), let filter = BoxOfficeFilter(parts.count == 1 ? "" : parts[0]),
      filter.isEverything == (parts.count == 1)
    else { return nil }
    let period = BoxOfficePeriod(kind, containing: day)
    guard period.day == day else { return nil }
    self = .boxOffice(period, filter)
  }

  private init?(page key: String, of list: CatalogList) {
    guard let number = Int(key), (1...CatalogList.pageCountMax).contains(number),
      Self.pageKey(number) == key
    else { return nil }
    self = .page(list, number)
  }
}

extension ResourceID.Kind {
  /// The kind of a chart.
  public static func boxOffice(_ kind: BoxOfficePeriod.Kind) -> ResourceID.Kind {
    switch kind {
    case .daily: .dailyBoxOffice
    case .weekly: .weeklyBoxOffice
    case .weekend: .weekendBoxOffice
    case .weekdays: .weekdayBoxOffice
    }
  }

  /// The kind of a list's pages.
  public static func page(of list: CatalogList) -> ResourceID.Kind {
    switch list {
    case .movies: .movieList
    case .companies: .companyList
    case .people: .peopleList
    }
  }
}

extension ResourceID: CustomStringConvertible {
  /// Upstream, kind and key, parted by slashes.
  public var description: String { "\(upstream.name)/\(subject.kind.rawValue)/\(subject.key)" }
}

/// The short name of an upstream, the first part of every ``ResourceID`` of it.
public struct UpstreamID: Hashable, Sendable {
  /// The name, as `kobis`.
  public let name: String

  /// Makes an upstream's name.
  public init(_ name: String) { self.name = name }
}
