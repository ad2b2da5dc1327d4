import CatalogEngine
import HTTPTransport
import HTTPTypes
import KOBIS
import KOBISFixtures
import KOBISRecorded
import Testing

@Suite struct `When the recorded week is asked` {
  private func value(_ subject: ResourceID.Subject) async throws -> CatalogValue {
    let reply = try await RecordedSession().send(KOBISSource.recorded.request(for: subject))
    #expect(reply.status == .ok)
    return try KOBISSource.recorded.value(from: reply.body, for: subject)
  }

  private func chart(_ period: BoxOfficePeriod) async throws -> BoxOffice {
    guard case .boxOffice(let chart) = try await value(.boxOffice(period)) else {
      throw CatalogFailure(.undecodable, "no chart")
    }
    return chart
  }

  private var days: [CalendarDay] {
    (0..<7).map { RecordedSession.recordedDays.lowerBound.advanced(by: $0) }
  }

  @Test func `each of its days has ten rows`() async throws {
    #expect(days.last == RecordedSession.recordedDays.upperBound)
    for day in days { #expect(try await chart(.daily(day)).entries.count == 10) }
  }

  @Test func `its week and its weekend have ten rows, whichever day is named`() async throws {
    for day in days {
      #expect(try await chart(.weekly(containing: day)).entries.count == 10)
      #expect(try await chart(.weekend(containing: day)).entries.count == 10)
    }
  }

  @Test func `every movie in its charts has details of the same title and opening day`() async throws {
    var charts: [BoxOffice] = []
    for day in days { charts.append(try await chart(.daily(day))) }
    charts.append(try await chart(.weekly(containing: days[0])))
    charts.append(try await chart(.weekend(containing: days[0])))
    var seen: Set<MovieCode> = []
    for entry in charts.flatMap(\.entries) {
      guard case .movieDetails(let details) = try await value(.movieDetails(entry.movieCode)) else {
        Issue.record("\(entry.movieCode) has no details")
        continue
      }
      #expect(details.title == entry.title)
      #expect(details.openedOn == entry.openedOn)
      seen.insert(entry.movieCode)
    }
    #expect(seen.count == RecordedWeek.movieBodies.count)
  }

  @Test func `the derived week agrees with its days`() async throws {
    let week = try await chart(.weekly(containing: days[0]))
    var audience: [MovieCode: Int64] = [:]
    for day in days {
      for entry in try await chart(.daily(day)).entries {
        audience[entry.movieCode, default: 0] += entry.audience
      }
    }
    for entry in week.entries {
      let sum = try #require(audience[entry.movieCode])
      // Days on which a movie was not in the top ten are in the week and not in the sum; corrections are a hair.
      #expect(Double(sum) <= Double(entry.audience) * 1.0002, "\(entry.title)")
      #expect(Double(sum) >= Double(entry.audience) * 0.8, "\(entry.title)")
    }
  }

  @Test func `what is not recorded is an error that says what is, not an empty chart`() async throws {
    let monday = try Sample.day(20_190_708)
    let area = try #require(BoxOfficeFilter(areaCode: "0105001"))
    let outside: [ResourceID.Subject] = [
      try Sample.daily(20_190_707), try Sample.daily(20_190_715), try Sample.movie("19990001"),
      .boxOffice(.weekly(containing: try Sample.day(20_190_715))), .boxOffice(.weekdays(containing: monday)),
      .boxOffice(.daily(monday), BoxOfficeFilter(origin: .korean)),
      .boxOffice(.daily(monday), BoxOfficeFilter(filmKind: .diversity)), .boxOffice(.daily(monday), area),
      .boxOffice(.weekly(containing: monday), BoxOfficeFilter(origin: .foreign, filmKind: .commercial)),
      .codes(.areas), .page(.movies, 1), .page(.companies, 1), .page(.people, 1),
      .personDetails(try #require(PersonCode("10000558"))),
      .companyDetails(try #require(CompanyCode("20100558"))),
    ]
    for subject in outside {
      let error = await #expect(throws: TransportError.self) { try await value(subject) }
      #expect(error?.code == RecordedSession.notRecorded)
      #expect(error?.description.contains("2019-07-08 to 2019-07-14") == true)
    }
  }

  @Test func `it holds to the limits it is given`() async throws {
    let request = try KOBISSource.recorded.request(for: Sample.daily(20_190_708))
    let error = await #expect(throws: TransportError.self) {
      try await RecordedSession().send(request, body: [], limits: TransportLimits(responseByteCountMax: 100))
    }
    #expect(error?.code == .tooLarge)
  }

  @Test func `it needs no key and says that it is recorded`() throws {
    let request = try KOBISSource.recorded.request(for: Sample.daily(20_190_708))
    #expect(request.path?.contains("key") == false)
    #expect(KOBISSource.recorded.provenance == .recorded)
    let now = Timestamp(millisecondsSinceEpoch: 0)
    #expect(KOBISSource.recorded.availableDays(at: now) == RecordedSession.recordedDays)
  }
}
