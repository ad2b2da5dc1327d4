import HTTPTransport

/// Makes any number of concurrent askers of one key share one piece of work.
///
/// The first asker's work starts a flight; whoever asks for the same key before it lands waits for the same landing.
/// The flight belongs to none of them: an asker that is cancelled leaves, and the others still get their answer. One that
/// has to know what came of it may take it down instead, if it is alone. What a flight lands with is handed to its
/// waiters and forgotten, so the next asker starts anew.
package final class SingleFlight<Key: Hashable & Sendable, Landing: Sendable>: Sendable {
  private struct Waiter {
    var continuation: CheckedContinuation<Landing, any Error>
    /// Whether it waits to the end, and cannot be sent away with less.
    var isPatient: Bool
  }

  private struct Flight {
    var task: Task<Void, Never>?
    var waiters: [UInt64: Waiter] = [:]
  }

  private struct State {
    var flights: [Key: Flight] = [:]
    var waiterNumber: UInt64 = 0
    var isShutDown = false
  }

  private let state = LockedValue(State())

  package init() {}

  /// Waits for the flight of `key`, starting it with `work` if there is none.
  ///
  /// - Parameters:
  ///   - isPatient: Whether the asker waits to the end; one that does not may be sent away before, see
  ///     ``dismiss(_:with:)``.
  ///   - takesDown: Whether an asker that is cancelled, and waits alone, cancels the work and waits for its landing.
  /// - Returns: What the flight landed with, and whether this asker started it.
  /// - Throws: `CancellationError` if the asker is cancelled, or the flights were shut down.
  package func landing(
    of key: Key, isPatient: Bool = true, takesDown: Bool = false,
    work: @escaping @Sendable () async -> Landing
  ) async throws -> (landing: Landing, isOwn: Bool) {
    let number = state.withLock { state in
      state.waiterNumber += 1
      return state.waiterNumber
    }
    let isOwn = LockedValue(false)
    let landing = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let waiter = Waiter(continuation: continuation, isPatient: isPatient)
        let started = join(key, as: number, waiter: waiter, work: work)
        isOwn.withLock { $0 = started }
      }
    } onCancel: {
      let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
        let waiters = state.flights[key]?.waiters ?? [:]
        if takesDown, waiters.count == 1, waiters[number] != nil { return (nil, state.flights[key]?.task) }
        return (state.flights[key]?.waiters.removeValue(forKey: number), nil)
      }
      task?.cancel()
      waiter?.continuation.resume(throwing: CancellationError())
    }
    return (landing, isOwn.withLock { $0 })
  }

  /// Starts a flight that nobody waits for, unless there is one.
  package func start(_ key: Key, work: @escaping @Sendable () async -> Landing) {
    state.withLock { state in
      guard !state.isShutDown, state.flights[key] == nil else { return }
      takeOff(key, waiters: [:], work: work, in: &state)
    }
  }

  /// Sends the askers of `key` away that are not patient, while its flight goes on for the others.
  package func dismiss(_ key: Key, with landing: Landing) {
    let dismissed = state.withLock { state -> [Waiter] in
      let impatient = state.flights[key]?.waiters.filter { !$0.value.isPatient } ?? [:]
      for number in impatient.keys { state.flights[key]?.waiters[number] = nil }
      return Array(impatient.values)
    }
    for waiter in dismissed { waiter.continuation.resume(returning: landing) }
  }

  /// Waits until the flights under way have landed.
  package func drain() async {
    let tasks = state.withLock { $0.flights.values.compactMap(\.task) }
    for task in tasks { await task.value }
  }

  /// Cancels the flights under way, waits until they have landed, and lets none start any more.
  package func shutdown() async {
    let tasks = state.withLock { state in
      state.isShutDown = true
      return state.flights.values.compactMap(\.task)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  private func join(
    _ key: Key, as number: UInt64, waiter: Waiter, work: @escaping @Sendable () async -> Landing
  ) -> Bool {
    // The cancellation handler may have run before there was a waiter to resume: look once more, under the lock
    // that the handler takes.
    let (started, isRefused) = state.withLock { state -> (Bool, Bool) in
      guard !Task.isCancelled, !state.isShutDown else { return (false, true) }
      guard state.flights[key] == nil else {
        state.flights[key]?.waiters[number] = waiter
        return (false, false)
      }
      takeOff(key, waiters: [number: waiter], work: work, in: &state)
      return (true, false)
    }
    if isRefused { waiter.continuation.resume(throwing: CancellationError()) }
    return started
  }

  private func takeOff(
    _ key: Key, waiters: [UInt64: Waiter], work: @escaping @Sendable () async -> Landing,
    in state: inout State
  ) {
    // The task cannot land before the flight is entered: landing takes the lock that is held here.
    state.flights[key] = Flight(task: nil, waiters: waiters)
    state.flights[key]?.task = Task { @concurrent in
      let landing = await work()
      let waiters = self.state.withLock { $0.flights.removeValue(forKey: key)?.waiters }
      for waiter in (waiters ?? [:]).values { waiter.continuation.resume(returning: landing) }
    }
  }
}

extension SingleFlight {
  /// How many wait for the flight of `key` now.
  package func waiterCount(of key: Key) -> Int { state.withLock { $0.flights[key]?.waiters.count ?? 0 } }
}
