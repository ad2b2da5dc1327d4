import HTTPSessionTesting
import Matinee
import MatineeTesting
import Testing

/// How old the stored answer is when the read comes; the chart's lifetime is 180, 180 and 365 days.
enum EntryState: String, CaseIterable, Sendable {
  case missing
  case fresh
  case revalidating
  case staleOnError
  case expired
  case future

  var age: Duration? {
    switch self {
    case .missing: nil
    case .fresh: .seconds(86_400)
    case .revalidating: .seconds(200 * 86_400)
    case .staleOnError: .seconds(400 * 86_400)
    case .expired: .seconds(800 * 86_400)
    case .future: .seconds(-3600)
    }
  }

  var freshness: Freshness? { Freshness(rawValue: rawValue) }
}

/// What a reader gets, and what it costs.
enum Expected: Equatable, Sendable {
  /// The stored answer; the upstream is not asked.
  case cached
  /// The stored answer; the upstream is asked behind it.
  case cachedThenBehind
  /// The upstream's answer, or the failure.
  case networkOrError
  /// The upstream's answer, or the stored one with the failure.
  case networkOrCached
  /// First the stored answer, then as ``networkOrCached``.
  case cachedThenNetwork
  /// The error that nothing is stored.
  case notStored
}

@Suite struct `Reading under every policy, in every state, with every outcome` {
  /// missing, fresh, revalidating, staleOnError, expired, future.
  static let table: [ReadPolicy: [Expected]] = [
    .cacheFirst: [
      .networkOrError, .cached, .cachedThenBehind, .networkOrCached, .networkOrCached, .networkOrCached,
    ],
    .networkFirst: [
      .networkOrError, .networkOrCached, .networkOrCached, .networkOrCached, .networkOrCached,
      .networkOrCached,
    ],
    .cacheOnly: [.notStored, .cached, .cached, .cached, .cached, .cached],
    .networkOnly: [
      .networkOrError, .networkOrError, .networkOrError, .networkOrError, .networkOrError, .networkOrError,
    ],
    .cacheAndNetwork: [
      .networkOrError, .cached, .cachedThenNetwork, .cachedThenNetwork, .cachedThenNetwork,
      .cachedThenNetwork,
    ],
  ]

  static let cases: [(ReadPolicy, EntryState, Outcome)] = ReadPolicy.allCases.flatMap { policy in
    EntryState.allCases.flatMap { state in Outcome.allCases.map { (policy, state, $0) } }
  }

  @Test(arguments: cases)
  func `gives what the table says`(policy: ReadPolicy, state: EntryState, outcome: Outcome) async throws {
    let index = try #require(EntryState.allCases.firstIndex(of: state))
    let expected = try #require(Self.table[policy]?[index])
    try await Upstream.withRig(StubSession(Stub(.any, outcome.answer)), stored: state.age) { rig in
      let read = await collect(rig.catalog.readings(of: Upstream.resource, policy: policy))
      await rig.catalog.waitForRefreshes()
      try check(read, expected, state, outcome)
      let callCount = [.cached, .notStored].contains(expected) ? 0 : 1
      #expect(rig.session.journal.count == callCount)
      try await checkStore(rig, state, outcome, wasAsked: callCount == 1)
    }
  }

  /// A single read gives the last of what the sequence gives.
  @Test(arguments: cases)
  func `gives the last reading of the sequence to a single read`(
    policy: ReadPolicy, state: EntryState, outcome: Outcome
  ) async throws {
    let session = StubSession(Stub(.any, outcome.answer).repeatingLast())
    let sequence = try await Upstream.withRig(session, stored: state.age) { rig in
      await collect(rig.catalog.readings(of: Upstream.resource, policy: policy))
    }
    let single = try await Upstream.withRig(session, stored: state.age) { rig in
      await rig.catalog.readResult(Upstream.resource, policy: policy)
    }
    switch single {
    case .success(let reading): #expect(sequence.readings.last == reading)
    case .failure(let error): #expect(sequence.failure == error as? CatalogFailure)
    }
  }

  struct Collected {
    var readings: [Reading<BoxOffice>] = []
    var failure: CatalogFailure?
  }

  func collect(_ stream: AsyncThrowingStream<Reading<BoxOffice>, any Error>) async -> Collected {
    var collected = Collected()
    do {
      for try await reading in stream { collected.readings.append(reading) }
    } catch {
      collected.failure = error as? CatalogFailure
      if collected.failure == nil { Issue.record(error) }
    }
    return collected
  }

  func check(_ read: Collected, _ expected: Expected, _ state: EntryState, _ outcome: Outcome) throws {
    var readings = read.readings
    func next() throws -> Reading<BoxOffice> {
      try #require(!readings.isEmpty)
      return readings.removeFirst()
    }
    if [.cached, .cachedThenBehind, .cachedThenNetwork].contains(expected) {
      try checkCached(next(), state, because: nil)
    }
    switch expected {
    case .cached, .cachedThenBehind:
      #expect(read.failure == nil)
    case .networkOrError, .networkOrCached, .cachedThenNetwork:
      if outcome == .success {
        try checkNetwork(next())
      } else if expected == .networkOrError {
        #expect(read.failure?.code == outcome.failureCode)
        #expect(read.failure?.at != nil)
      } else {
        try checkCached(next(), state, because: outcome.failureCode)
      }
    case .notStored:
      #expect(read.failure?.code == .notStored)
    }
    #expect(readings.isEmpty)
  }

  func checkCached(_ reading: Reading<BoxOffice>, _ state: EntryState, because code: CatalogFailure.Code?)
    throws
  {
    #expect(reading.origin == .cache)
    #expect(reading.value == (try Upstream.storedChart()))
    #expect(reading.freshness == state.freshness)
    #expect(reading.age == state.age)
    #expect(reading.source == .host("kobis.or.kr"))
    #expect(reading.servedBecause?.code == code)
    #expect((reading.nextAttemptAt == nil) == (state != .fresh))
  }

  func checkNetwork(_ reading: Reading<BoxOffice>) throws {
    #expect(reading.origin == .network)
    #expect(reading.value == (try Upstream.freshChart()))
    #expect(reading.freshness == .fresh)
    #expect(reading.age == .zero)
    #expect(reading.servedBecause == nil)
    #expect(reading.lastAttemptAt == reading.fetchedAt)
  }

  func checkStore(_ rig: Upstream.Rig, _ state: EntryState, _ outcome: Outcome, wasAsked: Bool) async throws {
    let entry = try await rig.store.entry(for: Upstream.id)
    if wasAsked && outcome == .success {
      #expect(entry?.value == .boxOffice(try Upstream.freshChart()))
      #expect(entry?.record.revision == (state == .missing ? 1 : 2))
      #expect(entry?.record.lastFailure == nil)
    } else {
      #expect(entry?.value == (state == .missing ? nil : .boxOffice(try Upstream.storedChart())))
      #expect(entry?.record.lastFailure?.code == (wasAsked ? outcome.failureCode : nil))
    }
  }
}
