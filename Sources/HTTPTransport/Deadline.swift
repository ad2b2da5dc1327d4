/// Says that ``withDeadline(after:on:operation:)`` ran out of time.
package struct DeadlinePassed: Error {
  /// Makes the error.
  package init() {}
}

/// Races `operation` against a deadline; whichever ends first decides.
///
/// The loser is cancelled and waited for, so `operation` must honour cancellation at once. This is one deadline
/// over everything the operation does: a client's own may end at the response's head and let a body drip on.
///
/// - Throws: ``DeadlinePassed``, what `operation` throws, or `CancellationError`.
package func withDeadline<Value: Sendable>(
  after limit: Duration, on clock: any Clock<Duration>,
  operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    group.addTask { try await operation() }
    group.addTask {
      try await clock.sleep(for: limit)
      throw DeadlinePassed()
    }
    defer { group.cancelAll() }
    guard let value = try await group.next() else { throw CancellationError() }
    return value
  }
}
