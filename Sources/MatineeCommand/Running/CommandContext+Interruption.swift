extension CommandContext {
  /// Runs `body` in a task of its own, which the first request to end cancels.
  ///
  /// - Precondition: Once in the life of a process: requests are listened for anew each time.
  func interruptible<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let work = Task { @concurrent in try await body() }
    let interruptions = surroundings.interruptions()
    let listening = Task { @concurrent in
      for await interruption in interruptions {
        errors.notice(
          "\(interruption.rawValue): stopping; what is stored stays, and running it again goes on")
        work.cancel()
      }
    }
    defer { listening.cancel() }
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }
}
