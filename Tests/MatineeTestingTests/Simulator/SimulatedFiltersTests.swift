import CatalogEngine
import MatineeTesting
import Testing

@Suite struct `When charts are narrowed down` {
  private static let filters: [BoxOfficeFilter] = [
    .everything, BoxOfficeFilter(origin: .korean), BoxOfficeFilter(origin: .foreign),
    BoxOfficeFilter(filmKind: .diversity), BoxOfficeFilter(filmKind: .commercial),
    BoxOfficeFilter(origin: .korean, filmKind: .commercial),
    BoxOfficeFilter("area-0105001"), BoxOfficeFilter("foreign+diversity+area-0105010"),
  ].compactMap(\.self)

  @Test(arguments: BoxOfficePeriod.Kind.allCases, Self.filters)
  func `what is decoded is what it says it knows`(
    _ kind: BoxOfficePeriod.Kind, _ filter: BoxOfficeFilter
  ) async throws {
    let desk = try SimulatorDesk()
    let period = BoxOfficePeriod(kind, containing: desk.today.advanced(by: -20))
    let chart = desk.simulator.chart(of: period, filter: filter)
    #expect(!chart.entries.isEmpty)
    #expect(try await desk.value(.boxOffice(period, filter)) == .boxOffice(chart))
  }

  @Test(arguments: [
    (BoxOfficeFilter(origin: .korean), BoxOfficeFilter(origin: .foreign)),
    (BoxOfficeFilter(filmKind: .diversity), BoxOfficeFilter(filmKind: .commercial)),
  ])
  func `two halves make the whole, and each is ranked anew`(
    _ one: BoxOfficeFilter, _ other: BoxOfficeFilter
  ) throws {
    let desk = try SimulatorDesk()
    for offset in 1...60 {
      let period = BoxOfficePeriod.daily(desk.today.advanced(by: -offset))
      let whole = desk.simulator.chart(of: period).entries
      let halves = [one, other].map { desk.simulator.chart(of: period, filter: $0).entries }
      let codes = halves.map { Set($0.map(\.movieCode)) }
      #expect(codes[0].isDisjoint(with: codes[1]))
      #expect(codes[0].union(codes[1]).isSuperset(of: whole.map(\.movieCode)))
      for half in halves {
        #expect(half.map(\.position) == Array(1..<half.count + 1))
        #expect(zip(half, half.dropFirst()).allSatisfy { $0.audience >= $1.audience && $0.rank <= $1.rank })
        for row in half {
          guard let inWhole = whole.first(where: { $0.movieCode == row.movieCode }) else { continue }
          #expect(row.audience == inWhole.audience && row.salesTotalKRW == inWhole.salesTotalKRW)
          #expect(row.salesShare >= inWhole.salesShare)
          #expect(row.rank <= inWhole.rank)
        }
      }
    }
  }

  @Test func `a movie's origin is the nation in its details`() throws {
    let desk = try SimulatorDesk()
    for offset in 1...30 {
      let period = BoxOfficePeriod.daily(desk.today.advanced(by: -offset))
      for origin in BoxOfficeFilter.Origin.allCases {
        for row in desk.simulator.chart(of: period, filter: BoxOfficeFilter(origin: origin)).entries {
          let nations = try #require(desk.simulator.details(of: row.movieCode)).nations
          #expect((nations == ["한국"]) == (origin == .korean))
        }
      }
    }
  }

  @Test func `the areas make about the country, and their charts have other orders`() throws {
    let desk = try SimulatorDesk()
    let areas = desk.simulator.codes(.areas).entries
    #expect(areas.count == 17)
    var otherOrderCount = 0
    for offset in 1...10 {
      let period = BoxOfficePeriod.weekend(containing: desk.today.advanced(by: -7 * offset))
      let whole = desk.simulator.chart(of: period)
      var audience: [MovieCode: Int64] = [:]
      for area in areas {
        let filter = try #require(BoxOfficeFilter(areaCode: area.code))
        let chart = desk.simulator.chart(of: period, filter: filter)
        #expect(chart.filter == filter)
        for row in chart.entries {
          audience[row.movieCode, default: 0] += row.audience
          #expect(row.audienceTotal >= row.audience && row.screens >= 1 && row.showings >= 1)
        }
        if chart.entries.map(\.movieCode) != whole.entries.map(\.movieCode) { otherOrderCount += 1 }
      }
      let best = try #require(whole.entries.first)
      let sum = try #require(audience[best.movieCode])
      #expect(abs(sum - best.audience) * 100 <= best.audience * 20, "\(sum) of \(best.audience)")
    }
    #expect(otherOrderCount > 50)
  }

  @Test func `an area that is none has empty charts`() async throws {
    let desk = try SimulatorDesk()
    let filter = try #require(BoxOfficeFilter(areaCode: "0105099"))
    let period = BoxOfficePeriod.daily(desk.today.advanced(by: -1))
    #expect(try await desk.value(.boxOffice(period, filter)).isEmpty)
  }

  @Test func `an answer of the test's own takes the place of the narrowed chart alone`() async throws {
    let desk = try SimulatorDesk()
    let period = BoxOfficePeriod.daily(desk.today.advanced(by: -1))
    let filter = BoxOfficeFilter(origin: .korean)
    let whole = try await desk.value(.boxOffice(period))
    let emptied = BoxOffice(period: period, filter: filter, entries: [])
    desk.simulator.answer(with: emptied)
    #expect(try await desk.value(.boxOffice(period, filter)) == .boxOffice(emptied))
    #expect(try await desk.value(.boxOffice(period)) == whole)
    #expect(desk.simulator.callCount(for: .boxOffice(period, filter)) == 1)
    #expect(desk.simulator.callCount(for: .boxOffice(period)) == 2)
  }
}
