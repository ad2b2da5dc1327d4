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
    /// The chart of a day, week or weekend.
    case boxOffice(BoxOfficePeriod)
    /// The details of a movie.
    case movieDetails(MovieCode)
  }

  /// The kinds of subjects: a resource's middle name, and its lifetime's key.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The chart of a day.
    case dailyBoxOffice = "daily-box-office"
    /// The chart of a week, Monday to Sunday.
    case weeklyBoxOffice = "weekly-box-office"
    /// The chart of a weekend, Friday to Sunday.
    case weekendBoxOffice = "weekend-box-office"
    /// The details of a movie.
    case movieDetails = "movie-details"
  }
}

extension ResourceID.Subject {
  /// The subject's kind.
  public var kind: ResourceID.Kind {
    switch self {
    case .boxOffice(let period): .boxOffice(period.kind)
    case .movieDetails: .movieDetails
    }
  }

  /// The subject's name within its kind: `20220105`, or a movie's code.
  public var key: String {
    switch self {
    case .boxOffice(let period): period.day.basicFormat
    case .movieDetails(let code): code.text
    }
  }

  /// Makes a subject from its kind and key; `nil` if the key is none of that kind.
  public init?(kind: ResourceID.Kind, key: String) {
    func period(_ kind: BoxOfficePeriod.Kind) -> Self? {
      guard key.utf8.count == 8, let day = CalendarDay(key) else { return nil }
      let period = BoxOfficePeriod(kind, containing: day)
      return period.day == day ? .boxOffice(period) : nil
    }
    let subject: Self? =
      switch kind {
      case .dailyBoxOffice: period(.daily)
      case .weeklyBoxOffice: period(.weekly)
      case .weekendBoxOffice: period(.weekend)
      case .movieDetails: MovieCode(key).map(Self.movieDetails)
      }
    guard let subject else { return nil }
    self = subject
  }
}

extension ResourceID.Kind {
  /// The kind of a chart.
  public static func boxOffice(_ kind: BoxOfficePeriod.Kind) -> ResourceID.Kind {
    switch kind {
    case .daily: .dailyBoxOffice
    case .weekly: .weeklyBoxOffice
    case .weekend: .weekendBoxOffice
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
