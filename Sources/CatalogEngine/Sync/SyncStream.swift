extension SyncRequest {
  /// The streams of resources that a sync follows, each with a stable name: `daily`, `weekend:korean`, `details`.
  public enum Stream: Hashable, Sendable {
    /// The charts of one kind, of every film or of a part.
    case boxOffice(BoxOfficePeriod.Kind, BoxOfficeFilter = .everything)
    /// The details of movies that stand in charts.
    case details
    /// The lists of codes.
    case codes
    /// A long list, all of its pages.
    case list(CatalogList)

    /// The charts of days.
    public static let daily = Stream.boxOffice(.daily)
    /// The charts of weeks, Monday to Sunday.
    public static let weekly = Stream.boxOffice(.weekly)
    /// The charts of weekends, Friday to Sunday.
    public static let weekend = Stream.boxOffice(.weekend)
    /// The charts of the days before weekends, Monday to Thursday; followed when asked for.
    public static let weekdays = Stream.boxOffice(.weekdays)

    /// The streams without a filter, in the order in which they are told.
    public static let unfiltered: [Stream] =
      [.daily, .weekly, .weekend, .weekdays, .details, .codes] + CatalogList.allCases.map(Stream.list)

    /// What a sync of certain days follows unless it is told otherwise.
    public static let ofDays: Set<Stream> = [.daily, .weekly, .weekend, .details]

    /// What a sync of everything follows unless it is told otherwise: all that the days' charts do not hold already.
    public static let ofEverything = ofDays.union([.codes]).union(CatalogList.allCases.map(Stream.list))

    /// The stream's stable name; a filter follows after a colon.
    public var name: String {
      switch self {
      case .boxOffice(let kind, let filter):
        filter.isEverything ? kind.rawValue : "\(kind.rawValue):\(filter)"
      case .details: "details"
      case .codes: "codes"
      case .list(let list): list.rawValue
      }
    }

    /// Makes a stream from its stable name; `nil` if it is none.
    public init?(_ name: some StringProtocol) {
      let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 {
        guard let kind = BoxOfficePeriod.Kind(rawValue: String(parts[0])),
          let filter = BoxOfficeFilter(parts[1]),
          !filter.isEverything
        else { return nil }
        self = .boxOffice(kind, filter)
      } else {
        guard let stream = Self.unfiltered.first(where: { $0.name == name }) else { return nil }
        self = stream
      }
    }

    /// The chart that the stream follows; `nil` if it follows none.
    var chart: (kind: BoxOfficePeriod.Kind, filter: BoxOfficeFilter)? {
      guard case .boxOffice(let kind, let filter) = self else { return nil }
      return (kind, filter)
    }
  }
}
