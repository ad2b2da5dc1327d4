import HTTPTransport

/// A gate that a test holds shut and opens: whatever passes through it waits until the test lets it go.
///
/// ```swift
/// let gate = Gate()
/// let session = StubSession(Stub(.any, .status(.ok).held(at: gate)))
/// async let reply = session.send(request)
/// try await gate.waitForWaiting(count: 1)   // the request is in flight now
/// gate.release()
/// ```
public final class Gate: Sendable {
  private struct State {
    var isOpen: Bool
    var permitCount = 0
    var waiting: [(ticket: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
    var nextTicket: UInt64 = 0
    var watchers = WaitList()
  }

  private let state: LockedValue<State>

  /// Makes a gate.
  ///
  /// - Parameter isOpen: Whether it starts open; shut unless you say so.
  public init(isOpen: Bool = false) { state = LockedValue(State(isOpen: isOpen)) }

  /// How many wait at the gate now.
  public var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Opens the gate: all who wait go, and all who come pass at once until ``close()``.
  public func open() {
    let released = state.withLock { state in
      state.isOpen = true
      state.permitCount = 0
      defer { state.waiting = [] }
      return state.waiting
    }
    for entry in released { entry.continuation.resume() }
  }

  /// Shuts the gate for those who come from now on.
  public func close() { state.withLock { $0.isOpen = false } }

  /// Lets `count` pass, first come first served; those not yet there pass when they come.
  public func release(_ count: Int = 1) {
    precondition(count > 0, "A gate releases at least one.")
    let released = state.withLock { state in
      let released = Array(state.waiting.prefix(count))
      state.waiting.removeFirst(released.count)
      if !state.isOpen { state.permitCount += count - released.count }
      return released
    }
    for entry in released { entry.continuation.resume() }
  }

  /// Passes the gate, or waits before it.
  ///
  /// - Throws: `CancellationError` if the calling task is cancelled before it is let through.
  public func pass() async throws {
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enter(ticket, continuation)
        // The handler may have run before the entry was there: look again.
        if Task.isCancelled { leave(ticket) }
      }
    } onCancel: {
      leave(ticket)
    }
  }

  /// Waits until at least `count` wait at the gate at the same time.
  ///
  /// - Throws: `CancellationError` if the calling task is cancelled first.
  public func waitForWaiting(count: Int = 1) async throws {
    try await WaitList.wait(
      count: count,
      enter: { waiter in
        state.withLock { $0.waiting.count >= count ? .ready : $0.watchers.add(waiter) }
      },
      leave: { ticket in self.state.withLock { $0.watchers.remove(ticket) } })
  }

  private func enter(_ ticket: UInt64, _ continuation: CheckedContinuation<Void, any Error>) {
    let (passes, ready) = state.withLock { state -> (Bool, WaitList.Ready) in
      if state.isOpen { return (true, .init()) }
      if state.permitCount > 0 {
        state.permitCount -= 1
        return (true, .init())
      }
      state.waiting.append((ticket, continuation))
      return (false, state.watchers.takeReady(count: state.waiting.count))
    }
    if passes { continuation.resume() }
    ready.resumeAll()
  }

  private func leave(_ ticket: UInt64) {
    let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
      return state.waiting.remove(at: index).continuation
    }
    continuation?.resume(throwing: CancellationError())
  }
}
