import CatalogEngine

/// An invented box office: the charts of any day since 2003-11-11, and the movies in them, drawn from a seed.
///
/// The idea: no day is simulated from the days before it. What a movie sold on a day is a pure function of seed,
/// movie and day, so that any day can be had at once; all else (totals, ranks, shares, changes) is summed, sorted and
/// compared from those, and therefore agrees from day to day, week to week and chart to chart.
///
/// On one day in ``tieDayInterval`` small audiences are round numbers, so that ranks tie now and then, as real ones
/// do.
struct SimulatedBoxOffice: Sendable {
  /// On average, one day in so many has audiences that are likely to tie.
  static let tieDayInterval: UInt64 = 20

  /// The rows of a chart.
  static let rowCount = 10

  let seed: UInt64

  /// The chart of `period` for what `filter` leaves of it, whether its days have passed or not.
  ///
  /// A chart of a part ranks that part anew, and its shares are of the part's sales.
  func chart(of period: BoxOfficePeriod, filter: BoxOfficeFilter = .everything) -> BoxOffice {
    let days = (0...period.day.days(until: period.through)).map { period.day.advanced(by: $0) }
    let daysBefore = days.map { $0.advanced(by: period.kind == .daily ? -1 : -7) }
    let standings = standings(on: days, filter)
    let before = self.standings(on: daysBefore, filter)
    let ranksBefore = Self.ranks(of: before)
    let soldBefore = Dictionary(uniqueKeysWithValues: before.map { ($0.movie.code, $0.sold) })
    let salesOfAll = standings.reduce(0) { $0 + $1.sold.salesKRW }

    var entries: [BoxOfficeEntry] = []
    let ranks = Self.ranks(of: standings)
    for (index, standing) in standings.prefix(Self.rowCount).enumerated() {
      let movie = standing.movie
      let rank = ranks[movie.code] ?? index + 1
      let old = soldBefore[movie.code]
      let total = total(of: movie, through: period.through, inArea: filter.areaCode)
      entries.append(
        BoxOfficeEntry(
          position: index + 1, rank: rank, rankChange: ranksBefore[movie.code].map { $0 - rank } ?? 0,
          isNew: old == nil, movieCode: movie.code, title: movie.title, openedOn: movie.openedOn,
          salesKRW: standing.sold.salesKRW,
          salesShare: .ratio(standing.sold.salesKRW, of: salesOfAll),
          salesChangeKRW: standing.sold.salesKRW - (old?.salesKRW ?? 0),
          salesChangePercent: .change(to: standing.sold.salesKRW, from: old?.salesKRW),
          salesTotalKRW: total.salesKRW, audience: standing.sold.audience,
          audienceChange: standing.sold.audience - (old?.audience ?? 0),
          audienceChangePercent: .change(to: standing.sold.audience, from: old?.audience),
          audienceTotal: total.audience, screens: standing.sold.screens, showings: standing.sold.showings))
    }
    return BoxOffice(period: period, filter: filter, entries: entries)
  }

  /// The invented movie of a code; `nil` if none was invented with it.
  func movie(_ code: MovieCode) -> SimulatedMovie? { SimulatedMovie(code: code, seed: seed) }

  // MARK: What was sold

  private struct Standing {
    let movie: SimulatedMovie
    let sold: SimulatedSales
  }

  /// The movies of `filter` that sold anything on `days`, the best first.
  private func standings(on days: [CalendarDay], _ filter: BoxOfficeFilter) -> [Standing] {
    guard let first = days.first, let last = days.last else { return [] }
    return SimulatedMovie.running(from: first, through: last, seed: seed)
      .filter { $0.isLeft(by: filter) }
      .map { movie in
        Standing(
          movie: movie,
          sold: days.reduce(SimulatedSales()) { $0 + sold(by: movie, on: $1, inArea: filter.areaCode) })
      }
      .filter { $0.sold.audience > 0 }
      .sorted {
        ($1.sold.audience, $1.sold.salesKRW, $0.movie.code) < (
          $0.sold.audience, $0.sold.salesKRW, $1.movie.code
        )
      }
  }

  /// Ranks by audience: those who tie share one, and the next is as far down as if they had not.
  private static func ranks(of standings: [Standing]) -> [MovieCode: Int] {
    var ranks: [MovieCode: Int] = [:]
    var rank = 0
    var audience: Int64?
    for (index, standing) in standings.enumerated() {
      if standing.sold.audience != audience { rank = index + 1 }
      audience = standing.sold.audience
      ranks[standing.movie.code] = rank
    }
    return ranks
  }

  private func total(
    of movie: SimulatedMovie, through day: CalendarDay, inArea area: String?
  ) -> SimulatedSales {
    let age = movie.openedOn.days(until: day)
    guard age >= 0 else { return SimulatedSales() }
    return (0...age).reduce(SimulatedSales()) {
      $0 + sold(by: movie, on: movie.openedOn.advanced(by: $1), inArea: area)
    }
  }

  private func sold(by movie: SimulatedMovie, on day: CalendarDay, inArea area: String?) -> SimulatedSales {
    let dayDraw = Draw(seed, UInt64(bitPattern: Int64(day.daysSinceEpoch)))
    let sold = movie.sold(on: day, inRoundNumbers: dayDraw.value.isMultiple(of: Self.tieDayInterval))
    guard let area else { return sold }
    return sold.part(thousandths: movie.audienceShare(inArea: area))
  }
}

extension Percentage {
  /// `part` of `whole` in percent, to one decimal.
  fileprivate static func ratio(_ part: Int64, of whole: Int64) -> Percentage {
    Percentage(thousandths: whole > 0 ? part * 1000 / whole * 100 : 0)
  }

  /// The change from `old` to `new` in percent, to one decimal; 100 if there was nothing.
  fileprivate static func change(to new: Int64, from old: Int64?) -> Percentage {
    guard let old, old > 0 else { return Percentage(thousandths: 100_000) }
    return Percentage(thousandths: (new - old) * 1000 / old * 100)
  }
}
