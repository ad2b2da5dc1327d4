import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The `URLProtocol` of one configuration: answers from the session of the route that `Digits` spell.
///
/// The idea: on Linux the protocol's client may be called only on the task's work queue, which is where
/// `startLoading` runs, and only once. So the first `startLoading` starts the exchange; when the answer is
/// there, `task.resume()` makes URLSession enter `startLoading` again, on that queue, and only there is it
/// delivered.
final class RoutedURLProtocol<Digits: RouteDigits>: URLProtocol {
  private var load: StubLoad?

  // `false` would send the request to the real network.
  override class func canInit(with request: URLRequest) -> Bool { true }

  override class func canInit(with task: URLSessionTask) -> Bool { true }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let task, task.state == .running else { return }
    guard let load else {
      load = StubLoad(task: task, request: request, routeNumber: Digits.number)
      return
    }
    guard let outcome = load.takeOutcome() else { return load.setSuspended(false) }
    switch outcome {
    case .success(let delivery):
      client?.urlProtocol(self, didReceive: delivery.response, cacheStoragePolicy: .notAllowed)
      // At most once: on Linux the last piece would replace the others.
      if !delivery.body.isEmpty { client?.urlProtocol(self, didLoad: delivery.body) }
      client?.urlProtocolDidFinishLoading(self)
    case .failure(let error): client?.urlProtocol(self, didFailWithError: error)
    }
  }

  override func stopLoading() {
    guard task?.state == .suspended else {
      load?.cancel()
      return
    }
    load?.setSuspended(true)
  }
}

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

  /// The outcome, once; `nil` if it is not there yet or was taken.
  func takeOutcome() -> Result<Delivery, any Error>? {
    state.withLock { state in
      guard !state.isTaken, let outcome = state.outcome else { return nil }
      state.isTaken = true
      return outcome
    }
  }

  func setSuspended(_ isSuspended: Bool) { state.withLock { $0.isSuspended = isSuspended } }

  func cancel() { state.withLock { $0.work }?.cancel() }
}
