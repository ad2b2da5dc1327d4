/// Whom a read asks first, and what it does when that fails.
public enum ReadPolicy: String, CaseIterable, Hashable, Sendable {
  /// The store while it is fresh, else the upstream, else the store, labelled.
  case cacheFirst = "cache-first"
  /// The upstream, else the store, labelled.
  case networkFirst = "network-first"
  /// The store alone.
  case cacheOnly = "cache-only"
  /// The upstream alone.
  case networkOnly = "network-only"
  /// The store now and the upstream after: two readings, by ``MovieCatalog/readings(of:policy:maxAge:)``.
  case cacheAndNetwork = "cache-and-network"
}

/// What a read is going to do: the outcome of a decision, and free of any effect.
package enum ReadPlan: Hashable, Sendable {
  /// Serve what is stored.
  case serve
  /// Serve what is stored and have it refreshed behind.
  case serveAndRefresh
  /// Ask the upstream; if that fails, do what the fallback says.
  case fetch(Fallback)
  /// Serve what is stored as a first reading, then ask the upstream for a second.
  case serveThenFetch
  /// Fail: nothing is stored and the upstream may not be asked.
  case failNotStored
  /// Fail: what is stored is older than the caller allows and the upstream may not be asked.
  case failTooOld

  /// What becomes of a read whose fetch failed.
  package enum Fallback: Hashable, Sendable {
    /// What is stored is served, labelled.
    case serve
    /// The fetch's failure is thrown: nothing is stored, or the caller wants the upstream alone.
    case fail
    /// What is stored is older than the caller allows: that is thrown, with the fetch's failure in it.
    case failTooOld
  }

  /// Decides what a read does.
  ///
  /// - Parameters:
  ///   - freshness: The stored answer's state; `nil` if nothing is stored.
  ///   - isTooOld: Whether the caller named a greatest age and the stored answer is past it: the one thing that
  ///     keeps a stored answer from being served.
  package static func decide(policy: ReadPolicy, freshness: Freshness?, isTooOld: Bool) -> ReadPlan {
    guard let freshness else { return policy == .cacheOnly ? .failNotStored : .fetch(.fail) }
    if policy == .networkOnly { return .fetch(.fail) }
    if isTooOld { return policy == .cacheOnly ? .failTooOld : .fetch(.failTooOld) }
    switch (policy, freshness) {
    case (.cacheOnly, _): return .serve
    case (.networkOnly, _): return .fetch(.fail)
    case (.networkFirst, _): return .fetch(.serve)
    case (.cacheFirst, .fresh), (.cacheAndNetwork, .fresh): return .serve
    case (.cacheFirst, .revalidating): return .serveAndRefresh
    case (.cacheFirst, .staleOnError), (.cacheFirst, .expired), (.cacheFirst, .future):
      return .fetch(.serve)
    case (.cacheAndNetwork, _): return .serveThenFetch
    }
  }
}
