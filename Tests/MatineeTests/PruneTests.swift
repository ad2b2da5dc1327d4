import HTTPSessionTesting
import Matinee
import MatineeTesting
import SQLiteMovieStore
import Testing

@Suite struct `When a catalogue is pruned` {
  private static let keep = Duration.seconds(30 * 86_400)

  /// A catalogue in memory with a chart for each of some days, three years old, over a store that may fail.
  private func withCatalog(
    dayCount: Int, _ body: (MovieCatalog, FailingStore) async throws -> Void
  ) async throws {
    let store = FailingStore(try await SQLiteMovieStore(.inMemory), failing: [:])
    let clock = ManualClock(inKorea: Upstream.day.advanced(by: 1100))
    for number in 0..<dayCount {
      let value = CatalogValue.boxOffice(
        BoxOffice(period: .daily(Upstream.day.advanced(by: -number)), entries: []))
      let resource = ResourceID(upstream: UpstreamID("kobis"), subject: value.subject)
      _ = try await store.commit(
        FetchedAnswer(
          resource: resource, value: value, provenance: .host("kobis.or.kr"),
          fetchedAt: Upstream.day.startInKorea), in: nil, settling: nil)
    }
    let catalog = MovieCatalog(
      store: store, source: Upstream.source, session: CountingUpstream(CountingUpstream.refusing),
      clock: clock)
    try await body(catalog, store)
    await catalog.shutdown()
  }

  @Test func `all goes, in as many transactions as it takes`() async throws {
    let count = 2 * MovieCatalog.pruneBatchCountMax + 50
    try await withCatalog(dayCount: count) { catalog, _ async throws in
      let foreseen = try await catalog.prunable(keeping: Self.keep, charts: true)
      #expect(foreseen.removed == PruneCount(charts: count))
      #expect(foreseen.space == nil)
      let report = await catalog.prune(keeping: Self.keep, charts: true)
      #expect(report.removed == PruneCount(charts: count))
      #expect(report.isComplete)
      #expect(report.storeError == nil)
      #expect(report.request == foreseen.request)
      #expect((report.space?.byteCount ?? 0) > 0)
      let again = await catalog.prune(keeping: Self.keep, charts: true)
      #expect(again.removed.total == 0)
      #expect(again.isComplete)
    }
  }

  @Test func `charts stay unless they are named`() async throws {
    try await withCatalog(dayCount: 5) { catalog, _ async throws in
      #expect(await catalog.prune(keeping: Self.keep).removed.total == 0)
      #expect(try await catalog.summary().kinds[0].storedCount == 5)
    }
  }

  @Test func `one that is cancelled starts nothing more, and says that it is not done`() async throws {
    try await withCatalog(dayCount: 5) { catalog, _ async throws in
      let task = Task { @concurrent in
        while !Task.isCancelled { await Task.yield() }
        return await catalog.prune(keeping: Self.keep, charts: true)
      }
      task.cancel()
      let report = await task.value
      #expect(report.removed.total == 0)
      #expect(!report.isComplete)
      #expect(report.storeError == nil)
      #expect(try await catalog.summary().kinds[0].storedCount == 5)
    }
  }

  @Test func `a store that fails is told, with what was done before`() async throws {
    try await withCatalog(dayCount: 5) { catalog, store async throws in
      store.fail(.prune, with: StoreError(.full, "no room"))
      let report = await catalog.prune(keeping: Self.keep, charts: true)
      #expect(report.storeError?.code == .full)
      #expect(!report.isComplete)
      #expect(report.removed.total == 0)
      #expect(try await catalog.summary().kinds[0].storedCount == 5)
      store.mend()
      #expect(await catalog.prune(keeping: Self.keep, charts: true).removed.charts == 5)
    }
  }

  @Test func `less than a day to keep is a caller's bug`() async {
    await #expect(processExitsWith: .failure) {
      _ = PruneRequest(
        upstream: UpstreamID("kobis"), keeping: .seconds(86_399), charts: false,
        at: Timestamp(millisecondsSinceEpoch: 0))
    }
  }
}
