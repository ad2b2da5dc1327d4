import HTTPSessionTesting
import Matinee
import MatineeTesting
import Testing

@Suite struct `A page without rows` {
  let kobis = UpstreamID("kobis")
  let request = SyncRequest(streams: [.list(.companies)])
  let all = ListingQuery(limit: 10_000, includesGone: true)

  struct Rig {
    let catalog: MovieCatalog
    let store: SQLiteMovieStore
    let simulator: KOBISSimulator
    let clock: ManualClock

    /// The list's length, and its pages.
    var rowCount: Int { simulator.rowCount(of: .companies) }
    var pageCount: Int { CatalogList.pageCount(ofRows: rowCount) }

    func answer(page: Int, withoutRowsOf totalCount: Int) {
      simulator.answer(with: .companyPage(CatalogPage(number: page, totalCount: totalCount, rows: [])))
    }

    func sync(_ request: SyncRequest) async -> SyncReport { await SyncEngine(catalog).run(request) }

    func page(_ number: Int) async throws -> StoredEntry? {
      try await store.entry(
        for: ResourceID(upstream: UpstreamID("kobis"), subject: .page(.companies, number)))
    }
  }

  func withRig(_ body: (Rig) async throws -> Void) async throws {
    let clock = ManualClock(inKorea: CalendarDay(daysSinceEpoch: 19_000))
    let simulator = KOBISSimulator(seed: 5) { clock.wallTime }
    let store = try await SQLiteMovieStore(.inMemory)
    let catalog = MovieCatalog(
      store: store, source: KOBISSource(key: try APIKey("a-test-key-of-no-use")), session: simulator,
      clock: clock)
    let rig = Rig(catalog: catalog, store: store, simulator: simulator, clock: clock)
    try #require(rig.pageCount > 2)
    try await body(rig)
    await catalog.shutdown()
  }

  @Test(arguments: [1, 2])
  func `is refused in the midst of its list, and the list waits for it`(page: Int) async throws {
    try await withRig { rig in
      rig.answer(page: page, withoutRowsOf: rig.rowCount)
      let report = await rig.sync(request)
      #expect(report.failedCount == 1)
      let failure = try #require(report.failures.first?.failure)
      #expect(failure.code == .implausible && failure.detail == "emptyPage")
      #expect(
        failure.message
          == "kobis.or.kr answered kobis/company-list/\(ResourceID.Subject.page(.companies, page).key) without rows, "
          + "though by its count of \(rig.rowCount) the list has \(rig.pageCount) pages")
      #expect(try await rig.page(page)?.value == nil)
      #expect(try await rig.store.generation(of: .companies, upstream: kobis)?.completedAt == nil)

      rig.simulator.answer(.page(.companies, page), with: nil)
      rig.clock.advance(by: .seconds(2 * 86_400))
      #expect(await rig.sync(request).failedCount == 0)
      #expect(try await rig.page(page)?.value?.isEmpty == false)
      #expect(try await rig.store.generation(of: .companies, upstream: kobis)?.completedAt != nil)
      #expect(try await rig.catalog.companies(all).rows.count == rig.rowCount)
    }
  }

  @Test func `takes the place of no page that has some, and buries nothing`() async throws {
    try await withRig { rig in
      #expect(await rig.sync(request).failedCount == 0)
      let stored = try await rig.page(2)
      let codes = try await rig.catalog.companies(all).rows.map(\.company.code)
      rig.answer(page: 2, withoutRowsOf: rig.rowCount)
      rig.clock.advance(by: .seconds(91 * 86_400))
      let report = await rig.sync(request)
      #expect(report.failures.map(\.failure.code) == [.implausible])
      let entry = try await rig.page(2)
      #expect(entry?.value == stored?.value && entry?.record.revision == stored?.record.revision)
      #expect(entry?.record.lastFailure?.code == .implausible)
      #expect(try await rig.store.generation(of: .companies, upstream: kobis)?.completedAt == nil)
      let known = try await rig.catalog.companies(all).rows
      #expect(known.map(\.company.code) == codes && known.allSatisfy { $0.goneAt == nil })
      #expect(try await rig.catalog.changes(ChangeQuery(kinds: [.vanished])).isEmpty)
    }
  }

  @Test func `is right past the end of a list that has become shorter`() async throws {
    try await withRig { rig in
      #expect(await rig.sync(request).failedCount == 0)
      rig.answer(page: rig.pageCount, withoutRowsOf: (rig.pageCount - 1) * CatalogList.pageRowCount)
      rig.clock.advance(by: .seconds(91 * 86_400))
      let report = await rig.sync(request)
      #expect(report.failedCount == 0)
      let entry = try await rig.page(rig.pageCount)
      #expect(entry?.value?.isPastEnd == true && entry?.record.revision == 2)
      // The list did not stand still, so that nothing is taken to be gone.
      #expect(try await rig.catalog.companies(all).rows.allSatisfy { $0.goneAt == nil })
    }
  }

  @Test(arguments: [(2, 0, "emptyPage"), (2, 100, "pageBeyondEnd")])
  func `or with rows past its end, is refused by its own count, and leaves what is stored`(
    page: Int, totalCount: Int, detail: String
  ) async throws {
    try await withRig { rig in
      let id = ResourceID(upstream: kobis, subject: .page(.companies, page))
      let company = ListedCompany(code: try #require(CompanyCode("20090001")), name: "회사")
      rig.simulator.answer(
        with: .companyPage(
          CatalogPage(number: page, totalCount: totalCount, rows: totalCount == 0 ? [] : [company])))
      let report = await rig.sync(request)
      #expect(report.failures.map(\.resource) == [id])
      #expect(report.failures.first?.failure.code == .implausible)
      #expect(report.failures.first?.failure.detail == detail)
      #expect(try await rig.page(page)?.value == nil)
      let generation = try await rig.store.generation(of: .companies, upstream: kobis)
      #expect(generation?.totalCount == rig.rowCount && generation?.completedAt == nil)
    }
  }
}
