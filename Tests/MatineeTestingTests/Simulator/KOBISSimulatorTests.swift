import CatalogEngine
import Foundation
import HTTPTransport
import HTTPTypes
import KOBIS
import MatineeTesting
import Testing

/// A clock that a test sets.
private final class Wall: Sendable {
  private let instant: LockedValue<Timestamp>

  init(_ instant: Timestamp) { self.instant = LockedValue(instant) }

  var now: Timestamp {
    get { instant.withLock { $0 } }
    set { instant.withLock { $0 = newValue } }
  }
}

private func day(_ number: Int) throws -> CalendarDay { try #require(CalendarDay(number: number)) }

/// Noon in Korea on 2024-06-03, a Monday.
private func wall() throws -> Wall {
  Wall(try day(20_240_603).startInKorea.advanced(by: .seconds(12 * 3600)))
}

private func body(of simulator: KOBISSimulator, _ path: String) async throws -> String {
  let request = HTTPRequest(method: .get, scheme: "https", authority: "kobis.or.kr", path: path)
  return String(decoding: try await simulator.send(request).body, as: UTF8.self)
}

private func value(
  of simulator: KOBISSimulator, _ subject: ResourceID.Subject, key: String = "any"
) async throws -> CatalogValue {
  let source = KOBISSource(key: try APIKey(key))
  let reply = try await simulator.send(source.request(for: subject))
  #expect(reply.status == .ok)
  return try source.value(from: reply.body, for: subject)
}

@Suite struct `When the simulator answers` {
  @Test(arguments: BoxOfficePeriod.Kind.allCases)
  func `what is decoded is what it says it knows`(_ kind: BoxOfficePeriod.Kind) async throws {
    let wall = try wall()
    let simulator = KOBISSimulator(now: { wall.now })
    let period = BoxOfficePeriod(kind, containing: try day(20_240_515))
    let chart = simulator.chart(of: period)
    #expect(chart.entries.count == 10)
    #expect(try await value(of: simulator, .boxOffice(period)) == .boxOffice(chart))
  }

  @Test func `the same seed gives the same answers, and another seed others`() throws {
    let wall = try wall()
    let period = BoxOfficePeriod.daily(try day(20_240_601))
    let charts = [7, 7, 8].map { KOBISSimulator(seed: $0, now: { wall.now }).chart(of: period) }
    #expect(charts[0] == charts[1])
    #expect(charts[0] != charts[2])
  }

  @Test func `a day is an empty list until it has passed in Korea`() async throws {
    let today = try day(20_240_603)
    let wall = Wall(today.startInKorea.advanced(by: .milliseconds(86_399_999)))
    let simulator = KOBISSimulator(now: { wall.now })
    #expect(try await value(of: simulator, .boxOffice(.daily(today))).isEmpty)
    #expect(try await !value(of: simulator, .boxOffice(.daily(today.advanced(by: -1)))).isEmpty)
    wall.now = wall.now.advanced(by: .milliseconds(1))
    #expect(try await !value(of: simulator, .boxOffice(.daily(today))).isEmpty)
  }

  @Test func `history begins on 2003-11-11`() throws {
    let wall = try wall()
    let simulator = KOBISSimulator(now: { wall.now })
    #expect(simulator.chart(of: .daily(try day(20_031_110))).entries.isEmpty)
    #expect(simulator.chart(of: .daily(try day(20_031_111))).entries.count == 10)
  }

  @Test func `details of a code that it has not invented are KOBIS's no`() async throws {
    let wall = try wall()
    let simulator = KOBISSimulator(now: { wall.now })
    let code = try #require(MovieCode("20249999"))
    let failure = await #expect(throws: CatalogFailure.self) {
      try await value(of: simulator, .movieDetails(code))
    }
    #expect(failure?.detail == "unknownMovie")
  }

  @Test func `an answer of the test's own takes the place of its own, until taken back`() async throws {
    let wall = try wall()
    let simulator = KOBISSimulator(now: { wall.now })
    let period = BoxOfficePeriod.daily(try day(20_240_601))
    let own = simulator.chart(of: period)
    var entries = own.entries
    entries[0].audienceTotal += 270
    let corrected = BoxOffice(period: period, entries: entries)
    simulator.answer(with: corrected)
    #expect(try await value(of: simulator, .boxOffice(period)) == .boxOffice(corrected))
    simulator.answer(.boxOffice(period), with: Array("<html>".utf8))
    await #expect(throws: CatalogFailure.self) { try await value(of: simulator, .boxOffice(period)) }
    simulator.answer(.boxOffice(period), with: nil)
    #expect(try await value(of: simulator, .boxOffice(period)) == .boxOffice(own))
  }

  @Test(arguments: [1, 3, 10]) func `a chart has as many rows as are asked for`(count: Int) async throws {
    let wall = try wall()
    let simulator = KOBISSimulator(now: { wall.now })
    let text = try await body(
      of: simulator, "/boxoffice/searchDailyBoxOfficeList.json?targetDt=20240501&itemPerPage=\(count)")
    #expect(text.matches(of: /"rnum":/).count == count)
  }

  @Test func `other paths, methods and what it lacks are refused by status`() async throws {
    let wall = try wall()
    let simulator = KOBISSimulator(now: { wall.now })
    let chart = "/x/boxoffice/searchWeeklyBoxOfficeList.json?targetDt=20240501"
    let movies = "/movie/searchMovieList.json"
    let people = "/people/searchPeopleList.json?curPage=2"
    let companies = "/company/searchCompanyList.json?curPage=2"
    for (method, path, status) in [
      (HTTPRequest.Method.get, "/nowhere", 404), (.post, chart, 405), (.get, chart, 200),
      (.get, chart + "&weekGb=2&repNationCd=K&multiMovieYn=Y&wideAreaCd=0105001", 200),
      (.get, chart + "&repNationCd=&multiMovieYn=&wideAreaCd=", 200), (.get, chart + "&weekGb=3", 501),
      (.get, chart + "&repNationCd=X", 501), (.get, chart + "&multiMovieYn=y", 501),
      (.get, chart + "&wideAreaCd=%EC%84%9C", 501), (.get, chart + "&itemPerPage=11", 501),
      (.get, chart + "&itemPerPage=0", 501), (.get, chart + "&itemPerPage=x", 501), (.get, movies, 200),
      (.get, movies + "?movieNm=", 200), (.get, movies + "?movieNm=%EA%B0%95", 501),
      (.get, movies + "?openStartDt=2021", 501), (.get, movies + "?curPage=0", 501),
      (.get, movies + "?itemPerPage=101", 501), (.get, people, 200), (.get, people + "&peopleNm=a", 501),
      (.get, companies, 200), (.get, companies + "&ceoNm=a", 501),
    ] {
      let request = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path)
      #expect(try await simulator.send(request).status.code == status, "\(path)")
    }
  }
}

@Suite struct `When the simulator refuses` {
  private func fixture(_ name: String) throws -> String {
    let file = URL(filePath: #filePath).appending(path: "../../../../Fixtures/answers/\(name)")
      .standardizedFileURL
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test func `a wrong or absent key gets KOBIS's own fault and costs no call`() async throws {
    let wall = try wall()
    let simulator = KOBISSimulator(key: try APIKey("right"), callsPerDayMax: 1, now: { wall.now })
    let path = "/boxoffice/searchDailyBoxOfficeList.json?targetDt=20240601"
    #expect(try await body(of: simulator, path) == fixture("fault-320010.json"))
    #expect(try await body(of: simulator, path + "&key=wrong") == fixture("fault-320010.json"))
    #expect(simulator.callsLeft == 1)
    #expect(try await body(of: simulator, path + "&key=right").hasPrefix("{\"boxOfficeResult\""))
  }

  @Test func `the quota's fault comes after its last call, and goes at midnight in Korea`() async throws {
    let wall = Wall(try day(20_240_603).startInKorea)
    let simulator = KOBISSimulator(callsPerDayMax: 2, now: { wall.now })
    let path = "/boxoffice/searchDailyBoxOfficeList.json?targetDt=20240601"
    for expected in [1, 0] {
      #expect(try await body(of: simulator, path).hasPrefix("{\"boxOfficeResult\""))
      #expect(simulator.callsLeft == expected)
    }
    #expect(try await body(of: simulator, path) == fixture("fault-320011.json"))
    wall.now = wall.now.advanced(by: .milliseconds(86_399_999))
    #expect(try await body(of: simulator, path) == fixture("fault-320011.json"))
    wall.now = wall.now.advanced(by: .milliseconds(1))
    #expect(simulator.callsLeft == 2)
    #expect(try await body(of: simulator, path).hasPrefix("{\"boxOfficeResult\""))
  }

  @Test func `a missing parameter and a malformed date get KOBIS's own faults`() async throws {
    let wall = try wall()
    let simulator = KOBISSimulator(now: { wall.now })
    let path = "/boxoffice/searchDailyBoxOfficeList.json"
    #expect(try await body(of: simulator, path) == fixture("fault-320102.json"))
    #expect(try await body(of: simulator, path + "?targetDt=2025") == fixture("fault-320103.json"))
    for date in ["2024-06-01", "20240230", "yesterday", "%22%0A"] {
      let text = try await body(of: simulator, path + "?targetDt=" + date)
      let failure = #expect(throws: CatalogFailure.self) {
        try KOBISSource().value(from: Array(text.utf8), for: .boxOffice(.daily(day(20_240_601))))
      }
      #expect(failure?.detail == "320103")
    }
    for (path, name) in [
      ("/movie/searchMovieInfo.json", "movieCd"), ("/people/searchPeopleInfo.json", "peopleCd"),
      ("/company/searchCompanyInfo.json", "companyCd"), ("/code/searchCodeList.json", "comCode"),
    ] {
      for path in [path, path + "?\(name)="] {
        let text = try await body(of: simulator, path)
        #expect(text.contains("\"320102\"") && text.contains("[parameterName=\(name),"))
      }
    }
  }

  @Test func `calls are counted for each subject, however many come at once`() async throws {
    let wall = try wall()
    let simulator = KOBISSimulator(callsPerDayMax: 100, now: { wall.now })
    let subject = ResourceID.Subject.boxOffice(.daily(try day(20_240_601)))
    let spentCount = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<150 {
        group.addTask { (try? await value(of: simulator, subject)) == nil }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(spentCount == 50)
    #expect(simulator.callCount == 150)
    #expect(simulator.callCount(for: subject) == 150)
    #expect(simulator.callCount(for: .boxOffice(.daily(try day(20_240_602)))) == 0)
  }
}
