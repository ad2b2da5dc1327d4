/// A stretch of what a store knows of movies, people or companies, in a stable order.
public struct Listing<Row: Hashable & Sendable>: Hashable, Sendable {
  /// The rows.
  public var rows: [Row]
  /// How many rows there are in all.
  public var totalCount: Int
  /// When the upstream's list was last gone through completely; `nil` if it never was.
  public var completedAt: Timestamp?

  /// Makes a stretch.
  public init(rows: [Row], totalCount: Int, completedAt: Timestamp?) {
    self.rows = rows
    self.totalCount = totalCount
    self.completedAt = completedAt
  }
}

/// Which stretch of a listing is asked for.
public struct ListingQuery: Hashable, Sendable {
  /// How many rows to leave out before the first.
  public var offset: Int
  /// The most rows to give.
  public var limit: Int
  /// Whether rows that the upstream no longer lists are given as well.
  public var includesGone: Bool

  /// The most rows that one query may ask for.
  public static let limitMax = 10_000

  /// Makes a query.
  ///
  /// - Precondition: `offset` is not negative, `limit` is 1 to ``limitMax``.
  public init(offset: Int = 0, limit: Int = 100, includesGone: Bool = false) {
    precondition(offset >= 0, "an offset is not negative")
    precondition((1...Self.limitMax).contains(limit), "a query asks for 1 to \(Self.limitMax) rows")
    self.offset = offset
    self.limit = limit
    self.includesGone = includesGone
  }
}

/// A movie as a store knows it: from the upstream's list, from charts, or from its details.
public struct KnownMovie: Hashable, Sendable {
  /// The movie's row; of one that no list had, what charts and details say.
  public var movie: ListedMovie
  /// Whether its details are stored.
  public var hasDetails: Bool
  /// When a complete go through the list came without it; `nil` if none did.
  public var goneAt: Timestamp?

  /// Makes a known movie.
  public init(movie: ListedMovie, hasDetails: Bool, goneAt: Timestamp? = nil) {
    self.movie = movie
    self.hasDetails = hasDetails
    self.goneAt = goneAt
  }
}

/// A person as a store knows it from the upstream's list.
public struct KnownPerson: Hashable, Sendable {
  /// The person's row.
  public var person: ListedPerson
  /// When a complete go through the list came without it; `nil` if none did.
  public var goneAt: Timestamp?

  /// Makes a known person.
  public init(person: ListedPerson, goneAt: Timestamp? = nil) {
    self.person = person
    self.goneAt = goneAt
  }
}

/// A company as a store knows it from the upstream's list.
public struct KnownCompany: Hashable, Sendable {
  /// The company's row.
  public var company: ListedCompany
  /// When a complete go through the list came without it; `nil` if none did.
  public var goneAt: Timestamp?

  /// Makes a known company.
  public init(company: ListedCompany, goneAt: Timestamp? = nil) {
    self.company = company
    self.goneAt = goneAt
  }
}
