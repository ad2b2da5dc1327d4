/// How long answers live, by what they are and by how old their day was, in Korean days, when they were fetched.
///
/// The upstream moves a day's figures until the next morning, corrects them for about a week, and touches them
/// hardly ever afterwards. An answer keeps the lifetime it was fetched with: a provisional chart does not turn into a
/// settled one by lying in the store.
public struct LifetimePolicy: Hashable, Sendable {
  /// A chart fetched on the day after its last day, or earlier: it still moves.
  public var provisional = Lifetime(fresh: .hours(1), revalidating: .hours(2), staleOnError: .days(1))
  /// A chart fetched 2 to ``recentDayCountMax`` days after its last day: it is being corrected.
  public var recent = Lifetime(fresh: .days(1), revalidating: .days(1), staleOnError: .days(7))
  /// A chart fetched up to ``settledDayCountMax`` days after its last day.
  public var settled = Lifetime(fresh: .days(7), revalidating: .days(7), staleOnError: .days(30))
  /// A chart fetched later than that: all but fixed.
  public var fixed = Lifetime(fresh: .days(180), revalidating: .days(180), staleOnError: .days(365))
  /// A chart without rows of a day that is not long gone, which means "not yet": forgotten soon.
  public var notYet = Lifetime(fresh: .seconds(600), revalidating: .zero, staleOnError: .zero)
  /// The details of a movie, a person or a company.
  public var details = Lifetime(fresh: .days(30), revalidating: .days(30), staleOnError: .days(365))
  /// A list of codes.
  public var codes = Lifetime(fresh: .days(30), revalidating: .days(30), staleOnError: .days(365))
  /// A page of the list of movies, and the whole list: once complete, it is not gone through again for so long.
  public var movieList = Lifetime(fresh: .days(30), revalidating: .days(30), staleOnError: .days(365))
  /// A page of the lists of companies and of people, and the whole lists.
  public var otherLists = Lifetime(fresh: .days(90), revalidating: .days(90), staleOnError: .days(365))

  /// The age of a chart's last day, in Korean days, up to which it counts as recent.
  public static let recentDayCountMax = 7
  /// The age of a chart's last day, in Korean days, up to which it counts as settled.
  public static let settledDayCountMax = 60

  /// Makes the default lifetimes.
  public init() {}

  /// The lifetime of a long list.
  public func lifetime(of list: CatalogList) -> Lifetime { list == .movies ? movieList : otherLists }

  /// The lifetime of the answer to `subject` that was fetched at `fetchedAt`.
  public func lifetime(of subject: ResourceID.Subject, isEmpty: Bool, fetchedAt: Timestamp) -> Lifetime {
    switch subject {
    case .movieDetails, .personDetails, .companyDetails: return details
    case .codes: return codes
    case .page(let list, _): return lifetime(of: list)
    case .boxOffice(let period, _):
      let ageInDays = period.through.days(until: CalendarDay(inKoreaAt: fetchedAt))
      if isEmpty { return ageInDays <= Self.recentDayCountMax ? notYet : settled }
      if ageInDays <= 1 { return provisional }
      if ageInDays <= Self.recentDayCountMax { return recent }
      return ageInDays <= Self.settledDayCountMax ? settled : fixed
    }
  }
}

extension Duration {
  fileprivate static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }
  fileprivate static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
