package import CoreMetrics
package import HTTPTransport
import HTTPTypes
package import Logging

/// The one way by which answers come in: reads and syncs alike go through ``refresh(_:for:after:)``.
///
/// ```
/// single flight → slot → lease, breaker, quota → session → status & size → decode → validate
///   → ONE transaction (rows + freshness + run, breaker, end of the lease)
/// ```
///
/// A failure on the way leaves what is stored as it is and is recorded beside it; one that may pass is tried again, by
/// the same way from the quota on.
package final class Refresher: Sendable {
  package let store: any MovieStore
  package let source: any MovieSource
  package let clock: any CatalogClock
  let gate: CallGate
  private let session: any HTTPSession
  let configuration: CatalogConfiguration
  let random: @Sendable () -> Double
  let logger: Logger
  let metrics: CatalogMetrics
  private let flights = SingleFlight<ResourceID, Landing>()
  private let slots: CallSlots
  /// The failures of those flights that wait to try again.
  private let retrying = LockedValue<[ResourceID: CatalogFailure]>([:])
  private let storeFailedAt = LockedValue<Timestamp?>(nil)

  /// After an answer could not be stored, nothing is refreshed behind readers for so long: on a full disk each of
  /// them would cost a call and leave nothing.
  package static let storeRetryDelayMin: Duration = .seconds(60)

  package init(
    store: any MovieStore, source: any MovieSource, session: any HTTPSession, clock: any CatalogClock,
    configuration: CatalogConfiguration, logger: Logger, metrics factory: any MetricsFactory,
    random: @escaping @Sendable () -> Double,
    holder: LeaseHolder = LeaseHolder(),
    isKnownDead: @escaping @Sendable (LeaseHolder) -> Bool = { $0.isKnownDead }
  ) {
    self.store = store
    self.source = source
    self.session = session
    self.clock = clock
    self.configuration = configuration
    self.random = random
    self.logger = logger
    metrics = CatalogMetrics(upstream: source.provenance.description, factory: factory)
    slots = CallSlots(count: configuration.concurrentCallCountMax)
    gate = CallGate(
      store: store, source: source, clock: clock, configuration: configuration, slots: slots, holder: holder,
      isKnownDead: isKnownDead, logger: logger, metrics: metrics)
  }

  /// What came of a refresh.
  package struct Landing: Sendable {
    /// The answer's fate, or why there is none.
    package var result: Result<Refreshed, RefreshError>
    /// How many calls were made to the upstream: 0 if it never came to that.
    package var callCount: Int
    /// How many of them were repetitions.
    package var retryCount: Int
    /// Whether it was a sync's, and stopped by what stops syncs alone; or was cancelled with a sync.
    var stopsSyncsAlone = false

    init(result: Result<Refreshed, RefreshError>, callCount: Int, retryCount: Int) {
      self.result = result
      self.callCount = callCount
      self.retryCount = retryCount
    }

    /// Makes what those get who do not wait for a retry.
    init(_ failure: CatalogFailure) {
      self.init(result: .failure(.upstream(failure)), callCount: 0, retryCount: 0)
    }
  }

  /// A valid answer, and what the store made of it.
  package struct Refreshed: Sendable {
    package var answer: FetchedAnswer
    /// The store's receipt, or why it could not keep the answer.
    package var receipt: Result<CommitReceipt, StoreError>
  }

  /// Asks the upstream for `resource` and stores the answer; joins the flight under way, if there is one.
  ///
  /// A sync that is cancelled takes its call down with it, unless a reader waits for the same, and is told what the call
  /// came to, as it was paid for; an answer that is there already is stored.
  ///
  /// - Parameters:
  ///   - purpose: What the answer is wanted for.
  ///   - seen: The stored record that the caller found wanting; what was stored after it is answer enough.
  /// - Returns: What the flight landed with; its counts are 0 for those who joined.
  /// - Throws: `CancellationError` if the caller is cancelled, ``StoreError`` of code `closed` after a shutdown; not to a
  ///   sync whose call was under way.
  package func refresh(
    _ resource: ResourceID, for purpose: CallPurpose = .read, after seen: EntryRecord? = nil
  ) async throws -> Landing {
    // A reader who has something to fall back on does not wait for a sync's retries.
    let isPatient = purpose.context != nil || seen?.fetchedAt == nil
    if !isPatient, let failure = retrying.withLock({ $0[resource] }) { return Landing(failure) }
    while true {
      let landing = try await self.landing(of: resource, for: purpose, after: seen, isPatient: isPatient)
      // What stops a sync's call need not stop a reader's: it may use the reserve, and was not cancelled with the sync.
      if purpose.context == nil, landing.stopsSyncsAlone { continue }
      return landing
    }
  }

  private func landing(
    of resource: ResourceID, for purpose: CallPurpose, after seen: EntryRecord?, isPatient: Bool
  ) async throws -> Landing {
    var landing: Landing
    let isOwn: Bool
    do {
      (landing, isOwn) = try await flights.landing(
        of: resource, isPatient: isPatient, takesDown: purpose.context != nil
      ) {
        await self.fly(Flight(resource, for: purpose), seen: seen)
      }
    } catch {
      // The flights refuse whoever is cancelled, and everybody once they are shut down.
      throw Task.isCancelled ? CancellationError() : StoreError.shutDown
    }
    if !isOwn {
      metrics.countJoin()
      landing.callCount = 0
      landing.retryCount = 0
    }
    return landing
  }

  /// Has `resource` refreshed without anybody waiting for it, unless as much is under way as may be.
  package func refreshBehind(_ resource: ResourceID, after seen: EntryRecord? = nil) {
    let failedAt = storeFailedAt.withLock { $0 }
    if let failedAt, (.zero..<Self.storeRetryDelayMin).contains(clock.wallTime.duration(since: failedAt)) {
      return
    }
    guard slots.hasFreeSlot else { return }
    flights.start(resource) { await self.fly(Flight(resource, for: .read), seen: seen) }
  }

  /// Why a reader's call would be refused, as far as is known without asking or writing anything.
  package func knownRefusal() async -> CatalogFailure? { await gate.knownRefusal() }

  /// How many wait for the refresh of `resource` now.
  package func waiterCount(of resource: ResourceID) -> Int { flights.waiterCount(of: resource) }

  /// Waits until every refresh under way has ended and is recorded.
  package func drain() async { await flights.drain() }

  /// Cancels every refresh under way and waits until each has ended and is recorded.
  package func shutdown() async { await flights.shutdown() }

  private func fly(_ flight: Flight, seen: EntryRecord?) async -> Landing {
    var flight = flight
    let result: Result<Refreshed, RefreshError>
    do throws(RefreshError) {
      result = .success(try await fetch(&flight, seen: seen))
    } catch .upstream(var failure) {
      failure.at = failure.at ?? clock.wallTime
      result = .failure(.upstream(failure))
    } catch {
      result = .failure(error)
    }
    if let ticket = flight.ticket { await abandon(ticket.lease) }
    var landing = Landing(result: result, callCount: flight.callCount, retryCount: flight.retryCount)
    if case .failure(let error) = result {
      landing.stopsSyncsAlone = error == .cancelled || flight.purpose.context != nil && error.stopsSyncsAlone
    }
    return landing
  }

  /// Waits before a retry; nobody is kept who has something to fall back on.
  func wait(_ duration: Duration, after failure: CatalogFailure, _ flight: Flight) async throws(RefreshError)
  {
    let resource = flight.resource
    retrying.withLock { $0[resource] = failure }
    defer { retrying.withLock { $0[resource] = nil } }
    flights.dismiss(resource, with: Landing(failure))
    do { try await clock.sleep(for: duration) } catch { throw .cancelled }
  }

  private func fetch(_ flight: inout Flight, seen: EntryRecord?) async throws(RefreshError) -> Refreshed {
    flight.stored = await storedRecord(of: flight.resource)
    if let refreshed = await answer(newerThan: seen, flight) { return refreshed }
    let request: HTTPRequest
    do throws(CatalogFailure) {
      request = try source.request(for: flight.resource.subject)
    } catch { throw .upstream(error) }

    var failure: CatalogFailure?
    while true {
      let leave: CallGate.Leave
      do throws(RefreshError) {
        leave = try await gate.leave(
          to: flight.resource, for: flight.purpose, stored: flight.stored, after: flight.ticket)
      } catch { throw await giveUp(failure, &flight, because: error) }
      switch leave {
      case .granted(let ticket): flight.ticket = ticket
      case .answered(let entry): return try refreshed(by: entry, flight)
      }
      let answer: FetchedAnswer
      do throws(CatalogFailure) {
        answer = try await call(request, &flight)
      } catch {
        // Only a cancellation of our own ends a refresh without a word. One that the session comes up with, as when
        // its owner invalidates it, is a failure like any other, in whose place readers get what is stored.
        if Task.isCancelled { throw .cancelled }
        failure = try await recover(from: error, &flight)
        continue
      }
      return try await commit(answer, &flight)
    }
  }

  /// What is stored, if it was fetched after the caller found it wanting.
  private func answer(newerThan seen: EntryRecord?, _ flight: Flight) async -> Refreshed? {
    guard let fetchedAt = flight.stored?.fetchedAt else { return nil }
    let isNew =
      if let context = flight.purpose.context {
        fetchedAt > context.plannedAt && fetchedAt <= clock.wallTime
      } else { seen.map { $0.fetchedAt != fetchedAt } ?? false }
    guard isNew, let entry = try? await store.entry(for: flight.resource) else { return nil }
    return try? refreshed(by: entry, flight)
  }

  /// The record of what is stored; `nil` also where the store cannot say, as it then keeps its answer by itself.
  private func storedRecord(of resource: ResourceID) async -> EntryRecord? {
    do throws(StoreError) { return try await store.record(for: resource) } catch { return nil }
  }

  /// The answer that somebody else fetched.
  private func refreshed(by entry: StoredEntry, _ flight: Flight) throws(RefreshError) -> Refreshed {
    guard let value = entry.value, let provenance = entry.record.provenance,
      let fetchedAt = entry.record.fetchedAt
    else {
      throw .store(StoreError(.corrupt, "the store has a record of \(flight.resource) without its answer"))
    }
    return Refreshed(
      answer: FetchedAnswer(
        resource: flight.resource, value: value, provenance: provenance, fetchedAt: fetchedAt),
      receipt: .success(CommitReceipt(outcome: .unchanged, entry: entry)))
  }
}

// The call, and what comes after it.
extension Refresher {
  /// Makes a call in the slot that was taken with its leave, and counts it.
  private func call(
    _ request: HTTPRequest, _ flight: inout Flight
  ) async throws(CatalogFailure) -> FetchedAnswer {
    let elapsed = flight.elapsed
    let answer: Result<FetchedAnswer, CatalogFailure>
    do throws(CatalogFailure) {
      answer = .success(try await self.answer(to: request, &flight))
    } catch {
      answer = .failure(error)
    }
    metrics.countCall(
      answer.failure, took: flight.elapsed - elapsed, isRetry: flight.callCount > 1,
      isCancelled: Task.isCancelled)
    return try answer.get()
  }

  private func answer(
    to request: HTTPRequest, _ flight: inout Flight
  ) async throws(CatalogFailure) -> FetchedAnswer {
    let limits = configuration.transportLimits
    let askedAt = clock.wallTime
    flight.callCount += 1
    flight.retryAfter = nil
    let reply: HTTPReply
    do {
      defer { slots.giveBack() }
      reply = try await session.send(request, body: [], limits: limits)
    } catch {
      landed(&flight, askedAt: askedAt)
      throw CatalogFailure(of: error, asking: request)
    }
    landed(&flight, askedAt: askedAt)
    flight.retryAfter = RetryAfter.wait(in: reply.head, at: clock.wallTime)
    let value = try Validation.value(of: reply, to: flight.resource, from: source, limits: limits)
    if value.isEmpty, !value.isPastEnd {
      try Validation.checkEmptied(
        flight.resource, stored: await storedRecord(of: flight.resource), source: source)
    } else if flight.stored?.fetchedAt != nil, Validation.isMeasured(value) {
      // What the store cannot show is no measure, and is mended by the answer.
      let stored = try? await store.entry(for: flight.resource)
      try Validation.check(value, against: stored, resource: flight.resource, source: source)
    }
    return FetchedAnswer(
      resource: flight.resource, value: value, provenance: source.provenance, fetchedAt: clock.wallTime,
      askedAt: askedAt)
  }

  /// Takes note of the time a call took, and of a day of calls that began meanwhile.
  private func landed(_ flight: inout Flight, askedAt: Timestamp) {
    let now = clock.wallTime
    // Wall time may have jumped; no call takes longer than its limit.
    flight.elapsed += min(max(.zero, now.duration(since: askedAt)), configuration.transportLimits.total)
    guard let charge = flight.ticket?.charge else { return }
    let day = configuration.quota.day(at: now)
    if day > charge.day { flight.ticket?.turnedTo = day }
  }

  /// Stores an answer that was paid for, even if the refresh is cancelled meanwhile.
  private func commit(_ answer: FetchedAnswer, _ flight: inout Flight) async throws(RefreshError) -> Refreshed
  {
    let (store, run, ticket) = (store, flight.purpose.run, flight.ticket)
    let result = await Task { @concurrent () -> Result<CommitReceipt, StoreError> in
      do throws(StoreError) {
        return .success(try await store.commit(answer, in: run, settling: ticket))
      } catch {
        return .failure(error)
      }
    }.value
    metrics.countCommit(result)
    switch result {
    case .success(let receipt):
      flight.ticket = nil
      flight.purpose.context?.answers.count()
      storeFailedAt.withLock { $0 = nil }
      gate.rememberSuccess()
      logger.debug(
        "an answer was stored",
        metadata: [
          "resource": "\(answer.resource)", "outcome": "\(receipt.outcome.rawValue)",
          "revision": "\(receipt.entry.record.revision)", "calls": "\(flight.callCount)",
        ])
    case .failure(let error) where error.code == .leaseLost:
      flight.ticket = nil
      logger.notice(
        "an answer came too late to be stored", metadata: .of(error, resource: answer.resource))
      return try await successorsAnswer(flight)
    case .failure(let error):
      storeFailedAt.withLock { $0 = answer.fetchedAt }
      logger.error(
        "an answer was fetched but not stored", metadata: .of(error, resource: answer.resource))
    }
    return Refreshed(answer: answer, receipt: result)
  }

  /// The answer of whoever took the work over; it may be stored by now, and is as good.
  private func successorsAnswer(_ flight: Flight) async throws(RefreshError) -> Refreshed {
    guard let entry = try? await store.entry(for: flight.resource),
      entry.record.fetchedAt != flight.stored?.fetchedAt
    else { throw .upstream(gate.lateFailure(flight.resource)) }
    return try refreshed(by: entry, flight)
  }
}

extension Result {
  fileprivate var failure: Failure? {
    guard case .failure(let failure) = self else { return nil }
    return failure
  }
}

extension StoreError {
  /// The catalogue was shut down, and its store with it.
  static let shutDown = StoreError(.closed, "the catalogue was shut down")
}
