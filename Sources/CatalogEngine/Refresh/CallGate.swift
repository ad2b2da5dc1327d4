import HTTPTransport
import Logging

/// What every call passes before it is made: the lease of its resource, the upstream's breaker, the day's quota.
///
/// All three lie in the store, so that the processes on it act as one; ``MovieStore/admit(_:)`` decides over them in
/// one transaction. The gate words the question, waits where somebody else is at work, and turns a refusal into a
/// failure. It remembers a refusal that holds for a while, so that an upstream that is down costs a reader no write.
///
/// A recorded upstream has a lease, and neither breaker nor quota.
final class CallGate: Sendable {
  /// What the gate grants.
  enum Leave: Sendable {
    /// The call may be made; without a ticket where nothing is rationed and the store cannot be written.
    case granted(CallTicket?)
    /// It need not: this came in meanwhile.
    case answered(StoredEntry)
  }

  private struct Memory {
    var breaker = BreakerState()
    var breakerReadAt: Timestamp?
    /// The day of the ledger that is known to have no call left for anybody.
    var spentDay: CalendarDay?
    /// Until when the upstream is not asked that calls its calls used up just after midnight; see
    /// ``QuotaPolicy/doubtAfterReset``.
    var doubtedUntil: Timestamp?
  }

  private let store: any MovieStore
  private let source: any MovieSource
  private let clock: any CatalogClock
  private let configuration: CatalogConfiguration
  private let slots: CallSlots
  let holder: LeaseHolder
  let isKnownDead: @Sendable (LeaseHolder) -> Bool
  private let logger: Logger
  private let metrics: CatalogMetrics
  private let memory = LockedValue(Memory())

  /// How often the store is looked at while somebody else is at work on a resource.
  static let pollInterval: Duration = .milliseconds(50)
  /// How much longer than its call and the longest wait before it a lease holds.
  static let leaseMargin: Duration = .seconds(5)
  /// How long a remembered breaker is believed to be open without looking at the store.
  static let memoryAgeMax: Duration = .seconds(1)

  init(
    store: any MovieStore, source: any MovieSource, clock: any CatalogClock,
    configuration: CatalogConfiguration,
    slots: CallSlots, holder: LeaseHolder, isKnownDead: @escaping @Sendable (LeaseHolder) -> Bool,
    logger: Logger, metrics: CatalogMetrics
  ) {
    self.store = store
    self.source = source
    self.clock = clock
    self.configuration = configuration
    self.slots = slots
    self.holder = holder
    self.isKnownDead = isKnownDead
    self.logger = logger
    self.metrics = metrics
  }

  /// Whether the upstream counts calls and can be down.
  var isLive: Bool { source.provenance != .recorded }

  /// How long a resource's lease holds: a call, and the longest wait before it.
  var leaseDuration: Duration {
    configuration.transportLimits.total
      + max(configuration.syncRetry.delayMax, configuration.readRetry.delayMax) + Self.leaseMargin
  }

  /// The longest that a caller waits for somebody else's answer.
  var waitMax: Duration { configuration.transportLimits.total + Self.leaseMargin }

  /// Why a reader's call would be refused, as far as is known without writing; `nil` if it has to be asked for.
  func knownRefusal() async -> CatalogFailure? {
    guard isLive else { return nil }
    let now = clock.wallTime
    let known = memory.withLock { $0 }
    if let failure = doubtFailure(known, now) { return failure }
    if let day = known.spentDay, day == configuration.quota.day(at: now) {
      return quotaFailure(isBulk: false, now)
    }
    guard known.breaker.isOpen else { return nil }
    var state = known.breaker
    let age = known.breakerReadAt.map { now.duration(since: $0) }
    if age.map({ $0 < .zero || $0 >= Self.memoryAgeMax }) ?? true {
      guard let read = try? await store.breaker(of: source.upstream) else { return nil }
      remember(read)
      state = read
    }
    return state.refusal(at: now).map { breakerFailure(nextAttemptAt: $0, now) }
  }

  /// Takes note of an upstream's breaker as it is in the store now.
  func remember(_ state: BreakerState) {
    let now = clock.wallTime
    let wasOpen = memory.withLock { memory in
      let wasOpen = memory.breaker.isOpen
      memory.breaker = state
      memory.breakerReadAt = now
      return wasOpen
    }
    metrics.set(breakerOpen: state.isOpen)
    guard state.isOpen != wasOpen else { return }
    if state.isOpen {
      logger.notice(
        "the upstream is taken to be down",
        metadata: [
          "upstream": "\(source.provenance)", "consecutiveFailures": "\(state.consecutiveFailureCount)",
          "nextAttemptAt": "\(state.nextAttemptAt ?? now)",
        ])
    } else {
      logger.notice("the upstream is back", metadata: ["upstream": "\(source.provenance)"])
    }
  }

  /// Takes note that an answer came, which closes the breaker.
  func rememberSuccess() {
    let wasOpen = memory.withLock { $0.breaker.isOpen }
    if wasOpen { remember(BreakerState()) }
  }

  /// Asks for leave to call, and waits as long as somebody else is at work on the same resource.
  ///
  /// A slot is taken for the call, which whoever makes it gives back; nobody waits in one for another.
  ///
  /// - Parameters:
  ///   - stored: The resource's record as the caller knows it.
  ///   - ticket: What the call before was made with, if this is a retry.
  func leave(
    to resource: ResourceID, for purpose: CallPurpose, stored: EntryRecord?, after ticket: CallTicket?
  ) async throws(RefreshError) -> Leave {
    var request = CallRequest(
      resource: resource, holder: holder, instant: clock.wallTime, leaseDuration: leaseDuration,
      seen: stored?.fetchedAt, lease: ticket?.lease, syncLease: purpose.context?.lease,
      breaker: isLive ? configuration.breaker : nil)
    if isLive, let failure = doubtFailure(memory.withLock { $0 }, request.instant) {
      throw .upstream(failure)
    }
    var waited = Duration.zero
    while true {
      switch try await ask(&request, isBulk: purpose.context != nil) {
      case .admitted(let ticket)?: return .granted(ticket)
      case nil: return .granted(nil)
      case .answered?: return .answered(try await entry(of: resource))
      case .leaseLost?: throw .upstream(lateFailure(resource))
      case .syncLeaseLost?: throw .anotherSync
      case .quotaSpent(let use)?:
        throw .upstream(quotaSpent(use, isBulk: purpose.context != nil, request.instant))
      case .breakerOpen(let state)?: try refuse(state, purpose, waited: waited, request.instant)
      case .leased(let other)?:
        if other != request.dead, isKnownDead(other.holder) {
          logger.notice("a lease of a dead process is taken over", metadata: ["resource": "\(resource)"])
          request.dead = other
          continue
        }
        guard waited < waitMax else { throw .upstream(leasedFailure(resource, waited)) }
      }
      do { try await clock.sleep(for: Self.pollInterval) } catch { throw .cancelled }
      waited += Self.pollInterval
      if let failure = await failure(of: resource, since: stored, for: purpose) { throw .upstream(failure) }
    }
  }

  /// Asks the store, from within a slot, which is kept if the call may be made.
  ///
  /// - Returns: `nil` where the call may be made without the store.
  private func ask(_ request: inout CallRequest, isBulk: Bool) async throws(RefreshError) -> CallAdmission? {
    do { try await slots.take() } catch { throw .cancelled }
    request.instant = clock.wallTime
    request.charge = isLive ? configuration.quota.charge(at: request.instant, isBulk: isBulk) : nil
    do throws(StoreError) {
      let admission = try await store.admit(request)
      if case .admitted = admission {
        await tellQuota(of: request)
        return admission
      }
      slots.giveBack()
      return admission
    } catch {
      // Samples cost nothing: a store that cannot be written keeps nobody from them.
      if !isLive && !Task.isCancelled { return nil }
      slots.giveBack()
      throw Task.isCancelled ? .cancelled : .store(error)
    }
  }

  private func entry(of resource: ResourceID) async throws(RefreshError) -> StoredEntry {
    let entry: StoredEntry?
    do throws(StoreError) { entry = try await store.entry(for: resource) } catch { throw .store(error) }
    guard let entry else { throw .store(StoreError(.other, "the answer to \(resource) has gone")) }
    return entry
  }

  /// The failure with which the one that was waited for landed; a sync tries for itself.
  private func failure(
    of resource: ResourceID, since stored: EntryRecord?, for purpose: CallPurpose
  ) async -> CatalogFailure? {
    guard purpose.context == nil, let record = try? await store.record(for: resource), record != stored,
      record.fetchedAt == stored?.fetchedAt
    else { return nil }
    return record.lastFailure
  }

  /// Refuses a call because of an open breaker; a sync waits for the outcome of a probe under way.
  private func refuse(
    _ state: BreakerState, _ purpose: CallPurpose, waited: Duration, _ now: Timestamp
  ) throws(RefreshError) {
    remember(state)
    if purpose.context != nil, state.isProbing(at: now), waited < waitMax { return }
    throw .upstream(breakerFailure(nextAttemptAt: state.refusal(at: now) ?? now, now))
  }
}

// The gate's refusals, worded.
extension CallGate {
  /// Tells how many calls the day has left, now that one more is entered; nobody is asked where nobody looks.
  private func tellQuota(of request: CallRequest) async {
    guard metrics.isWatched, let charge = request.charge,
      let use = try? await store.quotaUse(of: source.upstream, on: charge.day)
    else { return }
    metrics.set(quotaLeft: configuration.quota.leftCount(of: use))
  }

  /// Takes note that the ledger has nothing left.
  private func quotaSpent(_ use: QuotaUse, isBulk: Bool, _ now: Timestamp) -> CatalogFailure {
    metrics.set(quotaLeft: configuration.quota.leftCount(of: use))
    // What is left to readers may be there when a sync's share is spent.
    let isForAll = !isBulk || use.exhaustedAt != nil
    if isForAll { rememberSpent(configuration.quota.day(at: now)) }
    return quotaFailure(isBulk: !isForAll, now)
  }

  /// Takes note that `day` has no call left for anybody.
  func rememberSpent(_ day: CalendarDay) {
    let isNews = memory.withLock { memory in
      defer { memory.spentDay = day }
      return memory.spentDay != day
    }
    metrics.set(quotaLeft: 0)
    guard isNews else { return }
    logger.notice(
      "the day's calls are used up",
      metadata: [
        "upstream": "\(source.provenance)", "day": "\(day)",
        "resetsAt": "\(configuration.quota.reset(after: day))",
      ])
  }

  /// Takes note that the upstream calls its calls used up, at `now`, and may mean the day before.
  func rememberDoubt(at now: Timestamp) {
    memory.withLock { $0.doubtedUntil = configuration.quota.nextAttempt(afterSpentAt: now) }
  }

  /// When the day of calls that `now` lies in ends.
  func quotaReset(at now: Timestamp) -> Timestamp {
    configuration.quota.reset(after: configuration.quota.day(at: now))
  }

  private func quotaFailure(isBulk: Bool, _ now: Timestamp) -> CatalogFailure {
    let quota = configuration.quota
    let reset = quotaReset(at: now)
    let share =
      isBulk && quota.reservedCallCount > 0
      ? "the day's calls but the \(quota.reservedCallCount) kept for readers are used up"
      : "the day's \(quota.dailyCallCountMax) calls are used up"
    return CatalogFailure(
      .quota, "\(source.provenance) is not asked before \(reset): \(share)", detail: CatalogFailure.ledger,
      at: now,
      nextAttemptAt: reset)
  }

  private func doubtFailure(_ known: Memory, _ now: Timestamp) -> CatalogFailure? {
    // A clock that was put back meanwhile makes no longer time of it.
    guard let until = known.doubtedUntil, now < until,
      until.duration(since: now) <= QuotaPolicy.doubtAfterReset
    else { return nil }
    return CatalogFailure(
      .quota, "\(source.provenance) says that its calls are used up, and is not asked before \(until)",
      detail: CatalogFailure.ledger, at: now, nextAttemptAt: until)
  }

  private func breakerFailure(nextAttemptAt: Timestamp, _ now: Timestamp) -> CatalogFailure {
    CatalogFailure(
      .breakerOpen,
      "\(source.provenance) could not be reached so often that it is not asked before \(nextAttemptAt)",
      at: now, nextAttemptAt: nextAttemptAt)
  }

  private func leasedFailure(_ resource: ResourceID, _ waited: Duration) -> CatalogFailure {
    CatalogFailure(
      .timeout, "another process has been fetching \(resource) for more than \(waited.wholeSeconds) s",
      detail: "leased")
  }

  func lateFailure(_ resource: ResourceID) -> CatalogFailure {
    CatalogFailure(
      .timeout, "fetching \(resource) took so long that another process took it over", detail: "leaseLost")
  }
}
