package import HTTPTransport
import HTTPTypes
package import Logging

/// The one way by which answers come in: reads and syncs alike go through ``refresh(_:in:)``.
///
/// ```
/// single flight → session → status & size → decode → validate → ONE transaction (rows + freshness + run)
/// ```
///
/// A failure on the way leaves what is stored as it is and is recorded beside it.
package final class Refresher: Sendable {
  package let store: any MovieStore
  package let source: any MovieSource
  package let clock: any CatalogClock
  private let session: any HTTPSession
  private let limits: TransportLimits
  private let logger: Logger
  private let flights = SingleFlight<ResourceID, Landing>()

  package init(
    store: any MovieStore, source: any MovieSource, session: any HTTPSession, clock: any CatalogClock,
    limits: TransportLimits, logger: Logger
  ) {
    self.store = store
    self.source = source
    self.session = session
    self.clock = clock
    self.limits = limits
    self.logger = logger
  }

  /// What came of asking the upstream once.
  package struct Landing: Sendable {
    /// The answer's fate, or why there is none.
    package var result: Result<Refreshed, RefreshError>
    /// How many calls were made to the upstream: 0 if it never came to that.
    package var callCount: Int
  }

  /// A valid answer, and what the store made of it.
  package struct Refreshed: Sendable {
    package var answer: FetchedAnswer
    /// The store's receipt, or why it could not keep the answer.
    package var receipt: Result<CommitReceipt, StoreError>
  }

  /// Asks the upstream for `resource` and stores the answer; joins the flight under way, if there is one.
  ///
  /// - Returns: What the flight landed with; its `callCount` is 0 for those who joined.
  /// - Throws: `CancellationError` if the caller is cancelled or the refresher shut down.
  package func refresh(_ resource: ResourceID, in run: SyncRunID? = nil) async throws -> Landing {
    var (landing, isOwn) = try await flights.landing(of: resource) { await self.fly(resource, in: run) }
    if case .failure(.cancelled) = landing.result { throw CancellationError() }
    if !isOwn { landing.callCount = 0 }
    return landing
  }

  /// Has `resource` refreshed without anybody waiting for it.
  package func refreshBehind(_ resource: ResourceID) {
    flights.start(resource) { await self.fly(resource, in: nil) }
  }

  /// How many wait for the refresh of `resource` now.
  package func waiterCount(of resource: ResourceID) -> Int { flights.waiterCount(of: resource) }

  /// Waits until every refresh under way has ended.
  package func drain() async { await flights.drain() }

  /// Cancels every refresh under way and waits until each has ended.
  package func shutdown() async { await flights.shutdown() }

  private func fly(_ resource: ResourceID, in run: SyncRunID?) async -> Landing {
    var callCount = 0
    do throws(RefreshError) {
      let refreshed = try await fetch(resource, in: run, callCount: &callCount)
      return Landing(result: .success(refreshed), callCount: callCount)
    } catch .upstream(var failure) {
      let now = clock.wallTime
      failure.at = now
      // Without a call there was no attempt, and nothing to remember.
      if callCount > 0 { await record(failure, for: resource, at: now, in: run) }
      return Landing(result: .failure(.upstream(failure)), callCount: callCount)
    } catch {
      return Landing(result: .failure(error), callCount: callCount)
    }
  }

  private func fetch(
    _ resource: ResourceID, in run: SyncRunID?, callCount: inout Int
  ) async throws(RefreshError) -> Refreshed {
    let stored: EntryRecord?
    do throws(StoreError) { stored = try await store.entry(for: resource)?.record } catch {
      throw .store(error)
    }
    let request: HTTPRequest
    do throws(CatalogFailure) {
      request = try source.request(for: resource.subject)
    } catch { throw .upstream(error) }

    callCount = 1
    let reply = try await send(request)

    let value: CatalogValue
    do throws(CatalogFailure) {
      value = try Validation.value(of: reply, to: resource, from: source, stored: stored, limits: limits)
    } catch { throw .upstream(error) }

    let answer = FetchedAnswer(
      resource: resource, value: value, provenance: source.provenance, fetchedAt: clock.wallTime)
    return Refreshed(answer: answer, receipt: await commit(answer, in: run))
  }

  private func send(_ request: HTTPRequest) async throws(RefreshError) -> HTTPReply {
    do {
      return try await session.send(request, body: [], limits: limits)
    } catch let error as TransportError where error.code == .cancelled {
      throw .cancelled
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw .upstream(CatalogFailure(of: error, asking: request))
    }
  }

  private func commit(_ answer: FetchedAnswer, in run: SyncRunID?) async -> Result<CommitReceipt, StoreError>
  {
    do throws(StoreError) {
      let receipt = try await store.commit(answer, in: run)
      logger.debug(
        "\(answer.resource) \(receipt.outcome.rawValue), revision \(receipt.entry.record.revision)")
      return .success(receipt)
    } catch {
      logger.error("\(answer.resource) was fetched but not stored: \(error)")
      return .failure(error)
    }
  }

  private func record(
    _ failure: CatalogFailure, for resource: ResourceID, at instant: Timestamp, in run: SyncRunID?
  ) async {
    logger.notice("\(resource) failed: \(failure)")
    do throws(StoreError) {
      try await store.recordFailure(failure, for: resource, at: instant, in: run)
    } catch {
      logger.error("the failure of \(resource) was not recorded: \(error)")
    }
  }
}

/// Why a refresh brought no answer.
package enum RefreshError: Error, Hashable, Sendable {
  /// The upstream, or the way to it, failed.
  case upstream(CatalogFailure)
  /// The store could not even be read.
  case store(StoreError)
  /// The refresh was cancelled before it had an answer.
  case cancelled
}
