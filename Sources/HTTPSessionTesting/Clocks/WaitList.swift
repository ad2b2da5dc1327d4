/// Tasks that wait for a counter to reach a number; the counter's owner keeps it under its own lock.
///
/// The idea: the owner adds a waiter and looks at its counter under one lock, so no wake-up is lost, and
/// resumes continuations only after it has let the lock go.
struct WaitList {
  /// Tells one waiter from the others, by identity.
  final class Ticket: Sendable {}

  /// A task that waits.
  struct Waiter {
    let ticket: Ticket
    let count: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// What became of a waiter that came in.
  enum Entry {
    case ready
    case waiting
  }

  /// Continuations that are to be resumed, outside the lock.
  struct Ready {
    var continuations: [CheckedContinuation<Void, any Error>] = []

    func resumeAll() {
      for continuation in continuations { continuation.resume() }
    }
  }

  private var waiters: [Waiter] = []

  mutating func add(_ waiter: Waiter) -> Entry {
    waiters.append(waiter)
    return .waiting
  }

  /// Takes out those whose number `count` has reached.
  mutating func takeReady(count: Int) -> Ready {
    guard !waiters.isEmpty else { return Ready() }
    var ready = Ready()
    waiters.removeAll { waiter in
      guard waiter.count <= count else { return false }
      ready.continuations.append(waiter.continuation)
      return true
    }
    return ready
  }

  /// Takes out the waiter of that ticket; `nil` if it is not there.
  mutating func remove(_ ticket: Ticket) -> CheckedContinuation<Void, any Error>? {
    guard let index = waiters.firstIndex(where: { $0.ticket === ticket }) else { return nil }
    return waiters.remove(at: index).continuation
  }

  /// Suspends until the owner resumes this waiter, or the task is cancelled.
  ///
  /// - Parameters:
  ///   - enter: Under the owner's lock: adds the waiter, or says that the number is reached already.
  ///   - leave: Under the owner's lock: takes the waiter out.
  static func wait(
    count: Int, enter: (Waiter) -> Entry,
    leave: @escaping @Sendable (Ticket) -> CheckedContinuation<Void, any Error>?
  ) async throws {
    let ticket = Ticket()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        switch enter(Waiter(ticket: ticket, count: count, continuation: continuation)) {
        case .ready: continuation.resume()
        case .waiting:
          // The handler may have run before the waiter was in the list: look again.
          if Task.isCancelled { leave(ticket)?.resume(throwing: CancellationError()) }
        }
      }
    } onCancel: {
      leave(ticket)?.resume(throwing: CancellationError())
    }
  }
}
