package import HTTPTransport
import HTTPTypes
package import Logging

/// The one way by which answers come in: reads and syncs alike go through ``refresh(_:in:)``.
///
/// ```
/// single flight → slot → session → status & size → decode → validate → ONE transaction (rows + freshness + run)
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
  private let slots: CallSlots
  private let recordings = TaskBag()
  private let storeFailedAt = LockedValue<Timestamp?>(nil)

  /// After an answer could not be stored, nothing is refreshed behind readers for so long: on a full disk each of
  /// them would cost a call and leave nothing.
  package static let storeRetryDelayMin: Duration = .seconds(60)

  package init(
    store: any MovieStore, source: any MovieSource, session: any HTTPSession, clock: any CatalogClock,
    configuration: CatalogConfiguration, logger: Logger
  ) {
    self.store = store
    self.source = source
    self.session = session
    self.clock = clock
    self.logger = logger
    limits = configuration.transportLimits
    slots = CallSlots(count: configuration.concurrentCallCountMax)
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
  /// - Throws: `CancellationError` if the caller is cancelled, ``StoreError`` of code `closed` after a shutdown.
  package func refresh(_ resource: ResourceID, in run: SyncRunID? = nil) async throws -> Landing {
    var landing: Landing
    let isOwn: Bool
    do {
      (landing, isOwn) = try await flights.landing(of: resource) { await self.fly(resource, in: run) }
    } catch {
      // The flights refuse whoever is cancelled, and everybody once they are shut down.
      throw Task.isCancelled ? CancellationError() : StoreError.shutDown
    }
    if case .failure(.cancelled) = landing.result {
      throw Task.isCancelled ? CancellationError() : StoreError.shutDown
    }
    if !isOwn { landing.callCount = 0 }
    return landing
  }

  /// Has `resource` refreshed without anybody waiting for it, unless as much is under way as may be.
  package func refreshBehind(_ resource: ResourceID) {
    let failedAt = storeFailedAt.withLock { $0 }
    if let failedAt, (.zero..<Self.storeRetryDelayMin).contains(clock.wallTime.duration(since: failedAt)) {
      return
    }
    guard slots.hasFreeSlot else { return }
    flights.start(resource) { await self.fly(resource, in: nil) }
  }

  /// How many wait for the refresh of `resource` now.
  package func waiterCount(of resource: ResourceID) -> Int { flights.waiterCount(of: resource) }

  /// Waits until every refresh under way has ended and is recorded.
  package func drain() async {
    await flights.drain()
    await recordings.drain()
  }

  /// Cancels every refresh under way and waits until each has ended and is recorded.
  package func shutdown() async {
    await flights.shutdown()
    await recordings.drain()
  }

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
    let request: HTTPRequest
    do throws(CatalogFailure) {
      request = try source.request(for: resource.subject)
    } catch { throw .upstream(error) }

    let askedAt = clock.wallTime
    let reply = try await send(request, callCount: &callCount)

    let value: CatalogValue
    do throws(CatalogFailure) {
      value = try Validation.value(of: reply, to: resource, from: source, limits: limits)
      if value.isEmpty {
        try Validation.checkEmptied(resource, stored: await storedRecord(of: resource), source: source)
      }
    } catch { throw .upstream(error) }

    let answer = FetchedAnswer(
      resource: resource, value: value, provenance: source.provenance, fetchedAt: clock.wallTime,
      askedAt: askedAt)
    return Refreshed(answer: answer, receipt: await commit(answer, in: run))
  }

  private func send(_ request: HTTPRequest, callCount: inout Int) async throws(RefreshError) -> HTTPReply {
    do {
      return try await slots.withSlot {
        callCount = 1
        return try await session.send(request, body: [], limits: limits)
      }
    } catch {
      // Only a cancellation of our own ends a refresh without a word. One that the session comes up with, as when its
      // owner invalidates it, is a failure like any other, in whose place readers get what is stored.
      if Task.isCancelled { throw .cancelled }
      throw .upstream(CatalogFailure(of: error, asking: request))
    }
  }

  /// Stores an answer that was paid for, even if the refresh is cancelled meanwhile.
  private func commit(_ answer: FetchedAnswer, in run: SyncRunID?) async -> Result<CommitReceipt, StoreError>
  {
    let store = store
    let result = await Task { @concurrent () -> Result<CommitReceipt, StoreError> in
      do throws(StoreError) {
        return .success(try await store.commit(answer, in: run))
      } catch {
        return .failure(error)
      }
    }.value
    switch result {
    case .success(let receipt):
      storeFailedAt.withLock { $0 = nil }
      logger.debug(
        "\(answer.resource) \(receipt.outcome.rawValue), revision \(receipt.entry.record.revision)")
    case .failure(let error):
      storeFailedAt.withLock { $0 = answer.fetchedAt }
      logger.error("\(answer.resource) was fetched but not stored: \(error)")
    }
    return result
  }

  /// Records a failure: for a sync before it is told, for a reader behind its back, as the reader's answer must not
  /// wait for other processes' writes.
  private func record(
    _ failure: CatalogFailure, for resource: ResourceID, at instant: Timestamp, in run: SyncRunID?
  ) async {
    logger.notice("\(resource) failed: \(failure)")
    let (store, logger) = (store, logger)
    let recording: @Sendable () async -> Void = {
      do throws(StoreError) {
        if run == nil, failure.detail == CatalogFailure.unknownMovieDetail {
          guard try await store.record(for: resource) != nil else { return }
        }
        try await store.recordFailure(failure, for: resource, at: instant, in: run)
      } catch {
        logger.error("the failure of \(resource) was not recorded: \(error)")
      }
    }
    if run == nil { recordings.add(recording) } else { await recording() }
  }

  /// The record of what is stored; `nil` also where the store cannot say, as it then keeps its answer by itself.
  private func storedRecord(of resource: ResourceID) async -> EntryRecord? {
    do throws(StoreError) { return try await store.record(for: resource) } catch { return nil }
  }
}

/// Why a refresh brought no answer.
package enum RefreshError: Error, Hashable, Sendable {
  /// The upstream, or the way to it, failed.
  case upstream(CatalogFailure)
  /// The refresh was cancelled before it had an answer.
  case cancelled
}

extension StoreError {
  /// The catalogue was shut down, and its store with it.
  static let shutDown = StoreError(.closed, "the catalogue was shut down")
}
