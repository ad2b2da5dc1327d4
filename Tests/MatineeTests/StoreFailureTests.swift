import HTTPSessionTesting
import Matinee
import MatineeTesting
import Testing

@Suite struct `When the store fails` {
  static let full = StoreError(.full, "the disk is full")
  static let readOnly = StoreError(.readOnly, "the file system can only be read")

  /// Lends a catalogue over a store that fails; an answer of `age` lies in it.
  func withCatalog<Result>(
    failing: [FailingStore.Operation: StoreError], stored age: Duration? = nil,
    outcome: Outcome = .success,
    _ body: (MovieCatalog, FailingStore, StubSession, ManualClock) async throws -> Result
  ) async throws -> Result {
    let session = StubSession(Stub(.any, outcome.answer).repeatingLast())
    return try await Upstream.withRig(session, stored: age) { rig async throws in
      let store = FailingStore(rig.store, failing: failing)
      let catalog = MovieCatalog(store: store, source: Upstream.source, session: session, clock: rig.clock)
      let result = try await body(catalog, store, session, rig.clock)
      await catalog.shutdown()
      return result
    }
  }

  @Test(arguments: [full, readOnly])
  func `a reader gets the upstream's answer all the same, and is not told that it is kept`(error: StoreError)
    async throws
  {
    try await withCatalog(failing: [.commit: error], stored: .seconds(400 * 86_400)) {
      catalog, store, _, _ async throws in
      let reading = try await catalog.read(Upstream.resource)
      #expect(reading.origin == .network)
      #expect(reading.value == (try Upstream.freshChart()))
      #expect(reading.nextAttemptAt == nil)
      #expect(reading.revision == 1)
      #expect(try await store.store.entry(for: Upstream.id)?.value == .boxOffice(try Upstream.storedChart()))
    }
  }

  @Test func `nothing is refreshed behind readers again and again`() async throws {
    try await withCatalog(failing: [.commit: Self.full], stored: .seconds(200 * 86_400)) {
      catalog, store, session, clock async throws in
      for _ in 0..<10 {
        #expect(try await catalog.read(Upstream.resource).freshness == .revalidating)
        await catalog.waitForRefreshes()
      }
      #expect(session.journal.count == 1)
      store.mend()
      clock.advance(by: .seconds(61))
      _ = try await catalog.read(Upstream.resource)
      await catalog.waitForRefreshes()
      #expect(session.journal.count == 2)
      #expect(try await catalog.read(Upstream.resource).freshness == .fresh)
    }
  }

  @Test func `a failure that cannot be recorded is served around all the same`() async throws {
    try await withCatalog(
      failing: [.recordFailure: Self.readOnly], stored: .seconds(400 * 86_400), outcome: .transportFailure
    ) { catalog, _, _, _ async throws in
      #expect(try await catalog.read(Upstream.resource).servedBecause?.code == .transport)
    }
  }

  @Test func `a read that needs the store says what is wrong with it`() async throws {
    let broken = StoreError(.io, "reading the file failed")
    try await withCatalog(failing: [.entry: broken], stored: .seconds(60)) {
      catalog, _, session, _ async throws in
      let error = await #expect(throws: StoreError.self) { try await catalog.read(Upstream.resource) }
      #expect(error?.code == .io)
      #expect(session.journal.count == 0)
    }
  }

  @Test func `a read of the upstream alone does not need the store`() async throws {
    try await withCatalog(failing: [.entry: Self.full, .record: Self.full, .commit: Self.full]) {
      catalog, _, _, _ async throws in
      #expect(try await catalog.read(Upstream.resource, policy: .networkOnly).origin == .network)
    }
  }

  @Test func `an answer that cannot be read is fetched anew, and mended`() async throws {
    let corrupt = StoreError(.corrupt, "the store holds the day 0")
    try await withCatalog(failing: [.entry: corrupt], stored: .seconds(60)) {
      catalog, store, _, _ async throws in
      let offline = await #expect(throws: StoreError.self) {
        try await catalog.read(Upstream.resource, policy: .cacheOnly)
      }
      #expect(offline?.code == .corrupt)
      #expect(try await catalog.read(Upstream.resource).origin == .network)
      store.mend()
      #expect(try await catalog.read(Upstream.resource).value == (try Upstream.freshChart()))
    }
  }

  @Test(arguments: [FailingStore.Operation.commit, .beginRun])
  func `a sync stops and tells`(operation: FailingStore.Operation) async throws {
    try await withCatalog(failing: [operation: Self.full]) { catalog, store, session, _ async throws in
      let request = SyncRequest(
        days: Upstream.day.advanced(by: -6)...Upstream.day, streams: [.daily], concurrentCallCountMax: 1)
      let report = await SyncEngine(catalog).run(request)
      #expect(report.stoppedBecause == .storage)
      #expect(report.storeError == Self.full)
      #expect(report.fetchedCount == 0)
      #expect(session.journal.count == (operation == .commit ? 1 : 0))
      #expect(try await store.store.entry(for: Upstream.id) == nil)
    }
  }
}
