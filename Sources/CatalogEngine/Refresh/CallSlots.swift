import HTTPTransport

/// A bound on how many calls are under way at once: whoever comes later waits in line.
final class CallSlots: Sendable {
  private typealias Waiter = CheckedContinuation<Void, any Error>

  private struct State {
    var freeCount: Int
    var waiterNumber: UInt64 = 0
    /// In the order in which they came.
    var waiters: [(number: UInt64, continuation: Waiter)] = []
  }

  private let state: LockedValue<State>

  /// - Precondition: `count` is at least 1.
  init(count: Int) {
    precondition(count >= 1, "there is at least one slot")
    state = LockedValue(State(freeCount: count))
  }

  /// Whether a call could go out now.
  var hasFreeSlot: Bool { state.withLock { $0.freeCount > 0 } }

  /// Takes a slot, waiting for one if need be.
  ///
  /// - Throws: `CancellationError` if the task is cancelled while it waits.
  func take() async throws {
    let number: UInt64? = state.withLock { state in
      guard state.freeCount == 0 else {
        state.freeCount -= 1
        return nil
      }
      state.waiterNumber += 1
      return state.waiterNumber
    }
    guard let number else { return }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: Waiter) in
        enum Way { case goes, waits, leaves }
        // A slot may have come free, or the task been cancelled, since the line was joined.
        let way: Way = state.withLock { state in
          if Task.isCancelled { return .leaves }
          guard state.freeCount == 0 else {
            state.freeCount -= 1
            return .goes
          }
          state.waiters.append((number, waiter))
          return .waits
        }
        switch way {
        case .goes: waiter.resume()
        case .leaves: waiter.resume(throwing: CancellationError())
        case .waits: break
        }
      }
    } onCancel: {
      let waiter: Waiter? = state.withLock { state in
        guard let index = state.waiters.firstIndex(where: { $0.number == number }) else { return nil }
        return state.waiters.remove(at: index).continuation
      }
      waiter?.resume(throwing: CancellationError())
    }
  }

  /// Gives a slot back that was taken.
  func giveBack() {
    let next: Waiter? = state.withLock { state in
      guard !state.waiters.isEmpty else {
        state.freeCount += 1
        return nil
      }
      return state.waiters.removeFirst().continuation
    }
    next?.resume()
  }
}
