extension CommandContext {
  /// Runs `body` in a task of its own, which the first request to end cancels.
  ///
  /// - Parameters:
  ///   - notice: What is said on stderr at that request, after its name.
  ///   - body: What is run.
  /// - Precondition: Once in the life of a process: requests are listened for anew each time.
  func interruptible<Result: Sendable>(
    saying notice: String = "stopping; what is stored stays, and running it again goes on",
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await interruptible(saying: notice, body) { work in try await work.value }
  }

  /// Runs `work` to its end, or until the process is asked to end, which cancels it.
  ///
  /// - Parameter ending: What is said if it was cancelled: what is left of the work.
  /// - Throws: ``CommandError`` of status 75 if it was cancelled and did not come to its end; or what it throws.
  func untilInterrupted<Value: Sendable>(
    ending: String, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await interruptible(saying: "stopping", work) { work in
      do { return try await work.value } catch {
        guard work.isCancelled else { throw error }
        throw CommandError(.stoppedEarly, ending)
      }
    }
  }

  private func interruptible<Result: Sendable>(
    saying notice: String, _ body: @escaping @Sendable () async throws -> Result,
    finish: (Task<Result, any Error>) async throws -> Result
  ) async throws -> Result {
    // Before the work begins: from its first step on a request to end is one to end in good order.
    let interruptions = surroundings.interruptions()
    let work = Task { @concurrent in try await body() }
    let listening = Task { @concurrent in
      for await interruption in interruptions {
        errors.notice("\(interruption.rawValue): \(notice)")
        work.cancel()
      }
    }
    defer { listening.cancel() }
    return try await withTaskCancellationHandler {
      try await finish(work)
    } onCancel: {
      work.cancel()
    }
  }

  /// Refuses to work on a database that is not there.
  func requireDatabase(_ settings: Settings) throws(CommandError) {
    guard !settings.database.exists else { return }
    throw CommandError(
      .notStored, "there is no database at \(settings.database.path); `matinee sync` makes it")
  }
}
