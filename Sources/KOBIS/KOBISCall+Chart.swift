package import CatalogEngine

extension KOBISCall {
  /// The call that asks for the chart of `period`, narrowed down by `filter`.
  package static func chart(of period: BoxOfficePeriod, filter: BoxOfficeFilter = .everything) -> KOBISCall {
    // KOBIS answers the week or the part of it that holds `targetDt`. The period's first day lies in it.
    let day = Parameter("targetDt", period.day.basicFormat)
    let span = period.kind.weekSpan.map { [Parameter("weekGb", $0)] } ?? []
    return KOBISCall(
      period.kind == .daily ? .dailyBoxOffice : .weeklyBoxOffice, [day] + span + filter.parameters)
  }
}

extension BoxOfficePeriod.Kind {
  /// The span of a week that the weekly service sums up (KOBIS `weekGb`); `nil` for a day.
  package var weekSpan: String? {
    switch self {
    case .daily: nil
    case .weekly: "0"
    case .weekend: "1"
    case .weekdays: "2"
    }
  }
}

extension BoxOfficeFilter {
  /// The parameters that say so, in an order that is always the same.
  fileprivate var parameters: [KOBISCall.Parameter] {
    [
      filmKind.map { KOBISCall.Parameter("multiMovieYn", $0 == .diversity ? "Y" : "N") },
      origin.map { KOBISCall.Parameter("repNationCd", $0 == .korean ? "K" : "F") },
      areaCode.map { KOBISCall.Parameter("wideAreaCd", $0) },
    ].compactMap(\.self)
  }
}
