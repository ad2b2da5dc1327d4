package import HTTPTransport
import HTTPTypes
package import Logging

/// The one way by which answers come in: reads and syncs alike go through ``refresh(_:for:after:)``.
///
/// ```
/// single flight → lease, breaker, quota → session → status & size → decode → validate
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
  private let flights = SingleFlight<ResourceID, Landing>()

  package init(
    store: any MovieStore, source: any MovieSource, session: any HTTPSession, clock: any CatalogClock,
    configuration: CatalogConfiguration, logger: Logger, random: @escaping @Sendable () -> Double,
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
    gate = CallGate(
      store: store, source: source, clock: clock, configuration: configuration, holder: holder,
      isKnownDead: isKnownDead)
  }

  /// What came of a refresh.
  package struct Landing: Sendable {
    /// The answer's fate, or why there is none.
    package var result: Result<Refreshed, RefreshError>
    /// How many calls were made to the upstream: 0 if it never came to that.
    package var callCount: Int
    /// How many of them were repetitions.
    package var retryCount: Int
  }

  /// A valid answer, and what the store made of it.
  package struct Refreshed: Sendable {
    package var answer: FetchedAnswer
    /// The store's receipt, or why it could not keep the answer.
    package var receipt: Result<CommitReceipt, StoreError>
  }

  /// Asks the upstream for `resource` and stores the answer; joins the flight under way, if there is one.
  ///
  /// - Parameters:
  ///   - purpose: What the answer is wanted for.
  ///   - seen: The stored record that the caller found wanting; what was stored after it is answer enough.
  /// - Returns: What the flight landed with; its counts are 0 for those who joined.
  /// - Throws: `CancellationError` if the caller is cancelled or the refresher shut down.
  package func refresh(
    _ resource: ResourceID, for purpose: CallPurpose = .read, after seen: EntryRecord? = nil
  ) async throws -> Landing {
    var (landing, isOwn) = try await flights.landing(of: resource) {
      await self.fly(Flight(resource, for: purpose), seen: seen)
    }
    if case .failure(.cancelled) = landing.result { throw CancellationError() }
    if !isOwn {
      landing.callCount = 0
      landing.retryCount = 0
    }
    return landing
  }

  /// Has `resource` refreshed without anybody waiting for it.
  package func refreshBehind(_ resource: ResourceID, after seen: EntryRecord? = nil) {
    flights.start(resource) { await self.fly(Flight(resource, for: .read), seen: seen) }
  }

  /// Why a reader's call would be refused, as far as is known without asking or writing anything.
  package func knownRefusal() async -> CatalogFailure? { await gate.knownRefusal() }

  /// How many wait for the refresh of `resource` now.
  package func waiterCount(of resource: ResourceID) -> Int { flights.waiterCount(of: resource) }

  /// Waits until every refresh under way has ended.
  package func drain() async { await flights.drain() }

  /// Cancels every refresh under way and waits until each has ended.
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
    return Landing(result: result, callCount: flight.callCount, retryCount: flight.retryCount)
  }

  private func fetch(_ flight: inout Flight, seen: EntryRecord?) async throws(RefreshError) -> Refreshed {
    let entry: StoredEntry?
    do throws(StoreError) { entry = try await store.entry(for: flight.resource) } catch {
      throw .store(error)
    }
    if let entry, let refreshed = try answer(in: entry, flight, seen: seen) { return refreshed }
    flight.stored = entry?.record
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
      let answer: FetchedAnswer?
      do throws(CatalogFailure) {
        answer = try await call(request, &flight)
      } catch {
        failure = try await recover(from: error, &flight)
        continue
      }
      guard let answer else { throw .cancelled }
      return try await commit(answer, &flight)
    }
  }

  /// What is stored, if it was fetched after the caller found it wanting.
  private func answer(
    in entry: StoredEntry, _ flight: Flight, seen: EntryRecord?
  ) throws(RefreshError) -> Refreshed? {
    guard let fetchedAt = entry.record.fetchedAt else { return nil }
    let isNew =
      if let context = flight.purpose.context {
        fetchedAt > context.plannedAt && fetchedAt <= clock.wallTime
      } else { seen.map { $0.fetchedAt != fetchedAt } ?? false }
    return isNew ? try refreshed(by: entry, flight) : nil
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
  private func call(_ request: HTTPRequest, _ flight: inout Flight) async throws(CatalogFailure)
    -> FetchedAnswer?
  {
    let limits = configuration.transportLimits
    let begin = clock.wallTime
    flight.callCount += 1
    flight.retryAfter = nil
    let reply: HTTPReply?
    do throws(CatalogFailure) {
      reply = try await send(request)
    } catch {
      landed(&flight, begin: begin)
      throw error
    }
    landed(&flight, begin: begin)
    guard let reply else { return nil }
    flight.retryAfter = RetryAfter.wait(in: reply.head, at: clock.wallTime)
    let value = try Validation.value(
      of: reply, to: flight.resource, from: source, stored: flight.stored, limits: limits)
    return FetchedAnswer(
      resource: flight.resource, value: value, provenance: source.provenance, fetchedAt: clock.wallTime)
  }

  /// The reply; `nil` if the call was cancelled.
  private func send(_ request: HTTPRequest) async throws(CatalogFailure) -> HTTPReply? {
    do {
      return try await session.send(request, body: [], limits: configuration.transportLimits)
    } catch let error as TransportError where error.code == .cancelled {
      return nil
    } catch is CancellationError {
      return nil
    } catch {
      throw CatalogFailure(of: error, asking: request)
    }
  }

  /// Takes note of the time a call took, and of a day of calls that began meanwhile.
  private func landed(_ flight: inout Flight, begin: Timestamp) {
    let now = clock.wallTime
    // Wall time may have jumped; no call takes longer than its limit.
    flight.elapsed += min(max(.zero, now.duration(since: begin)), configuration.transportLimits.total)
    guard let charge = flight.ticket?.charge else { return }
    let day = configuration.quota.day(at: now)
    if day > charge.day { flight.ticket?.turnedTo = day }
  }

  private func commit(_ answer: FetchedAnswer, _ flight: inout Flight) async throws(RefreshError) -> Refreshed
  {
    do throws(StoreError) {
      let receipt = try await store.commit(answer, in: flight.purpose.run, settling: flight.ticket)
      flight.ticket = nil
      gate.rememberSuccess()
      logger.debug(
        "\(answer.resource) \(receipt.outcome.rawValue), revision \(receipt.entry.record.revision)")
      return Refreshed(answer: answer, receipt: .success(receipt))
    } catch {
      guard error.code == .leaseLost else {
        logger.error("\(answer.resource) was fetched but not stored: \(error)")
        return Refreshed(answer: answer, receipt: .failure(error))
      }
      flight.ticket = nil
      logger.notice("\(answer.resource) came too late: \(error)")
      // Whoever took over may have stored it by now, which is as good.
      if let entry = try? await store.entry(for: answer.resource),
        entry.record.fetchedAt != flight.stored?.fetchedAt
      {
        return try refreshed(by: entry, flight)
      }
      throw .upstream(gate.lateFailure(answer.resource))
    }
  }
}
