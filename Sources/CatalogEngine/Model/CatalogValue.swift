/// What an upstream answers and a store keeps: one case for each type of value.
///
/// The set is closed on purpose: a new type makes the compiler name every place that has to know of it.
public enum CatalogValue: Hashable, Sendable {
  /// The answer to ``ResourceID/Subject/boxOffice(_:_:)``.
  case boxOffice(BoxOffice)
  /// The answer to ``ResourceID/Subject/movieDetails(_:)``.
  case movieDetails(MovieDetails)
  /// The answer to ``ResourceID/Subject/personDetails(_:)``.
  case personDetails(PersonDetails)
  /// The answer to ``ResourceID/Subject/companyDetails(_:)``.
  case companyDetails(CompanyDetails)
  /// The answer to ``ResourceID/Subject/codes(_:)``.
  case codes(CodeTable)
  /// The answer to ``ResourceID/Subject/page(_:_:)`` of ``CatalogList/movies``.
  case moviePage(CatalogPage<ListedMovie>)
  /// The answer to ``ResourceID/Subject/page(_:_:)`` of ``CatalogList/companies``.
  case companyPage(CatalogPage<ListedCompany>)
  /// The answer to ``ResourceID/Subject/page(_:_:)`` of ``CatalogList/people``.
  case peoplePage(CatalogPage<ListedPerson>)

  /// Whether the answer holds nothing: a chart, a list of codes or a page without rows.
  public var isEmpty: Bool {
    switch self {
    case .boxOffice(let chart): chart.entries.isEmpty
    case .movieDetails, .personDetails, .companyDetails: false
    case .codes(let table): table.entries.isEmpty
    case .moviePage(let page): page.rows.isEmpty
    case .companyPage(let page): page.rows.isEmpty
    case .peoplePage(let page): page.rows.isEmpty
    }
  }

  /// Whether the answer is a page that lies past the end of its list, and may hold nothing where there were rows.
  public var isPastEnd: Bool {
    switch self {
    case .moviePage(let page): page.isPastEnd
    case .companyPage(let page): page.isPastEnd
    case .peoplePage(let page): page.isPastEnd
    case .boxOffice, .movieDetails, .personDetails, .companyDetails, .codes: false
    }
  }

  /// Whether two answers say the same, apart from what an upstream shuffles between calls, and from the length of the
  /// list that a page is one of, which changes with every row added anywhere in it.
  public func saysTheSame(as other: CatalogValue) -> Bool {
    switch (self, other) {
    case (.movieDetails(let one), .movieDetails(let two)): one.saysTheSame(as: two)
    case (.personDetails(let one), .personDetails(let two)): one.saysTheSame(as: two)
    case (.companyDetails(let one), .companyDetails(let two)): one.saysTheSame(as: two)
    case (.moviePage(let one), .moviePage(let two)): one.saysTheSame(as: two)
    case (.companyPage(let one), .companyPage(let two)): one.saysTheSame(as: two)
    case (.peoplePage(let one), .peoplePage(let two)): one.saysTheSame(as: two)
    default: self == other
    }
  }

  /// The subject that this is the answer to.
  public var subject: ResourceID.Subject {
    switch self {
    case .boxOffice(let chart): .boxOffice(chart.period, chart.filter)
    case .movieDetails(let details): .movieDetails(details.code)
    case .personDetails(let details): .personDetails(details.code)
    case .companyDetails(let details): .companyDetails(details.code)
    case .codes(let table): .codes(table.list)
    case .moviePage(let page): .page(.movies, page.number)
    case .companyPage(let page): .page(.companies, page.number)
    case .peoplePage(let page): .page(.people, page.number)
    }
  }
}

/// A type that a ``Resource`` can read as: one of the cases of ``CatalogValue``.
public protocol CatalogContent: Hashable, Sendable {
  /// Takes this type's content out of a value; `nil` if the value is of another case.
  init?(_ value: CatalogValue)
}

extension BoxOffice: CatalogContent {
  /// Takes the chart out of a value; `nil` if the value is none.
  public init?(_ value: CatalogValue) {
    guard case .boxOffice(let chart) = value else { return nil }
    self = chart
  }
}

extension MovieDetails: CatalogContent {
  /// Takes the details out of a value; `nil` if the value is none.
  public init?(_ value: CatalogValue) {
    guard case .movieDetails(let details) = value else { return nil }
    self = details
  }
}

extension PersonDetails: CatalogContent {
  /// Takes the details out of a value; `nil` if the value is none.
  public init?(_ value: CatalogValue) {
    guard case .personDetails(let content) = value else { return nil }
    self = content
  }
}

extension CompanyDetails: CatalogContent {
  /// Takes the details out of a value; `nil` if the value is none.
  public init?(_ value: CatalogValue) {
    guard case .companyDetails(let content) = value else { return nil }
    self = content
  }
}

extension CodeTable: CatalogContent {
  /// Takes the list out of a value; `nil` if the value is none.
  public init?(_ value: CatalogValue) {
    guard case .codes(let content) = value else { return nil }
    self = content
  }
}
