extension CommandContext {
  /// Runs `work` to its end, or until the process is asked to end, which cancels it.
  ///
  /// - Parameter ending: What is said if it was cancelled: what is left of the work.
  /// - Throws: ``CommandError`` of status 75 if it was cancelled and did not come to its end; or what it throws.
  func untilInterrupted<Value: Sendable>(
    ending: String, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task { @concurrent in try await work() }
    let interruptions = surroundings.interruptions()
    let listening = Task { @concurrent in
      for await interruption in interruptions {
        errors.notice("\(interruption.rawValue): stopping")
        task.cancel()
      }
    }
    defer { listening.cancel() }
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch {
      guard task.isCancelled else { throw error }
      throw CommandError(.stoppedEarly, ending)
    }
  }

  /// Refuses to work on a database that is not there.
  func requireDatabase(_ settings: Settings) throws(CommandError) {
    guard !settings.database.exists else { return }
    throw CommandError(
      .notStored, "there is no database at \(settings.database.path); `matinee sync` makes it")
  }
}
