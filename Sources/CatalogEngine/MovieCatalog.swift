public import CoreMetrics
public import HTTPTransport
public import Logging

/// An offline-first catalogue of movies: asks an upstream, keeps what it learns, and goes on answering without it.
///
/// ```swift
/// let chart = try await catalog.read(.dailyBoxOffice(on: .yesterday))
/// ```
///
/// A catalogue is safe to share between tasks. One process needs one catalogue for a store; it must be shut down when
/// it is no longer needed, see ``shutdown()``.
public final class MovieCatalog: Sendable {
  package let refresher: Refresher
  package let logger: Logger
  private let onShutdown: @Sendable () async -> Void

  /// Makes a catalogue of parts; `import Matinee` has a form that makes the parts, too.
  ///
  /// - Parameters:
  ///   - store: Where answers are kept; the catalogue closes it when it is shut down.
  ///   - source: The upstream's language.
  ///   - session: What carries the calls to the upstream.
  ///   - clock: What time it is; days are Korean whatever the machine's zone.
  ///   - configuration: Lifetimes, limits, the day's calls, retries and the breaker.
  ///   - random: What the waits before retries are drawn by: evenly from 0 up to, and not including, 1.
  ///   - logger: Where notices go; no key and no URL query ever does.
  ///   - metrics: What makes the metrics that are reported: a backend of swift-metrics; the process's own if not given.
  ///   - onShutdown: What else is to be put away when the catalogue is shut down, such as the session.
  public init(
    store: any MovieStore, source: any MovieSource, session: any HTTPSession,
    clock: any CatalogClock = SystemClock(),
    configuration: CatalogConfiguration = CatalogConfiguration(),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    logger: Logger = Logger(label: "matinee"), metrics: any MetricsFactory = MetricsSystem.factory,
    onShutdown: @escaping @Sendable () async -> Void = {}
  ) {
    refresher = Refresher(
      store: store, source: source, session: session, clock: clock, configuration: configuration,
      logger: logger, metrics: metrics, random: random)
    self.logger = logger
    self.onShutdown = onShutdown
  }

  package var store: any MovieStore { refresher.store }
  package var source: any MovieSource { refresher.source }
  package var clock: any CatalogClock { refresher.clock }
  package var configuration: CatalogConfiguration { refresher.configuration }
  package var lifetimes: LifetimePolicy { configuration.lifetimes }

  /// Reads one resource, from the store or the upstream as `policy` says.
  ///
  /// A reader offline is never refused an answer that exists: if asking the upstream fails, what is stored is served
  /// with ``Reading/servedBecause``, unless `policy` is ``ReadPolicy/networkOnly`` or it is older than `maxAge`.
  ///
  /// - Parameters:
  ///   - resource: What to read.
  ///   - policy: Whom to ask first. ``ReadPolicy/cacheAndNetwork`` gives its last reading here; for both of them use
  ///     ``readings(of:policy:maxAge:)``.
  ///   - maxAge: The greatest age a stored answer may have; `nil` for any.
  /// - Throws: ``CatalogFailure`` if there is no answer, ``StoreError`` if the store failed, `CancellationError` if
  ///   the calling task was cancelled.
  public func read<Value>(
    _ resource: Resource<Value>, policy: ReadPolicy = .cacheFirst, maxAge: Duration? = nil
  ) async throws -> Reading<Value> {
    try await counting(policy) {
      let found = try await lookUp(resource, policy: policy)
      return try await perform(plan(found.stored, policy: policy, maxAge: maxAge), found)
    }
  }

  /// Reads one resource as a sequence: with ``ReadPolicy/cacheAndNetwork`` what is stored, at once, and then what the
  /// upstream says; with any other policy one reading.
  ///
  /// If the upstream fails after a stored answer was served, the second reading is that answer again, with the
  /// failure in ``Reading/servedBecause``. The sequence throws what ``read(_:policy:maxAge:)`` throws.
  public func readings<Value>(
    of resource: Resource<Value>, policy: ReadPolicy = .cacheAndNetwork, maxAge: Duration? = nil
  ) -> AsyncThrowingStream<Reading<Value>, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(2)) { continuation in
      let task = Task {
        do {
          let last = try await self.counting(policy) {
            let found = try await self.lookUp(resource, policy: policy)
            let plan = self.plan(found.stored, policy: policy, maxAge: maxAge)
            if case .serveThenFetch = plan {
              continuation.yield(try self.served(found.stored, else: .notStored(found.id)))
            }
            return try await self.perform(plan, found)
          }
          continuation.yield(last)
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Counts what comes of a read; of one with two readings, the last.
  private func counting<Value>(
    _ policy: ReadPolicy, _ read: () async throws -> Reading<Value>
  ) async throws -> Reading<Value> {
    let metrics = refresher.metrics
    do {
      let reading = try await read()
      metrics.countRead(reading, policy: policy)
      return reading
    } catch {
      metrics.countRead(failing: error, policy: policy)
      throw error
    }
  }

  /// Marks what is stored of a resource as no longer fresh, so that the next read asks the upstream; the answer
  /// stays, and is served if that fails.
  ///
  /// - Returns: Whether anything was stored.
  /// - Throws: ``StoreError``.
  @discardableResult
  public func invalidate<Value>(_ resource: Resource<Value>) async throws -> Bool {
    try await store.invalidate(id(of: resource), at: clock.wallTime)
  }

  /// The stored chart rows of a movie, by day, then by kind of chart; the network is not asked.
  ///
  /// - Parameter limit: The most rows to give, the latest ones.
  /// - Precondition: `limit` is not negative.
  /// - Throws: ``StoreError``.
  public func appearances(of movie: MovieCode, limit: Int = 1000) async throws -> [ChartAppearance] {
    precondition(limit >= 0, "a limit is not negative")
    return try await store.appearances(of: movie, upstream: source.upstream, limit: limit)
  }

  /// What is stored, how fresh it is, the last attempts and their failures, and the calls that the day has left.
  ///
  /// - Parameter failureLimit: The most failures to list, newest first.
  /// - Throws: ``StoreError``.
  public func summary(failureLimit: Int = 10) async throws -> StoreSummary {
    var summary = try await store.summary(upstream: source.upstream, failureLimit: failureLimit)
    guard source.provenance != .recorded else { return summary }
    let day = configuration.quota.day(at: clock.wallTime)
    let use = try await store.quotaUse(of: source.upstream, on: day)
    summary.quotas = [
      StoreSummary.Quota(upstream: source.upstream, day: day, use: use, policy: configuration.quota)
    ]
    let breaker = try await store.breaker(of: source.upstream)
    summary.breakers = [StoreSummary.Breaker(upstream: source.upstream, state: breaker)]
    return summary
  }

  /// The Korean days that the upstream can have charts of at present.
  public var availableDays: ClosedRange<CalendarDay> { source.availableDays(at: clock.wallTime) }

  /// Waits until every refresh that is under way behind a reading has ended.
  public func waitForRefreshes() async { await refresher.drain() }

  /// Cancels what is under way, waits for it to end, and closes the store and the session; a later call throws.
  public func shutdown() async {
    await refresher.shutdown()
    await store.close()
    await onShutdown()
  }
}
