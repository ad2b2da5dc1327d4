import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange behind a `URLSessionTask`.
final class StubLoad: Sendable {
  /// What is handed to URLSession.
  struct Delivery: Sendable {
    let response: HTTPURLResponse
    let body: Data
  }

  private struct State {
    var outcome: Result<Delivery, any Error>?
    var isSuspended = false
    var isTaken = false
    var work: Task<Void, Never>?
  }

  private let state = LockedValue(State())

  init(task: URLSessionTask, request: URLRequest, routeNumber: UInt64) {
    let pending = Self.start(request, routeNumber: routeNumber)
    let work = Task.detached { [weak self] in
      let outcome: Result<Delivery, any Error>
      do {
        outcome = .success(
          try await ClientKind.$current.withValue(.urlSession) {
            try await URLReply.delivery(pending(), for: request)
          })
      } catch {
        outcome = .failure(URLReply.error(error))
      }
      guard let self, self.keep(outcome) else { return }
      task.resume()
    }
    state.withLock { $0.work = work }
  }

  /// Records the request at once, so that the journal keeps the order of `resume()` calls.
  private static func start(_ request: URLRequest, routeNumber: UInt64) -> PendingReply {
    do throws(HTTPTestingError) {
      guard let route = StubRoute.route(number: routeNumber) else {
        throw HTTPTestingError(
          .networkForbidden,
          "The stub behind this URLSession is gone: connectionProxyDictionary, which held it, was replaced."
        )
      }
      return route.session.start(try URLReply.sentRequest(request))
    } catch {
      return { throw error }
    }
  }

  /// Keeps the outcome; says whether the task is to be entered again to deliver it.
  private func keep(_ outcome: Result<Delivery, any Error>) -> Bool {
    state.withLock { state in
      state.outcome = outcome
      return !state.isSuspended
    }
  }

  /// Takes note that the task runs, and takes the outcome, which is handed out once.
  ///
  /// Both in one step: an outcome that came between them would take the task for a suspended one, and wait for good.
  ///
  /// - Returns: `nil` if it is not there yet, and enters the task by itself when it comes; or if it was taken.
  func enter() -> Result<Delivery, any Error>? {
    state.withLock { state in
      state.isSuspended = false
      guard !state.isTaken, let outcome = state.outcome else { return nil }
      state.isTaken = true
      return outcome
    }
  }

  /// Takes note that the task is suspended: an outcome waits until it is entered again.
  func suspend() { state.withLock { $0.isSuspended = true } }

  func cancel() { state.withLock { $0.work }?.cancel() }
}
