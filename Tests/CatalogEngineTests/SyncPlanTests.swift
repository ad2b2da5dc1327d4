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
  ) -> ChartPlan {
    let pairs = records.map { (ResourceID(upstream: UpstreamID("kobis"), subject: .boxOffice($0)), $1) }
    var plan = ChartPlan(source: UnaskedSource(provenance: source), lifetimes: LifetimePolicy(), now: now)
    plan.add(periods, filter: .everything, records: Dictionary(uniqueKeysWithValues: pairs))
    return plan
  }

  @Test func `comes by latest day first`() throws {
    let periods = BoxOfficePeriod.all(.daily, in: try days(20_211_230, 20_220_102))
    #expect(periods.map(\.day.number) == [20_220_102, 20_220_101, 20_211_231, 20_211_230])
  }

  @Test func `takes the weeks that end within the range`() throws {
    // 2019-07-07 and 2019-07-14 are Sundays; the week of 2019-07-15 is not over on the 20th.
    let range = try days(20_190_704, 20_190_720)
    #expect(BoxOfficePeriod.all(.weekly, in: range).map(\.day.number) == [20_190_708, 20_190_701])
    #expect(BoxOfficePeriod.all(.weekend, in: range).map(\.day.number) == [20_190_712, 20_190_705])
    #expect(BoxOfficePeriod.all(.weekly, in: try days(20_190_708, 20_190_713)).isEmpty)
  }

  @Test func `ends at the calendar's first day`() throws {
    let first = try #require(CalendarDay("0001-01-01"))
    #expect(BoxOfficePeriod.all(.daily, in: first...first.advanced(by: 1)).count == 2)
    #expect(BoxOfficePeriod.all(.weekly, in: first...first.advanced(by: 13)).count == 2)
  }

  @Test func `leaves alone what is fresh and asks for what is missing, aged, failed or invalidated`() throws {
    let periods = BoxOfficePeriod.all(.daily, in: try days(20_211_201, 20_211_205))
    let fresh = EntryRecord(fetchedAt: now, provenance: .host("kobis.or.kr"), revision: 1)
    var aged = fresh
    aged.fetchedAt = now.advanced(by: .seconds(-400 * 86_400))
    var invalidated = fresh
    invalidated.invalidatedAt = now
    let failed = EntryRecord(lastAttemptAt: now, lastFailure: CatalogFailure(.timeout, "late", at: now))
    let plan = plan(
      periods, [periods[0]: fresh, periods[1]: aged, periods[2]: invalidated, periods[3]: failed])
    #expect(plan.skippedCount == 1)
    #expect(plan.dueCount == 4)
    // The aged one was fetched while its figures still moved; the invalidated one was settled; the others are missing,
    // and older than what is stored.
    #expect(plan.due(.correction).map(\.subject) == [.boxOffice(periods[1])])
    #expect(plan.due(.aging).map(\.subject) == [.boxOffice(periods[2])])
    #expect(plan.due(.backfill).map(\.subject) == [.boxOffice(periods[3]), .boxOffice(periods[4])])
  }

  @Test func `takes an old chart without rows for a gap, and one that failed by an outage for a suspect`()
    throws
  {
    let periods = BoxOfficePeriod.all(.daily, in: try days(20_211_201, 20_211_204))
    let old = now.advanced(by: .seconds(-400 * 86_400))
    let stored = EntryRecord(fetchedAt: now, provenance: .host("kobis.or.kr"), revision: 1)
    let empty = EntryRecord(
      fetchedAt: old, provenance: .host("kobis.or.kr"), isEmpty: true, revision: 1)
    let failed = EntryRecord(lastAttemptAt: now, lastFailure: CatalogFailure(.timeout, "late", at: now))
    let refused = EntryRecord(lastAttemptAt: now, lastFailure: CatalogFailure(.undecodable, "HTML", at: now))
    let plan = plan(
      periods, [periods[0]: empty, periods[1]: failed, periods[2]: refused, periods[3]: stored])
    #expect(plan.due(.gap).map(\.subject) == periods[..<3].map { .boxOffice($0) })
    #expect(plan.due(.aging).isEmpty && plan.due(.correction).isEmpty)
    #expect(plan.suspects.map(\.subject) == [.boxOffice(periods[1])])
  }

  @Test func `asks a live upstream for what is a recorded sample, and not the other way round`() throws {
    let periods = BoxOfficePeriod.all(.daily, in: try days(20_211_201, 20_211_201))
    let recorded = EntryRecord(fetchedAt: now, provenance: .recorded, revision: 1)
    let live = EntryRecord(
      fetchedAt: now.advanced(by: .seconds(-4000 * 86_400)), provenance: .host("kobis.or.kr"), revision: 1)
    #expect(plan(periods, [periods[0]: recorded]).dueCount == 1)
    #expect(plan(periods, [periods[0]: live], source: .recorded).dueCount == 0)
  }

  /// A record of a chart that was fetched so many days after its last day.
  func stored(_ period: BoxOfficePeriod, daysAfter: Int) -> EntryRecord {
    EntryRecord(
      fetchedAt: period.through.advanced(by: daysAfter).startInKorea, provenance: .host("kobis.or.kr"),
      revision: 1)
  }

  @Test func `takes yesterday first, then what may have been corrected, then gaps, then what is older`()
    throws
  {
    let periods = BoxOfficePeriod.all(.daily, in: try days(20_211_101, 20_220_106))
    let settled = try #require(periods.first { $0.day.number == 20_211_211 })
    let moving = try #require(periods.first { $0.day.number == 20_211_215 })
    let oldest = try #require(periods.first { $0.day.number == 20_211_210 })
    let plan = plan(
      periods,
      [
        settled: stored(settled, daysAfter: 25), moving: stored(moving, daysAfter: 1),
        oldest: stored(oldest, daysAfter: 25),
      ])
    #expect(plan.due(.newest).map(\.subject.key) == ["20220106"])
    // The trailing window, and a day that was fetched while it still moved.
    #expect(plan.due(.correction).map(\.subject.key).first == "20220105")
    #expect(plan.due(.correction).count == ChartPlan.trailingDayCount - 1 + 1)
    #expect(plan.due(.correction).map(\.subject.key).last == "20211215")
    #expect(plan.due(.gap).map(\.subject.key).first == "20211223")
    #expect(plan.due(.gap).map(\.subject.key).last == "20211212")
    #expect(plan.due(.backfill).map(\.subject.key).first == "20211209")
    #expect(plan.due(.backfill).map(\.subject.key).last == "20211101")
    #expect(plan.due(.aging).isEmpty)
    #expect(plan.skippedCount == 2)
    #expect(plan.dueCount + plan.skippedCount == periods.count)
  }

  @Test func `of charts that end on one day takes the daily one first, and parts after the whole`() throws {
    let range = try days(20_211_225, 20_220_102)
    let korean = BoxOfficeFilter(origin: .korean)
    var plan = ChartPlan(source: UnaskedSource(), lifetimes: LifetimePolicy(), now: now)
    for kind in BoxOfficePeriod.Kind.allCases.reversed() {
      plan.add(BoxOfficePeriod.all(kind, in: range), filter: .everything, records: [:])
    }
    plan.add(BoxOfficePeriod.all(.daily, in: range), filter: korean, records: [:])
    let names = plan.due(.correction).prefix(4).map { "\($0.subject.kind.rawValue)/\($0.subject.key)" }
    #expect(
      names == [
        "daily-box-office/20220102", "daily-box-office/korean/20220102", "daily-box-office/20220101",
        "daily-box-office/korean/20220101",
      ])
    #expect(
      plan.due(.newest).map { "\($0.subject.kind.rawValue)/\($0.subject.key)" } == [
        "weekend-box-office/20211231", "weekly-box-office/20211227",
      ])
  }

  @Test func `leaves alone for a while what was set aside`() throws {
    let periods = BoxOfficePeriod.all(.daily, in: try days(20_211_204, 20_211_205))
    func failed(until instant: Timestamp) -> EntryRecord {
      EntryRecord(
        lastAttemptAt: now,
        lastFailure: CatalogFailure(.undecodable, "no JSON", at: now, setAsideUntil: instant),
        consecutiveFailureCount: 1)
    }
    let plan = plan(
      periods,
      [periods[0]: failed(until: now.advanced(by: .seconds(1))), periods[1]: failed(until: now)])
    #expect(plan.setAsideCount == 1 && plan.skippedCount == 0)
    #expect(plan.due(.backfill).map(\.subject.key) == ["20211204"])
  }
}

@Suite struct `Setting a resource aside` {
  let policy = SetAsidePolicy()
  let broken = CatalogFailure(.undecodable, "no JSON")

  /// A failure after which the resource was set aside for some hours; for none if 0.
  private func earlier(_ code: CatalogFailure.Code, hours: Int = 0) -> CatalogFailure {
    let at = Timestamp(millisecondsSinceEpoch: 1_000_000)
    return CatalogFailure(
      code, "m", at: at, setAsideUntil: hours == 0 ? nil : at.advanced(by: .seconds(hours * 3600)))
  }

  @Test(arguments: [(0, 6), (6, 24), (24, 96), (96, 384), (384, 720), (720, 720), (10_000, 720)])
  func `takes longer each time, up to a month`(before: Int, hours: Int) {
    let previous = earlier(.undecodable, hours: before)
    let delay = policy.delay(after: broken, previous: previous, othersWereOfUse: true)
    #expect(delay == .seconds(hours * 3600))
  }

  @Test func `is short again after an outage, however long that took`() {
    for code in [CatalogFailure.Code.offline, .timeout, .quota] {
      let delay = policy.delay(after: broken, previous: earlier(code), othersWereOfUse: true)
      #expect(delay == policy.delay)
    }
  }

  @Test func `waits for a second failure of its own where nothing else was of use`() {
    #expect(policy.delay(after: broken, previous: nil, othersWereOfUse: false) == nil)
    #expect(policy.delay(after: broken, previous: earlier(.timeout), othersWereOfUse: false) == nil)
    #expect(
      policy.delay(after: broken, previous: earlier(.fault), othersWereOfUse: false) == policy.delay)
  }

  @Test func `is for what cannot be had while others can, from the second time on`() {
    let failing = CatalogFailure(.status, "m", detail: "500")
    #expect(policy.delay(after: failing, previous: nil, othersWereOfUse: true) == nil)
    #expect(policy.delay(after: failing, previous: earlier(.timeout), othersWereOfUse: false) == nil)
    #expect(
      policy.delay(after: failing, previous: earlier(.timeout), othersWereOfUse: true) == policy.delay)
    #expect(policy.delay(after: failing, previous: earlier(.offline), othersWereOfUse: true) == nil)
    let offline = CatalogFailure(.offline, "m")
    #expect(policy.delay(after: offline, previous: earlier(.timeout), othersWereOfUse: true) == nil)
  }

  @Test(
    arguments: [
      (CatalogFailure.Code.fault, nil, true), (.undecodable, nil, true), (.implausible, nil, true),
      (.tooLarge, nil, true), (.status, "404", true), (.status, "503", false), (.status, "429", false),
      (.offline, nil, false), (.transport, nil, false), (.timeout, nil, false), (.quota, nil, false),
      (.keyRefused, nil, false), (.keyMissing, nil, false), (.breakerOpen, nil, false),
    ] as [(CatalogFailure.Code, String?, Bool)])
  func `is for failures of the resource alone`(code: CatalogFailure.Code, detail: String?, isSetAside: Bool) {
    let failure = CatalogFailure(code, "m", detail: detail)
    #expect((policy.delay(after: failure, previous: nil, othersWereOfUse: true) != nil) == isSetAside)
  }
}

@Suite struct `A sync's streams` {
  @Test(arguments: [
    "daily", "weekly", "weekend", "weekdays", "details", "codes", "movies", "companies", "people",
    "daily:korean", "weekend:foreign+diversity", "daily:area-0105001",
    "weekly:korean+commercial+area-0105001",
  ])
  func `have stable names`(name: String) throws {
    #expect(try #require(SyncRequest.Stream(name)).name == name)
  }

  @Test(arguments: [
    "", "Daily", "daily:", "daily:all", "details:korean", "daily:diversity+korean", "daily:korean+foreign",
    "daily:area-", "daily:area-01/05", "daily:korean:foreign", "movies:korean",
  ])
  func `refuse other names`(name: String) { #expect(SyncRequest.Stream(name) == nil) }
}
