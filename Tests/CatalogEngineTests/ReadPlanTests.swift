import CatalogEngine
import Testing

@Suite struct `Deciding what a read does` {
  /// The design's table, row by row: missing, fresh, revalidating, staleOnError, expired, future.
  static let table: [(ReadPolicy, [ReadPlan])] = [
    (.cacheFirst, [.fetch(.fail), .serve, .serveAndRefresh, .fetch(.serve), .fetch(.serve), .fetch(.serve)]),
    (
      .networkFirst,
      [.fetch(.fail), .fetch(.serve), .fetch(.serve), .fetch(.serve), .fetch(.serve), .fetch(.serve)]
    ),
    (.cacheOnly, [.failNotStored, .serve, .serve, .serve, .serve, .serve]),
    (
      .networkOnly,
      [.fetch(.fail), .fetch(.fail), .fetch(.fail), .fetch(.fail), .fetch(.fail), .fetch(.fail)]
    ),
    (
      .cacheAndNetwork,
      [.fetch(.fail), .serve, .serveThenFetch, .serveThenFetch, .serveThenFetch, .serveThenFetch]
    ),
  ]

  @Test(arguments: table)
  func `follows the table`(policy: ReadPolicy, plans: [ReadPlan]) {
    let states: [Freshness?] = [nil] + Freshness.allCases.map(Optional.some)
    #expect(states.count == plans.count)
    for (state, plan) in zip(states, plans) {
      #expect(
        ReadPlan.decide(policy: policy, freshness: state, isTooOld: false) == plan,
        "\(policy), \(state as Any)")
    }
  }

  @Test func `covers every policy`() {
    #expect(Set(Self.table.map(\.0)) == Set(ReadPolicy.allCases))
  }

  @Test(arguments: Freshness.allCases)
  func `never serves what is older than the caller allows`(freshness: Freshness) {
    func plan(_ policy: ReadPolicy) -> ReadPlan {
      ReadPlan.decide(policy: policy, freshness: freshness, isTooOld: true)
    }
    #expect(plan(.cacheOnly) == .failTooOld)
    #expect(plan(.networkOnly) == .fetch(.fail))
    for policy in [ReadPolicy.cacheFirst, .networkFirst, .cacheAndNetwork] {
      #expect(plan(policy) == .fetch(.failTooOld))
    }
  }
}

@Suite struct `The freshness of an answer` {
  static let lifetime = Lifetime(fresh: .seconds(10), revalidating: .seconds(20), staleOnError: .seconds(30))

  static let windows: [(Int64, Freshness)] = [
    (-300_001, .future), (-300_000, .fresh), (0, .fresh), (9_999, .fresh), (10_000, .revalidating),
    (29_999, .revalidating), (30_000, .staleOnError), (59_999, .staleOnError), (60_000, .expired),
    (Int64.max / 4, .expired),
  ]

  @Test(arguments: windows)
  func `passes through its windows one after the other`(milliseconds: Int64, freshness: Freshness) {
    #expect(Freshness.decide(age: .milliseconds(milliseconds), lifetime: Self.lifetime) == freshness)
  }

  @Test func `of a recorded sample is never better than stale before a live upstream`() {
    let now = Timestamp(millisecondsSinceEpoch: 1_000_000)
    let record = EntryRecord(fetchedAt: now, provenance: .recorded, revision: 1)
    func freshness(_ source: Provenance) -> Freshness? {
      Freshness.decide(record, lifetime: Self.lifetime, source: source, now: now)
    }
    #expect(freshness(.host("kobis.or.kr")) == .staleOnError)
    #expect(freshness(.recorded) == .fresh)
  }

  @Test func `of another host's answer is never better than stale`() {
    let now = Timestamp(millisecondsSinceEpoch: 1_000_000)
    let record = EntryRecord(fetchedAt: now, provenance: .host("127.0.0.1:8080"), revision: 1)
    func freshness(_ source: Provenance) -> Freshness? {
      Freshness.decide(record, lifetime: Self.lifetime, source: source, now: now)
    }
    #expect(freshness(.host("kobis.or.kr")) == .staleOnError)
    #expect(freshness(.host("127.0.0.1:8080")) == .fresh)
  }

  @Test func `ends when the answer is invalidated`() {
    let now = Timestamp(millisecondsSinceEpoch: 1_000_000)
    let record = EntryRecord(fetchedAt: now, provenance: .recorded, revision: 1, invalidatedAt: now)
    #expect(Freshness.decide(record, lifetime: Self.lifetime, source: .recorded, now: now) == .staleOnError)
  }

  @Test func `is none where nothing is stored`() {
    let now = Timestamp(millisecondsSinceEpoch: 0)
    #expect(Freshness.decide(EntryRecord(), lifetime: Self.lifetime, source: .recorded, now: now) == nil)
  }
}

@Suite struct `A lifetime` {
  let policy = LifetimePolicy()
  let day = CalendarDay(number: 20_220_105) ?? CalendarDay(daysSinceEpoch: 0)

  /// Fetched so many days after the chart's day, at an hour in Korea.
  func lifetime(afterDays count: Int, hour: Int = 9, isEmpty: Bool = false) -> Lifetime {
    let fetchedAt = day.advanced(by: count).startInKorea.advanced(by: .seconds(hour * 3600))
    return policy.lifetime(of: .boxOffice(.daily(day)), isEmpty: isEmpty, fetchedAt: fetchedAt)
  }

  @Test func `depends on the age of the data in Korean days`() {
    #expect(lifetime(afterDays: 1, hour: 0) == policy.provisional)
    // 23:59 in Korea is the same Korean day, and 14:59 of it in UTC.
    #expect(lifetime(afterDays: 1, hour: 23) == policy.provisional)
    #expect(lifetime(afterDays: 2, hour: 0) == policy.recent)
    #expect(lifetime(afterDays: 7) == policy.recent)
    #expect(lifetime(afterDays: 8) == policy.settled)
    #expect(lifetime(afterDays: 60) == policy.settled)
    #expect(lifetime(afterDays: 61) == policy.fixed)
  }

  @Test func `of nothing is short while something may still come`() {
    #expect(lifetime(afterDays: 0, isEmpty: true) == policy.notYet)
    #expect(lifetime(afterDays: 7, isEmpty: true) == policy.notYet)
    #expect(lifetime(afterDays: 8, isEmpty: true) == policy.settled)
    #expect(policy.notYet.fresh <= .seconds(600))
  }

  @Test func `of a week counts from its last day`() {
    let period = BoxOfficePeriod.weekly(containing: day)
    let fetchedAt = period.through.advanced(by: 1).startInKorea
    #expect(
      policy.lifetime(of: .boxOffice(period), isEmpty: false, fetchedAt: fetchedAt) == policy.provisional)
  }

  @Test func `gets no shorter with the age of the data`() {
    let windows = [policy.provisional, policy.recent, policy.settled, policy.fixed]
    for (younger, older) in zip(windows, windows.dropFirst()) {
      #expect(younger.fresh < older.fresh)
    }
  }
}
