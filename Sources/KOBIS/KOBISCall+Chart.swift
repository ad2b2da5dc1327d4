package import CatalogEngine

extension KOBISCall {
  /// What a chart may be narrowed down to; the whole country and every film if nothing is said.
  package struct ChartFilter: Hashable, Sendable {
    /// The kinds of films that KOBIS tells apart (KOBIS `multiMovieYn`).
    package enum FilmKind: String, CaseIterable, Sendable {
      /// Diversity films: art house and independent.
      case diversity = "Y"
      /// Commercial films.
      case commercial = "N"
    }

    /// The origins that KOBIS tells apart (KOBIS `repNationCd`).
    package enum Origin: String, CaseIterable, Sendable {
      /// Korean films.
      case korean = "K"
      /// Foreign films.
      case foreign = "F"
    }

    /// The most rows that KOBIS sends; its default as well.
    package static let rowCountMax = 10

    /// The kind of films; `nil` for all.
    package let filmKind: FilmKind?

    /// Where films come from; `nil` for anywhere.
    package let origin: Origin?

    /// The full code of an area, as KOBIS's list of codes `0105000000` has it (KOBIS `wideAreaCd`); `nil` for the
    /// whole country.
    package let areaCode: String?

    /// How many rows are asked for, 1 to ``rowCountMax`` (KOBIS `itemPerPage`); `nil` for KOBIS's default.
    package let rowCount: Int?

    /// Makes a filter.
    package init(
      filmKind: FilmKind? = nil, origin: Origin? = nil, areaCode: String? = nil, rowCount: Int? = nil
    ) {
      precondition(rowCount.map { (1...Self.rowCountMax).contains($0) } ?? true, "KOBIS sends 1 to 10 rows")
      self.filmKind = filmKind
      self.origin = origin
      self.areaCode = areaCode
      self.rowCount = rowCount
    }

    /// The parameters that say so, in an order that is always the same.
    fileprivate var parameters: [Parameter] {
      [
        rowCount.map { Parameter("itemPerPage", "\($0)") },
        filmKind.map { Parameter("multiMovieYn", $0.rawValue) },
        origin.map { Parameter("repNationCd", $0.rawValue) },
        areaCode.map { Parameter("wideAreaCd", $0) },
      ].compactMap { $0 }
    }
  }

  /// The span of a week that the weekly service sums up (KOBIS `weekGb`).
  private enum WeekSpan: String {
    case wholeWeek = "0"
    case weekend = "1"
    case weekdays = "2"

    var parameter: Parameter { Parameter("weekGb", rawValue) }
  }

  /// The call that asks for the chart of `period`, narrowed down by `filter`.
  package static func chart(of period: BoxOfficePeriod, filter: ChartFilter = ChartFilter()) -> KOBISCall {
    // KOBIS answers the week or weekend that holds `targetDt`. The period's first day lies in both.
    let day = Parameter("targetDt", period.day.basicFormat)
    return switch period.kind {
    case .daily: KOBISCall(.dailyBoxOffice, [day] + filter.parameters)
    case .weekly: KOBISCall(.weeklyBoxOffice, [day, WeekSpan.wholeWeek.parameter] + filter.parameters)
    case .weekend: KOBISCall(.weeklyBoxOffice, [day, WeekSpan.weekend.parameter] + filter.parameters)
    }
  }

  /// The call that asks for the chart of Monday to Thursday of the week with `day`, narrowed down by `filter`.
  package static func chart(
    ofWeekdaysAround day: CalendarDay, filter: ChartFilter = ChartFilter()
  ) -> KOBISCall {
    let monday = Parameter("targetDt", BoxOfficePeriod.weekly(containing: day).day.basicFormat)
    return KOBISCall(.weeklyBoxOffice, [monday, WeekSpan.weekdays.parameter] + filter.parameters)
  }
}
