import CatalogEngine
import Testing

@testable import MatineeCommand

@Suite struct `When a chart is narrowed down` {
  @Test(
    arguments: [
      ("korean", "korean"), ("diversity+korean", "korean+diversity"), ("area-0105001", "area-0105001"),
      ("area-0105001+commercial+foreign", "foreign+commercial+area-0105001"),
    ])
  func `a filter's parts are taken in any order`(text: String, name: String) throws {
    #expect(try BoxOfficeFilter.parsed(text).description == name)
  }

  @Test(
    arguments: [
      ("", "Daily box office · Mon 2019-07-08"),
      ("korean", "Daily box office · Mon 2019-07-08 · Korean films"),
      (
        "foreign+diversity+area-0105001",
        "Daily box office · Mon 2019-07-08 · foreign films · diversity films · area 0105001"
      ),
      ("commercial", "Daily box office · Mon 2019-07-08 · commercial films"),
    ])
  func `the heading says to what`(name: String, heading: String) throws {
    let filter = try #require(BoxOfficeFilter(name))
    let period = BoxOfficePeriod.daily(CalendarDay(daysSinceEpoch: 18_085))
    #expect(period.shown(filter) == heading)
    let chart = BoxOffice(period: period, filter: filter, entries: [])
    let presentation = ChartPresentation(reading: Reading(.boxOffice(period, filter), chart))
    #expect(presentation.table(width: 80, style: .plain).hasPrefix(heading + "\n"))
    let resource = "kobis/daily-box-office/\(name.isEmpty ? "" : name + "/")20190708"
    #expect(try object(presentation.json())["resource"] as? String == resource)
  }

  @Test func `the days before the weekend are a chart of their own, found by any day of the week`()
    async throws
  {
    try await withDesk { desk in
      let outcome = await desk.run("show", "2019-07-13", "--weekdays", "--offline")
      #expect(outcome.status == 66)
      #expect(outcome.errors.contains("kobis/weekday-box-office/20190708"))
      let filtered = await desk.run("show", "2019-07-13", "--filter", "diversity+korean", "--offline")
      #expect(filtered.status == 66)
      #expect(filtered.errors.contains("kobis/daily-box-office/korean+diversity/20190713"))
    }
  }
}
