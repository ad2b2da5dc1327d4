import HTTPTransport

/// Work that nobody waits for at once, and that somebody can wait for in the end.
final class TaskBag: Sendable {
  private struct State {
    var tasks: [UInt64: Task<Void, Never>] = [:]
    var number: UInt64 = 0
  }

  private let state = LockedValue(State())

  /// Starts `work`.
  func add(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      state.number += 1
      let number = state.number
      // The task cannot leave before it is entered: leaving takes the lock that is held here.
      state.tasks[number] = Task { @concurrent in
        await work()
        self.state.withLock { $0.tasks[number] = nil }
      }
    }
  }

  /// Waits until all that was started has ended.
  func drain() async {
    while true {
      let tasks = state.withLock { Array($0.tasks.values) }
      guard !tasks.isEmpty else { return }
      for task in tasks { await task.value }
    }
  }
}
