import HTTPSessionTesting
import HTTPTransport
import KOBIS
import Matinee
import MatineeTesting
import Testing

/// The upstream's long lists, gone through page by page under a quota, and what may be concluded from it.
@Suite struct `A long list` {
  let kobis = UpstreamID("kobis")
  let request = SyncRequest(streams: [.list(.companies)])

  struct Rig {
    let catalog: MovieCatalog
    let store: SQLiteMovieStore
    let simulator: KOBISSimulator
    let clock: ImmediateClock

    func sync(_ request: SyncRequest) async -> SyncReport { await SyncEngine(catalog).run(request) }

    /// Lets so many days pass.
    func wait(days: Int) async throws { try await clock.sleep(for: Duration.seconds(days * 86_400)) }

    /// Syncs on, a run a day, until a whole go through the list is stored that began after now.
    func goThrough(_ list: CatalogList) async throws {
      for _ in 0..<100 {
        let report = await sync(SyncRequest(streams: [.list(list)]))
        try #require(report.failedCount == 0 && report.storeError == nil)
        if report.stoppedBecause == nil { return }
        try await wait(days: 1)
      }
      Issue.record("the list did not end")
    }
  }

  func withRig(
    callsPerDayMax: Int = 1000, _ body: (Rig) async throws -> Void
  ) async throws {
    let day = try #require(CalendarDay(number: 20_220_108))
    let clock = ImmediateClock(wallNow: day.startInKorea.millisecondsSinceEpoch + 12 * 3_600_000)
    let simulator = KOBISSimulator(seed: 5, callsPerDayMax: callsPerDayMax) { clock.wallTime }
    let store = try await SQLiteMovieStore(.inMemory)
    let catalog = MovieCatalog(
      store: store, source: KOBISSource(key: try APIKey("a-test-key-of-no-use")), session: simulator,
      clock: clock,
      configuration: CatalogConfiguration(
        quota: QuotaPolicy(dailyCallCountMax: callsPerDayMax, reservedCallCount: 0)))
    try await body(Rig(catalog: catalog, store: store, simulator: simulator, clock: clock))
    await catalog.shutdown()
  }

  @Test(arguments: CatalogList.allCases)
  func `is fetched whole, each page once, and left alone until its time has passed`(list: CatalogList)
    async throws
  {
    try await withRig { rig in
      let request = SyncRequest(streams: [.list(list)])
      let pageCount = CatalogList.pageCount(ofRows: rig.simulator.rowCount(of: list))
      let report = await rig.sync(request)
      #expect(report.stoppedBecause == nil && report.failedCount == 0)
      #expect(report.callCount == pageCount && report.fetchedCount == pageCount)
      for page in 1...pageCount { #expect(rig.simulator.callCount(for: .page(list, page)) == 1) }

      let generation = try #require(try await rig.store.generation(of: list, upstream: kobis))
      #expect(generation.completedAt != nil && generation.isSteady)
      #expect(generation.totalCount == rig.simulator.rowCount(of: list))
      let total =
        switch list {
        case .movies: try await rig.catalog.movies().totalCount
        case .companies: try await rig.catalog.companies().totalCount
        case .people: try await rig.catalog.people().totalCount
        }
      #expect(total == rig.simulator.rowCount(of: list))

      try await rig.wait(days: 29)
      #expect(await rig.sync(request).callCount == 0)
      try await rig.wait(days: 62)
      #expect(await rig.sync(request).callCount > 0)
    }
  }

  @Test func `is gone on with where the day's calls ended, and no page is fetched twice`() async throws {
    try await withRig(callsPerDayMax: 2) { rig in
      let pageCount = CatalogList.pageCount(ofRows: rig.simulator.rowCount(of: .companies))
      try #require(pageCount > 2)
      let first = await rig.sync(request)
      #expect(first.stoppedBecause == .quota && first.callCount == 2)
      #expect(try await rig.store.generation(of: .companies, upstream: kobis)?.completedAt == nil)
      try await rig.wait(days: 1)
      try await rig.goThrough(.companies)
      #expect(rig.simulator.callCount == pageCount)
      #expect(try await rig.store.generation(of: .companies, upstream: kobis)?.completedAt != nil)
    }
  }

  @Test func `buries what a whole go came without, and tells it as vanished`() async throws {
    try await withRig { rig in
      try await rig.goThrough(.companies)
      #expect(try await rig.catalog.changes(ChangeQuery(kinds: [.vanished])).isEmpty)
      let gone = try #require(try await rig.catalog.companies().rows.first?.company)
      rig.simulator.withdraw(gone.code)
      try await rig.wait(days: 91)
      // A part of a go buries nothing.
      _ = await rig.sync(SyncRequest(streams: [.list(.companies)], callBudget: 1))
      #expect(try await rig.catalog.changes(ChangeQuery(kinds: [.vanished])).isEmpty)
      try await rig.goThrough(.companies)

      let vanished = try await rig.catalog.changes(ChangeQuery(kinds: [.vanished]))
      #expect(vanished.map(\.difference.itemCode) == [gone.code.text])
      #expect(vanished.first?.difference.itemName == gone.name)
      let known = try await rig.catalog.companies(ListingQuery(limit: 10_000)).rows
      #expect(!known.contains { $0.company.code == gone.code })
      let all = try await rig.catalog.companies(ListingQuery(limit: 10_000, includesGone: true)).rows
      #expect(all.first { $0.company.code == gone.code }?.goneAt != nil)

      // It comes back, and is told as new.
      rig.simulator.list(gone)
      try await rig.wait(days: 91)
      try await rig.goThrough(.companies)
      let appeared = try await rig.catalog.changes(ChangeQuery(kinds: [.appeared]))
      #expect(appeared.last?.difference.itemCode == gone.code.text)
      #expect(
        try await rig.catalog.companies(ListingQuery(limit: 10_000)).rows.contains { $0.company == gone })
    }
  }

  @Test func `buries nothing where so much is missing that the upstream must be at fault`() async throws {
    try await withRig { rig in
      try await rig.goThrough(.companies)
      let before = try await rig.catalog.companies(ListingQuery(limit: 10_000)).rows
      for row in before.prefix(TombstonePolicy.countMax + before.count / 10) {
        rig.simulator.withdraw(row.company.code)
      }
      try await rig.wait(days: 91)
      try await rig.goThrough(.companies)
      #expect(try await rig.catalog.changes(ChangeQuery(kinds: [.vanished])).isEmpty)
      #expect(try await rig.catalog.companies(ListingQuery(limit: 10_000)).rows.count == before.count)
    }
  }

  @Test func `whose first page comes empty is left as it is stored`() async throws {
    try await withRig { rig in
      try await rig.goThrough(.companies)
      let before = try await rig.catalog.companies(ListingQuery(limit: 10_000)).rows
      let empty = #"{"companyListResult":{"totCnt":0,"companyList":[],"source":"영화진흥위원회"}}"#
      rig.simulator.answer(.page(.companies, 1), with: Array(empty.utf8))
      try await rig.wait(days: 91)
      let report = await rig.sync(request)
      #expect(report.failedCount == 1 && report.failures.first?.failure.code == .implausible)
      #expect(try await rig.catalog.companies(ListingQuery(limit: 10_000)).rows == before)
      #expect(try await rig.catalog.changes(ChangeQuery(kinds: [.vanished])).isEmpty)
    }
  }
}
