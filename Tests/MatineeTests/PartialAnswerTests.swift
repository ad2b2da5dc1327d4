import HTTPSessionTesting
import Matinee
import MatineeTesting
import Testing

@Suite struct `An answer that can only be a part` {
  static let today = CalendarDay(daysSinceEpoch: 19_000)
  static let yesterday = today.advanced(by: -1)
  let kobis = UpstreamID("kobis")

  private struct Rig {
    let catalog: MovieCatalog
    let store: SQLiteMovieStore
    let simulator: KOBISSimulator
    let clock: ManualClock

    func sync(_ streams: Set<SyncRequest.Stream>) async -> SyncReport {
      await SyncEngine(catalog).run(SyncRequest(days: yesterday...yesterday, streams: streams))
    }

    func entry(_ subject: ResourceID.Subject) async throws -> StoredEntry? {
      try await store.entry(for: ResourceID(upstream: UpstreamID("kobis"), subject: subject))
    }
  }

  private func withRig(_ body: (Rig) async throws -> Void) async throws {
    let clock = ManualClock(inKorea: Self.today)
    let simulator = KOBISSimulator(seed: 5) { clock.wallTime }
    let store = try await SQLiteMovieStore(.inMemory)
    let catalog = MovieCatalog(
      store: store, source: KOBISSource(key: try APIKey("a-test-key-of-no-use")), session: simulator,
      clock: clock)
    try await body(Rig(catalog: catalog, store: store, simulator: simulator, clock: clock))
    await catalog.shutdown()
  }

  /// What becomes of yesterday's chart, and what the failure is called; `nil` if it is stored.
  static let charts:
    [(name: String, detail: String?, change: @Sendable ([BoxOfficeEntry]) -> [BoxOfficeEntry])] =
      [
        ("without its last row", "shrunk", { Array($0.dropLast()) }),
        ("of its first row alone", "shrunk", { Array($0.prefix(1)) }),
        (
          "without an audience", "zeroed",
          { rows in
            rows.map { row in
              var row = row
              row.audience = 0
              return row
            }
          }
        ),
        (
          "corrected", nil,
          { rows in
            var rows = rows
            rows[3].audience += 24
            return rows
          }
        ),
      ]

  @Test(arguments: charts.indices)
  func `replaces no chart, and nothing has vanished by it`(index: Int) async throws {
    let (name, detail, change) = Self.charts[index]
    try await withRig { rig async throws in
      let subject = ResourceID.Subject.boxOffice(.daily(Self.yesterday))
      #expect(await rig.sync([.daily]).fetchedCount == 1)
      let before = try #require(try await rig.entry(subject))
      guard case .boxOffice(let chart)? = before.value else {
        Issue.record("no chart")
        return
      }
      try #require(chart.entries.count == BoxOffice.rowCountUsual)

      let changed = BoxOffice(period: chart.period, entries: change(chart.entries))
      rig.simulator.answer(with: .boxOffice(changed))
      rig.clock.advance(by: .seconds(12 * 3600 - 60))
      let report = await rig.sync([.daily])
      let after = try #require(try await rig.entry(subject))
      if let detail {
        #expect(report.failures.first?.failure.code == .implausible, "\(name)")
        #expect(report.failures.first?.failure.detail == detail, "\(name)")
        #expect(after.value == before.value && after.record.revision == 1)
      } else {
        #expect(report.revisedCount == 1 && after.value == .boxOffice(changed))
      }
      let changes = try await rig.store.changes(ChangeQuery(), upstream: kobis)
      #expect(changes.allSatisfy { $0.difference.kind != .vanished })
    }
  }

  @Test func `replaces no list of codes`() async throws {
    try await withRig { rig async throws in
      #expect(await rig.sync([.codes]).failedCount == 0)
      let before = try #require(try await rig.entry(.codes(.areas)))
      guard case .codes(let table)? = before.value else {
        Issue.record("no codes")
        return
      }
      rig.simulator.answer(
        with: .codes(CodeTable(list: .areas, entries: Array(table.entries.prefix(table.entries.count / 2)))))
      rig.clock.advance(by: .seconds(40 * 86_400))
      let report = await rig.sync([.codes])
      #expect(report.failures.map(\.failure.detail) == ["shrunk"])
      #expect(try await rig.entry(.codes(.areas))?.value == before.value)

      // One that loses a row is believed.
      rig.simulator.answer(with: .codes(CodeTable(list: .areas, entries: Array(table.entries.dropLast()))))
      rig.clock.advance(by: .seconds(86_400))
      #expect(await rig.sync([.codes]).revisedCount == 1)
    }
  }

  @Test func `counts for no page of a list, which waits for it`() async throws {
    try await withRig { rig async throws in
      let rowCount = rig.simulator.rowCount(of: .companies)
      try #require(rowCount > 2 * CatalogList.pageRowCount)
      _ = await rig.sync([.list(.companies)])
      let whole = try #require(try await rig.entry(.page(.companies, 2)))
      guard case .companyPage(let page)? = whole.value else {
        Issue.record("no page")
        return
      }
      try #require(page.rows.count == CatalogList.pageRowCount)
      rig.clock.advance(by: .seconds(120 * 86_400))
      rig.simulator.answer(
        with: .companyPage(
          CatalogPage(number: 2, totalCount: page.totalCount, rows: Array(page.rows.prefix(40)))))
      let report = await rig.sync([.list(.companies)])
      #expect(report.failures.map(\.failure.detail) == ["shortPage"])
      #expect(try await rig.store.generation(of: .companies, upstream: kobis)?.completedAt == nil)
      #expect(try await rig.entry(.page(.companies, 2))?.value == whole.value)
    }
  }
}
