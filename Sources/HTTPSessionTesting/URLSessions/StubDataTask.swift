import Foundation
import HTTPTransport
public import URLSessionTransport

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A task of a ``StubDataTaskSession``.
public final class StubDataTask: DataTask {
  /// What the task is to send.
  public let request: URLRequest

  private struct State {
    var resumeCount = 0
    var cancelCount = 0
    var completion: DataTaskSession.Completion?
    var work: Task<Void, Never>?

    /// Whoever takes it calls it, so it is called once.
    mutating func takeCompletion() -> DataTaskSession.Completion? {
      defer { completion = nil }
      return completion
    }
  }

  private let start: @Sendable (URLRequest) -> StubDataTaskSession.PendingOutcome
  private let state: LockedValue<State>

  init(
    request: URLRequest,
    start: @escaping @Sendable (URLRequest) -> StubDataTaskSession.PendingOutcome,
    completion: @escaping DataTaskSession.Completion
  ) {
    self.request = request
    self.start = start
    state = LockedValue(State(completion: completion))
  }

  /// How often `resume()` was called.
  public var resumeCount: Int { state.withLock { $0.resumeCount } }

  /// How often `cancel()` was called.
  public var cancelCount: Int { state.withLock { $0.cancelCount } }

  /// Whether the completion handler was called, or is about to be.
  public var isComplete: Bool { state.withLock { $0.completion == nil } }

  /// Sends the request; a second call, or one after `cancel()`, does nothing but count.
  public func resume() {
    let isFirst = state.withLock { state in
      state.resumeCount += 1
      return state.resumeCount == 1 && state.completion != nil
    }
    guard isFirst else { return }
    let pending = start(request)
    let work = Task.detached { self.complete(await pending()) }
    let isCancelled = state.withLock { state in
      state.work = work
      return state.cancelCount > 0
    }
    if isCancelled { work.cancel() }
  }

  /// Ends the task with `URLError.cancelled`, unless it is complete.
  public func cancel() {
    let (work, completion) = state.withLock { state in
      state.cancelCount += 1
      return (state.work, state.takeCompletion())
    }
    work?.cancel()
    guard let completion else { return }
    // On a task of its own, as URLSession calls back from its queue: never from within `cancel()`.
    Task.detached { completion(nil, nil, URLError(.cancelled)) }
  }

  private func complete(_ outcome: StubDataTaskSession.Outcome) {
    let completion = state.withLock { $0.takeCompletion() }
    completion?(outcome.data, outcome.response, outcome.error)
  }
}
