extension MovieCatalog {
  /// Reads as ``read(_:policy:maxAge:)`` does, and gives what it throws as a value.
  public func readResult<Value>(
    _ resource: Resource<Value>, policy: ReadPolicy = .cacheFirst, maxAge: Duration? = nil
  ) async -> Result<Reading<Value>, any Error> {
    do {
      return .success(try await read(resource, policy: policy, maxAge: maxAge))
    } catch {
      return .failure(error)
    }
  }

  /// Reads as ``read(_:policy:maxAge:)`` does, for callers that have no async context.
  ///
  /// - Parameter completion: Called exactly once, on a thread of the concurrency runtime; it must not block.
  /// - Returns: A handle that cancels this read; the completion is then called with `CancellationError`, unless an
  ///   outcome was already on its way.
  @discardableResult
  public func read<Value>(
    _ resource: Resource<Value>, policy: ReadPolicy = .cacheFirst, maxAge: Duration? = nil,
    completion: @escaping @Sendable (Result<Reading<Value>, any Error>) -> Void
  ) -> CatalogTask {
    CatalogTask(
      task: Task { @concurrent in
        completion(await self.readResult(resource, policy: policy, maxAge: maxAge))
      })
  }
}

extension MovieCatalog {
  /// Shuts down as ``shutdown()`` does, for callers that have no async context.
  ///
  /// - Parameter completion: Called exactly once, when the store is closed.
  public func shutdown(completion: @escaping @Sendable () -> Void) {
    Task { @concurrent in
      await self.shutdown()
      completion()
    }
  }
}

extension SyncEngine {
  /// Syncs as ``run(_:onEvent:)`` does, for callers that have no async context.
  ///
  /// - Parameters:
  ///   - onEvent: Called for each resource, one call at a time, once its outcome is in the store.
  ///   - completion: Called exactly once, with the report.
  /// - Returns: A handle that cancels the sync, which then reports what it did.
  @discardableResult
  public func run(
    _ request: SyncRequest, onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in },
    completion: @escaping @Sendable (SyncReport) -> Void
  ) -> CatalogTask {
    CatalogTask(
      task: Task { @concurrent in
        completion(await self.run(request) { event in onEvent(event) })
      })
  }
}

/// Work under way that was started with a completion handler.
public struct CatalogTask: Sendable {
  let task: Task<Void, Never>

  /// Cancels the work; others who wait for the same resources still get their answers.
  public func cancel() { task.cancel() }
}
