import HTTPSessionTesting
import Matinee
import MatineeTesting
import Testing

@Suite struct `What was set aside` {
  static let day = CalendarDay(daysSinceEpoch: 19_000)

  struct Rig {
    let catalog: MovieCatalog
    let store: SQLiteMovieStore
    let simulator: KOBISSimulator
    let clock: ManualClock
    /// A movie on yesterday's chart.
    let movie: MovieCode

    func id(_ subject: ResourceID.Subject) -> ResourceID {
      ResourceID(upstream: UpstreamID("kobis"), subject: subject)
    }
  }

  func withRig(_ body: (Rig) async throws -> Void) async throws {
    let clock = ManualClock(inKorea: Self.day)
    let simulator = KOBISSimulator(seed: 5) { clock.wallTime }
    let store = try await SQLiteMovieStore(.inMemory)
    let catalog = MovieCatalog(
      store: store, source: KOBISSource(key: try APIKey("a-test-key-of-no-use")), session: simulator,
      clock: clock)
    let chart = simulator.chart(of: .daily(Self.day.advanced(by: -1)))
    try await body(
      Rig(
        catalog: catalog, store: store, simulator: simulator, clock: clock,
        movie: try #require(chart.entries.first).movieCode))
    await catalog.shutdown()
  }

  let request = SyncRequest(
    days: Self.day.advanced(by: -2)...Self.day.advanced(by: -1),
    streams: [.daily, .details, .codes, .list(.companies)])

  @Test func `is left alone until its time has come, whatever its kind, and counted once`() async throws {
    try await withRig { rig in
      let until = rig.clock.wallTime.advanced(by: .seconds(3600))
      let failure = CatalogFailure(.undecodable, "no JSON", at: rig.clock.wallTime, setAsideUntil: until)
      let aside: [ResourceID.Subject] = [
        .boxOffice(.daily(Self.day.advanced(by: -2))), .movieDetails(rig.movie), .codes(.areas),
        .page(.companies, 2),
      ]
      for subject in aside {
        try await rig.store.recordFailure(failure, for: rig.id(subject), at: rig.clock.wallTime, in: nil)
      }
      let report = await SyncEngine(rig.catalog).run(request)
      #expect(report.failedCount == 0 && report.stoppedBecause == nil)
      // Details are planned twice, and pages again after each go: every one counts once all the same.
      #expect(report.skippedCount == aside.count)
      for subject in aside { #expect(rig.simulator.callCount(for: subject) == 0, "\(subject)") }

      let plan = try await SyncEngine(rig.catalog).plan(request)
      #expect(plan.due.isEmpty)
      #expect(plan.setAsideCount == aside.count)
      // Yesterday's chart is fresh.
      #expect(plan.skippedCount == 1)
      let again = await SyncEngine(rig.catalog).run(request)
      #expect(again.callCount == 0 && again.skippedCount == aside.count + 1)

      rig.clock.setWallTime(until)
      let later = try await SyncEngine(rig.catalog).plan(request)
      #expect(later.setAsideCount == 0)
      #expect(Set(later.due).isSuperset(of: aside.map(rig.id)))
      let last = await SyncEngine(rig.catalog).run(request)
      #expect(last.failedCount == 0)
      for subject in aside { #expect(try await rig.store.entry(for: rig.id(subject))?.value != nil) }
    }
  }

  @Test func `by the sync itself counts as failed, and for the next one as skipped`() async throws {
    try await withRig { rig in
      let broken: [ResourceID.Subject] = [.movieDetails(rig.movie), .codes(.nations), .page(.companies, 2)]
      for subject in broken { rig.simulator.answer(subject, with: Array("no JSON".utf8)) }
      let report = await SyncEngine(rig.catalog).run(request)
      #expect(report.failedCount == broken.count && report.skippedCount == 0)
      for subject in broken {
        let record = try #require(try await rig.store.record(for: rig.id(subject)))
        #expect(record.lastFailure?.setAsideUntil == rig.clock.wallTime.advanced(by: SetAsidePolicy().delay))
      }
      let next = await SyncEngine(rig.catalog).run(request)
      // The two days' charts are fresh.
      #expect(next.callCount == 0 && next.failedCount == 0 && next.skippedCount == broken.count + 2)
    }
  }

  @Test func `with its first page, a list is not begun anew`() async throws {
    try await withRig { rig in
      let first = rig.id(.page(.people, 1))
      let until = rig.clock.wallTime.advanced(by: .seconds(3600))
      try await rig.store.recordFailure(
        CatalogFailure(.implausible, "emptied", at: rig.clock.wallTime, setAsideUntil: until), for: first,
        at: rig.clock.wallTime, in: nil)
      let request = SyncRequest(streams: [.list(.people)])
      let plan = try await SyncEngine(rig.catalog).plan(request)
      #expect(plan.due.isEmpty && plan.setAsideCount == 1)
      let report = await SyncEngine(rig.catalog).run(request)
      #expect(report.callCount == 0 && report.skippedCount == 1)
      #expect(try await rig.store.generation(of: .people, upstream: UpstreamID("kobis")) == nil)
    }
  }
}
