import CatalogEngine
import HTTPTypes
import KOBIS
import Testing

@Suite struct `When a chart is narrowed down` {
  private func query(_ call: KOBISCall) throws -> String? {
    let path = try #require(call.request(under: .official, key: APIKey("k3y")).path)
    return path.split(separator: "?").last.map(String.init)
  }

  private let day = 20_220_105

  @Test func `every filter is a parameter, in one order`() throws {
    let filter = KOBISCall.ChartFilter(
      filmKind: .diversity, origin: .korean, areaCode: "0105001", rowCount: 5)
    let call = KOBISCall.chart(of: .daily(try Sample.day(day)), filter: filter)
    #expect(call.service == .dailyBoxOffice)
    #expect(
      try query(call)
        == "key=k3y&targetDt=20220105&itemPerPage=5&multiMovieYn=Y&repNationCd=K&wideAreaCd=0105001")
  }

  @Test func `commercial and foreign films have their letters`() throws {
    let filter = KOBISCall.ChartFilter(filmKind: .commercial, origin: .foreign)
    let call = KOBISCall.chart(of: .daily(try Sample.day(day)), filter: filter)
    #expect(try query(call) == "key=k3y&targetDt=20220105&multiMovieYn=N&repNationCd=F")
  }

  @Test func `without a filter nothing is added`() throws {
    let period = BoxOfficePeriod.daily(try Sample.day(day))
    #expect(KOBISCall.chart(of: period) == KOBISCall(for: .boxOffice(period)))
    #expect(try query(.chart(of: period)) == "key=k3y&targetDt=20220105")
  }

  @Test func `an area's code can add no parameter`() throws {
    let filter = KOBISCall.ChartFilter(areaCode: "a&weekGb=2 서")
    let call = KOBISCall.chart(of: .daily(try Sample.day(day)), filter: filter)
    #expect(try query(call) == "key=k3y&targetDt=20220105&wideAreaCd=a%26weekGb%3D2%20%EC%84%9C")
    let request = call.request(under: .official, key: nil)
    #expect(KOBISCall(request) == call)
  }

  @Test func `a week's filters follow its span`() throws {
    let filter = KOBISCall.ChartFilter(rowCount: 10)
    let week = KOBISCall.chart(of: .weekly(containing: try Sample.day(day)), filter: filter)
    #expect(week.service == .weeklyBoxOffice)
    #expect(try query(week) == "key=k3y&targetDt=20220103&weekGb=0&itemPerPage=10")
    let weekend = KOBISCall.chart(of: .weekend(containing: try Sample.day(day)), filter: filter)
    #expect(try query(weekend) == "key=k3y&targetDt=20220107&weekGb=1&itemPerPage=10")
  }

  @Test(arguments: [20_220_103, 20_220_105, 20_220_109])
  func `Monday to Thursday is asked for by the Monday`(_ number: Int) throws {
    let call = KOBISCall.chart(ofWeekdaysAround: try Sample.day(number))
    #expect(call.service == .weeklyBoxOffice)
    #expect(try query(call) == "key=k3y&targetDt=20220103&weekGb=2")
  }
}
