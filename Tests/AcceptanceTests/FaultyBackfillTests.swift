import HTTPSessionTesting
import HTTPTransport
import Matinee
import MatineeTesting
import Testing
import UpstreamFaults

/// One backfill through faults that are drawn from a seed, and what was seen of it.
///
/// Of a hundred calls seven fail as a network fails them, by any fault of the kit, and three more bring an answer that is
/// of no use. One call is under way at a time, so that a seed gives the same run again.
private struct FaultyBackfill {
  let seed: UInt64
  let clock: ImmediateClock
  let upstream: SimulatedUpstream
  let mangled: MangledAnswers
  let faults: FaultySession
  let calls: CallWitness
  let backfill: Backfill

  /// What is invented once, for all seeds.
  private static let answers = LockedValue<SimulatedUpstream?>(nil)

  private static func sharedAnswers() throws -> SimulatedUpstream {
    let clock = try noonLongAfter()
    return answers.withLock { answers in
      let upstream = answers ?? SimulatedUpstream(callsPerDayMax: .max, clock: clock)
      answers = upstream
      return upstream
    }
  }

  init(seed: UInt64) throws {
    self.seed = seed
    clock = try noonLongAfter()
    let cover = try Scale.cover(ofSeed: seed)
    upstream = SimulatedUpstream(
      callsPerDayMax: cover.callsPerDayMax, clock: clock, sharing: try Self.sharedAnswers())
    mangled = MangledAnswers(wrapping: upstream, probability: 0.03, seed: seed)
    faults = FaultySession(
      wrapping: mangled, plan: .random(probability: 0.07, seed: seed), clock: clock)
    calls = CallWitness(wrapping: faults, clock: clock)
    var backfill = Backfill(days: cover.days)
    backfill.concurrentCallCountMax = 1
    backfill.callsPerDayMax = cover.callsPerDayMax
    self.backfill = backfill
  }

  /// The faults of the kit that struck.
  var struck: Set<Fault> { Set(faults.injected.compactMap(\.self)) }

  /// Runs it to its end and a day beyond, on which stored charts are fetched anew, and holds it to everything that it
  /// promises.
  ///
  /// - Returns: How often a fetch failed of a chart that was stored.
  func run() async throws -> Int {
    let note: Comment = "seed \(seed)"
    let store = try await SQLiteMovieStore(.inMemory)
    let witness = ChartWitness(of: store, against: upstream, note: note)
    let catalog = try backfill.catalog(in: store, session: calls, clock: clock, seed: seed)
    var outcome = try await backfill.run(catalog, clock: clock) { await witness.look($0) }
    let storedCount = outcome.resourceCount
    #expect(witness.keptCount == 0, note)
    try await backfill.check(store, against: upstream)

    try await backfill.revisit(catalog, clock: clock, adding: &outcome) { await witness.look($0) }
    #expect(outcome.resourceCount > storedCount, note)
    try await backfill.check(store, against: upstream)

    #expect(outcome.callCount == outcome.resourceCount + outcome.failedCount + outcome.retryCount, note)
    #expect(outcome.revisedCount == 0, note)
    // The store's own journal knows of no chart or movie that ever said something else.
    let differing = ChangeQuery(kinds: [.moved, .corrected, .vanished], limit: 1)
    #expect(try await store.changes(differing, upstream: UpstreamID("kobis")).isEmpty, note)
    try await checkLedger(of: store, callCount: outcome.callCount, note)
    await store.close()
    return witness.keptCount
  }

  private func checkLedger(of store: SQLiteMovieStore, callCount: Int, _ note: Comment) async throws {
    #expect(calls.callCounts.values.reduce(0, +) == callCount, note)
    for (day, count) in calls.callCounts {
      #expect(count <= backfill.callsPerDayMax, note)
      let usedCount = try await store.quotaUse(of: UpstreamID("kobis"), on: day).usedCount
      #expect(usedCount == count, "\(day), seed \(seed)")
      // What failed on its way there was never counted at its end.
      #expect((upstream.callCounts[day] ?? 0) <= count, note)
    }
  }
}

@Suite struct `A backfill through an upstream that fails every tenth call` {
  @Test(arguments: Scale.seedBlocks)
  func `completes, equals the source at every step, and has every call in its ledger`(
    seeds: Range<UInt64>
  ) async throws {
    var struck: Set<Fault> = []
    var mangled: Set<MangledAnswers.Damage> = []
    var keptCount = 0
    for seed in seeds {
      let backfill = try FaultyBackfill(seed: seed)
      keptCount += try await backfill.run()
      struck.formUnion(backfill.struck)
      mangled.formUnion(backfill.mangled.done)
    }
    // Nothing is shown by faults that did not strike.
    #expect(struck == Set(Fault.all))
    #expect(mangled == Set(MangledAnswers.Damage.allCases))
    #expect(keptCount > 0, "no stored chart was ever in danger")
  }
}
