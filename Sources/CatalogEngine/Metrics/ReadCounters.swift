import CoreMetrics

/// Counters of reads by policy and by what came of them.
///
/// A read of what is stored takes microseconds, so that a counter is found by its place and not by a name.
struct ReadCounters: Sendable {
  /// What came of a read.
  enum Outcome: String, CaseIterable {
    /// It was served from the store, fresh, and nothing failed.
    case hit
    /// It was served from the store, not fresh or in the place of a failure.
    case stale
    /// It was fetched.
    case miss
    /// There was no answer.
    case failed
  }

  private let counters: [Counter]

  init(upstream: String, factory: any MetricsFactory) {
    let definition = MetricDefinition.reads
    counters = ReadPolicy.allCases.flatMap { policy in
      Self.results.map { outcome, freshness in
        Counter(
          label: definition.name,
          dimensions: Array(
            zip(
              definition.dimensions,
              [upstream, policy.rawValue, outcome.rawValue, freshness?.rawValue ?? "none"])),
          factory: factory)
      }
    }
  }

  /// Counts a read that had an answer.
  func count(_ reading: Reading<some CatalogContent>, policy: ReadPolicy) {
    let place: Int
    switch (reading.origin, reading.freshness) {
    case (.network, _): place = 1
    case (.cache, .fresh): place = reading.servedBecause == nil ? 0 : 2
    case (.cache, .revalidating): place = 3
    case (.cache, .staleOnError): place = 4
    case (.cache, .expired): place = 5
    case (.cache, .future): place = 6
    }
    count(place, policy)
  }

  /// Counts a read that had none.
  func countFailure(policy: ReadPolicy) { count(7, policy) }

  private func count(_ place: Int, _ policy: ReadPolicy) {
    counters[policy.place * Self.results.count + place].increment()
  }

  /// What can come of a read, in the order of the counters of a policy.
  private static let results: [(Outcome, Freshness?)] = [
    (.hit, .fresh), (.miss, .fresh), (.stale, .fresh), (.stale, .revalidating), (.stale, .staleOnError),
    (.stale, .expired), (.stale, .future), (.failed, nil),
  ]
}

extension ReadPolicy {
  /// The policy's place among all cases.
  fileprivate var place: Int {
    switch self {
    case .cacheFirst: 0
    case .networkFirst: 1
    case .cacheOnly: 2
    case .networkOnly: 3
    case .cacheAndNetwork: 4
    }
  }
}
