/// A chart: what Korean cinemas sold in one day, week or part of it, best first.
public struct BoxOffice: Hashable, Sendable {
  /// The span of days that the chart counts.
  public let period: BoxOfficePeriod

  /// What the chart is narrowed down to; everything if not told otherwise.
  public let filter: BoxOfficeFilter

  /// The chart's rows by ascending ``BoxOfficeEntry/position``; empty if the upstream has none (yet).
  public let entries: [BoxOfficeEntry]

  /// The rows that a chart has unless fewer movies were shown (KOBIS `itemPerPage`, at most).
  public static let rowCountUsual = 10

  /// Makes a chart.
  ///
  /// - Precondition: Positions ascend strictly. That no movie stands twice is the source's to check.
  public init(
    period: BoxOfficePeriod, filter: BoxOfficeFilter = .everything, entries: [BoxOfficeEntry]
  ) {
    precondition(
      zip(entries, entries.dropFirst()).allSatisfy { $0.position < $1.position },
      "positions must ascend strictly")
    self.period = period
    self.filter = filter
    self.entries = entries
  }
}

/// One row of a chart; money in Korean won, audience in admissions.
public struct BoxOfficeEntry: Hashable, Sendable {
  /// The row's place on the chart, from 1 (KOBIS `rnum`); unique, and the order of the rows.
  public var position: Int
  /// The movie's rank (KOBIS `rank`); two movies may tie and share one.
  public var rank: Int
  /// How many ranks the movie rose (positive) or fell since the period before (KOBIS `rankInten`).
  public var rankChange: Int
  /// Whether the movie is new on the chart (KOBIS `rankOldAndNew` is `NEW`).
  public var isNew: Bool
  /// The movie (KOBIS `movieCd`).
  public var movieCode: MovieCode
  /// The movie's Korean title (KOBIS `movieNm`).
  public var title: String
  /// The day the movie opened in Korea (KOBIS `openDt`); `nil` if the upstream does not say.
  public var openedOn: CalendarDay?
  /// Sales of the period in KRW (KOBIS `salesAmt`).
  public var salesKRW: Int64
  /// The movie's share of all sales of the period (KOBIS `salesShare`).
  public var salesShare: Percentage
  /// Sales against the period before, in KRW (KOBIS `salesInten`).
  public var salesChangeKRW: Int64
  /// Sales against the period before, in percent (KOBIS `salesChange`).
  public var salesChangePercent: Percentage
  /// Sales since the opening, in KRW (KOBIS `salesAcc`).
  public var salesTotalKRW: Int64
  /// Admissions of the period (KOBIS `audiCnt`).
  public var audience: Int64
  /// Admissions against the period before (KOBIS `audiInten`).
  public var audienceChange: Int64
  /// Admissions against the period before, in percent (KOBIS `audiChange`).
  public var audienceChangePercent: Percentage
  /// Admissions since the opening (KOBIS `audiAcc`).
  public var audienceTotal: Int64
  /// Screens that showed the movie (KOBIS `scrnCnt`).
  public var screens: Int
  /// Showings in the period (KOBIS `showCnt`).
  public var showings: Int

  /// Makes a row.
  public init(
    position: Int, rank: Int, rankChange: Int, isNew: Bool, movieCode: MovieCode, title: String,
    openedOn: CalendarDay?, salesKRW: Int64, salesShare: Percentage, salesChangeKRW: Int64,
    salesChangePercent: Percentage, salesTotalKRW: Int64, audience: Int64, audienceChange: Int64,
    audienceChangePercent: Percentage, audienceTotal: Int64, screens: Int, showings: Int
  ) {
    self.position = position
    self.rank = rank
    self.rankChange = rankChange
    self.isNew = isNew
    self.movieCode = movieCode
    self.title = title
    self.openedOn = openedOn
    self.salesKRW = salesKRW
    self.salesShare = salesShare
    self.salesChangeKRW = salesChangeKRW
    self.salesChangePercent = salesChangePercent
    self.salesTotalKRW = salesTotalKRW
    self.audience = audience
    self.audienceChange = audienceChange
    self.audienceChangePercent = audienceChangePercent
    self.audienceTotal = audienceTotal
    self.screens = screens
    self.showings = showings
  }
}
