/// What an upstream answers and a store keeps: one case for each type of value.
///
/// The set is closed on purpose: a new type makes the compiler name every place that has to know of it.
public enum CatalogValue: Hashable, Sendable {
  /// The answer to ``ResourceID/Subject/boxOffice(_:)``.
  case boxOffice(BoxOffice)
  /// The answer to ``ResourceID/Subject/movieDetails(_:)``.
  case movieDetails(MovieDetails)

  /// Whether the answer holds nothing: a chart without rows.
  public var isEmpty: Bool {
    switch self {
    case .boxOffice(let chart): chart.entries.isEmpty
    case .movieDetails: false
    }
  }

  /// Whether two answers say the same, apart from what an upstream shuffles between calls.
  public func saysTheSame(as other: CatalogValue) -> Bool {
    switch (self, other) {
    case (.boxOffice(let one), .boxOffice(let two)): one == two
    case (.movieDetails(let one), .movieDetails(let two)): one.saysTheSame(as: two)
    default: false
    }
  }

  /// The subject that this is the answer to.
  public var subject: ResourceID.Subject {
    switch self {
    case .boxOffice(let chart): .boxOffice(chart.period)
    case .movieDetails(let details): .movieDetails(details.code)
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
