import CatalogEngine
import HTTPTypes
import Testing

/// A source that can have any day and is never asked.
private struct UnaskedSource: MovieSource {
  var upstream: UpstreamID { UpstreamID("kobis") }
  var provenance: Provenance = .host("kobis.or.kr")
  func availableDays(at now: Timestamp) -> ClosedRange<CalendarDay> {
    CalendarDay(daysSinceEpoch: 0)...CalendarDay(inKoreaAt: now)
  }
  func request(for subject: ResourceID.Subject) throws(CatalogFailure) -> HTTPRequest {
    throw CatalogFailure(.keyMissing, "never asked")
  }
  func value(from body: [UInt8], for subject: ResourceID.Subject) throws(CatalogFailure) -> CatalogValue {
    throw CatalogFailure(.undecodable, "never asked")
  }
}

@Suite struct `Planning a sync` {
  let now = Timestamp(millisecondsSinceEpoch: 1_641_394_800_000)

  func days(_ first: Int, _ last: Int) throws -> ClosedRange<CalendarDay> {
    try #require(CalendarDay(number: first))...(try #require(CalendarDay(number: last)))
  }

  func plan(
    _ periods: [BoxOfficePeriod], _ records: [BoxOfficePeriod: EntryRecord],
    source: Provenance = .host("kobis.or.kr")
  ) -> SyncPlan {
    let pairs = records.map { (ResourceID(upstream: UpstreamID("kobis"), subject: .boxOffice($0)), $1) }
    return SyncPlan.charts(
      periods, records: Dictionary(uniqueKeysWithValues: pairs), source: UnaskedSource(provenance: source),
      lifetimes: LifetimePolicy(), now: now)
  }

  @Test func `comes by latest day first`() throws {
    let periods = SyncPlan.periods(of: .daily, in: try days(20_211_230, 20_220_102))
    #expect(periods.map(\.day.number) == [20_220_102, 20_220_101, 20_211_231, 20_211_230])
  }

  @Test func `takes the weeks that end within the range`() throws {
    // 2019-07-07 and 2019-07-14 are Sundays; the week of 2019-07-15 is not over on the 20th.
    let range = try days(20_190_704, 20_190_720)
    #expect(SyncPlan.periods(of: .weekly, in: range).map(\.day.number) == [20_190_708, 20_190_701])
    #expect(SyncPlan.periods(of: .weekend, in: range).map(\.day.number) == [20_190_712, 20_190_705])
    #expect(SyncPlan.periods(of: .weekly, in: try days(20_190_708, 20_190_713)).isEmpty)
  }

  @Test func `ends at the calendar's first day`() throws {
    let first = try #require(CalendarDay("0001-01-01"))
    #expect(SyncPlan.periods(of: .daily, in: first...first.advanced(by: 1)).count == 2)
    #expect(SyncPlan.periods(of: .weekly, in: first...first.advanced(by: 13)).count == 2)
  }

  @Test func `leaves alone what is fresh and asks for what is missing, aged, failed or invalidated`() throws {
    let periods = SyncPlan.periods(of: .daily, in: try days(20_211_201, 20_211_205))
    let fresh = EntryRecord(fetchedAt: now, provenance: .host("kobis.or.kr"), revision: 1)
    var aged = fresh
    aged.fetchedAt = now.advanced(by: .seconds(-400 * 86_400))
    var invalidated = fresh
    invalidated.invalidatedAt = now
    let failed = EntryRecord(lastAttemptAt: now, lastFailure: CatalogFailure(.timeout, "late", at: now))
    let plan = plan(
      periods, [periods[0]: fresh, periods[1]: aged, periods[2]: invalidated, periods[3]: failed])
    #expect(plan.skippedCount == 1)
    #expect(plan.due.map(\.subject) == periods.dropFirst().map { .boxOffice($0) })
  }

  @Test func `asks a live upstream for what is a recorded sample, and not the other way round`() throws {
    let periods = SyncPlan.periods(of: .daily, in: try days(20_211_201, 20_211_201))
    let recorded = EntryRecord(fetchedAt: now, provenance: .recorded, revision: 1)
    let live = EntryRecord(
      fetchedAt: now.advanced(by: .seconds(-4000 * 86_400)), provenance: .host("kobis.or.kr"), revision: 1)
    #expect(plan(periods, [periods[0]: recorded]).due.count == 1)
    #expect(plan(periods, [periods[0]: live], source: .recorded).due.isEmpty)
  }
}
