import CatalogEngine
import KOBIS
import MatineeTesting
import Testing

@Suite struct `When figures are invented` {
  private static let firstNumber = 20_230_102

  /// The charts of `count` days from 2023-01-02, a Monday.
  private func charts(_ count: Int, seed: UInt64 = 1) throws -> [BoxOffice] {
    let first = try #require(CalendarDay(number: Self.firstNumber))
    let simulator = KOBISSimulator(seed: seed, now: { first.advanced(by: 1000).startInKorea })
    return (0..<count).map { simulator.chart(of: .daily(first.advanced(by: $0))) }
  }

  @Test func `totals grow by each day's figures`() throws {
    var comparedCount = 0
    let charts = try charts(120)
    for (before, after) in zip(charts, charts.dropFirst()) {
      for row in after.entries {
        guard let old = before.entries.first(where: { $0.movieCode == row.movieCode }) else { continue }
        #expect(row.audienceTotal == old.audienceTotal + row.audience)
        #expect(row.salesTotalKRW == old.salesTotalKRW + row.salesKRW)
        #expect(row.audienceChange == row.audience - old.audience)
        #expect(row.salesChangeKRW == row.salesKRW - old.salesKRW)
        #expect(row.rankChange == old.rank - row.rank)
        #expect(!row.isNew)
        comparedCount += 1
      }
    }
    #expect(comparedCount > 900)
  }

  @Test func `rows stand by audience, and those who tie share a rank`() throws {
    for chart in try charts(120) {
      #expect(chart.entries.map(\.position) == Array(1...10))
      for (one, other) in zip(chart.entries, chart.entries.dropFirst()) {
        #expect(one.audience >= other.audience)
        #expect(other.rank == (one.audience == other.audience ? one.rank : other.position))
      }
    }
  }

  @Test(arguments: 1...3)
  func `ranks tie now and then, and not often`(_ seed: UInt64) throws {
    let tiedCount = try charts(730, seed: seed).count { Set($0.entries.map(\.rank)).count < 10 }
    #expect((2...60).contains(tiedCount), "\(tiedCount) of 730 days, seed \(seed)")
  }

  @Test func `every movie in the charts has details that agree`() throws {
    let first = try #require(CalendarDay(number: Self.firstNumber))
    let simulator = KOBISSimulator(now: { first.advanced(by: 400).startInKorea })
    var codes: Set<MovieCode> = []
    for row in try charts(400).flatMap(\.entries) {
      let details = try #require(simulator.details(of: row.movieCode))
      #expect(details.code == row.movieCode)
      #expect(details.title == row.title)
      #expect(details.openedOn == row.openedOn)
      codes.insert(row.movieCode)
    }
    #expect(codes.contains { $0.text.contains("C") })
    #expect(codes.count > 100)
  }

  @Test func `a week is the sum of its days`() throws {
    let days = try charts(7)
    let week = KOBISSimulator(now: { days[6].period.day.advanced(by: 1).startInKorea })
      .chart(of: .weekly(containing: days[0].period.day))
    #expect(week.entries.count == 10)
    var comparedCount = 0
    for row in week.entries {
      let sold = days.compactMap { chart in chart.entries.first { $0.movieCode == row.movieCode } }
      guard sold.count == 7 else { continue }
      #expect(row.audience == sold.reduce(0) { $0 + $1.audience })
      #expect(row.salesKRW == sold.reduce(0) { $0 + $1.salesKRW })
      #expect(row.showings == sold.reduce(0) { $0 + $1.showings })
      #expect(row.screens == sold.map(\.screens).max())
      #expect(row.audienceTotal == sold.last?.audienceTotal)
      comparedCount += 1
    }
    #expect(comparedCount >= 5)
  }

  @Test func `codes at the turn of years are unique and found again`() throws {
    let first = try #require(CalendarDay(number: 20_031_111))
    let simulator = KOBISSimulator(now: { first.advanced(by: 9000).startInKorea })
    for year in 2004...2026 {
      let newYear = try #require(CalendarDay(year: year, month: 1, day: 1))
      for offset in -10...10 {
        let rows = simulator.chart(of: .daily(newYear.advanced(by: offset))).entries
        #expect(Set(rows.map(\.movieCode)).count == 10)
        for row in rows { #expect(simulator.details(of: row.movieCode)?.openedOn == row.openedOn) }
      }
    }
  }
}

@Suite struct `When a test wants a sample` {
  @Test func `a chart is whole and of the day that was asked for`() throws {
    let day = try #require(CalendarDay(number: 20_240_601))
    let chart = BoxOffice.sample(day: day)
    #expect(chart.period == .daily(day))
    #expect(chart.entries.count == 10)
    #expect(chart == BoxOffice.sample(day: day))
    #expect(BoxOffice.sample(of: .weekend(containing: day)).period.kind == .weekend)
  }

  @Test func `details go with the chart's rows, and any code has some`() throws {
    let day = try #require(CalendarDay(number: 20_240_601))
    for row in BoxOffice.sample(day: day).entries {
      #expect(MovieDetails.sample(code: row.movieCode).title == row.title)
    }
    let code = try #require(MovieCode("X1"))
    #expect(MovieDetails.sample(code: code).code == code)
  }
}
