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
  ) -> ReadTask {
    ReadTask(
      task: Task { @concurrent in
        completion(await self.readResult(resource, policy: policy, maxAge: maxAge))
      })
  }
}

/// A read under way that was started with a completion handler.
public struct ReadTask: Sendable {
  let task: Task<Void, Never>

  /// Cancels the read; others who wait for the same resource still get their answer.
  public func cancel() { task.cancel() }
}
