/// The one lease that a sync of a store holds: two syncs would plan the same work.
///
/// Every call that the sync makes renews it, in the transaction that enters the call; so it needs no task of its own,
/// and ends by itself soon after a sync that was killed. If its holder's process is known to be dead it is taken over
/// at once.
struct SyncTurn {
  private let store: any MovieStore
  private let clock: any CatalogClock
  private let name: String
  private let holder: LeaseHolder
  private let isKnownDead: @Sendable (LeaseHolder) -> Bool
  private let duration: Duration
  private let waitMax: Duration

  /// How often another sync is looked at to see whether it has ended.
  static let pollInterval: Duration = .milliseconds(500)

  init(_ catalog: MovieCatalog) {
    store = catalog.store
    clock = catalog.clock
    name = "sync/\(catalog.source.upstream.name)"
    let gate = catalog.refresher.gate
    holder = gate.holder
    isKnownDead = gate.isKnownDead
    // Between two calls of a sync there is at most a wait for somebody else's, and then one with its retries' waits.
    duration = gate.leaseDuration + gate.waitMax
    waitMax = catalog.configuration.syncWaitMax
  }

  /// Takes the turn, after other syncs if `waits`.
  ///
  /// - Parameter onWait: Called once, when it turns out that there is another to wait for.
  /// - Returns: The lease; `nil` if another sync is at work and is not waited for, or for too long, or if the task was
  ///   cancelled.
  func take(waits: Bool, onWait: () async -> Void) async throws(StoreError) -> Lease? {
    var waited = Duration.zero
    var dead: Lease?
    while !Task.isCancelled {
      let request = LeaseRequest(
        name: name, holder: holder, instant: clock.wallTime, duration: duration, takingOver: dead)
      switch try await store.grantLease(request) {
      case .granted(let lease): return lease
      case .held(let other):
        if other != dead, isKnownDead(other.holder) {
          dead = other
          continue
        }
        guard waits else { return nil }
        if waited == .zero { await onWait() }
        guard waited < waitMax else { return nil }
      }
      do { try await clock.sleep(for: Self.pollInterval) } catch { return nil }
      waited += Self.pollInterval
    }
    return nil
  }

  /// Ends the turn, even if the task was cancelled.
  func end(_ lease: Lease) async {
    let store = store
    await Task { @concurrent in try? await store.endLease(lease) }.value
  }
}
