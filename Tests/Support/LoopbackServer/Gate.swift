import HTTPTransport

/// Closed until it is opened, once and for good; lets a test and a server wait for each other without sleeping.
package final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var nextTicket = 0
    var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    var cancelled: Set<Int> = []
  }

  private let state = LockedValue(State())

  /// Makes a closed gate.
  package init() {}

  /// Lets everyone through, now and later.
  package func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values { waiter.resume() }
  }

  /// Waits until the gate is open.
  ///
  /// - Throws: `CancellationError` if the task is cancelled first.
  package func wait() async throws {
    let ticket = state.withLock { state in
      defer { state.nextTicket += 1 }
      return state.nextTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enqueue(continuation, ticket: ticket)
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.cancelled.insert(ticket)
        return state.waiters.removeValue(forKey: ticket)
      }
      waiter?.resume(throwing: CancellationError())
    }
    state.withLock { _ = $0.cancelled.remove(ticket) }
  }

  private func enqueue(_ continuation: CheckedContinuation<Void, any Error>, ticket: Int) {
    let outcome: Result<Void, any Error>? = state.withLock { state in
      if state.isOpen { return .success(()) }
      if state.cancelled.contains(ticket) { return .failure(CancellationError()) }
      state.waiters[ticket] = continuation
      return nil
    }
    if let outcome { continuation.resume(with: outcome) }
  }
}
