import Foundation

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
    // A finished download is asked for a file that only URLSession's own protocols can name, and traps.
    guard task is URLSessionDataTask else {
      let error = HTTPTestingError(
        .unsupportedTask, "Only data and upload tasks can be stubbed on Linux; this is a \(type(of: task)).")
      client?.urlProtocol(self, didFailWithError: error)
      client = nil
      return
    }
    guard let load else {
      load = StubLoad(task: task, request: request, routeNumber: Digits.number)
      return
    }
    guard let outcome = load.enter() else { return }
    switch outcome {
    case .success(let delivery):
      client?.urlProtocol(self, didReceive: delivery.response, cacheStoragePolicy: .notAllowed)
      // At most once: on Linux the last piece would replace the others.
      if !delivery.body.isEmpty { client?.urlProtocol(self, didLoad: delivery.body) }
      client?.urlProtocolDidFinishLoading(self)
    case .failure(let error): client?.urlProtocol(self, didFailWithError: error)
    }
    // A cancellation that comes now would be told to the client as well, which traps once the task is removed.
    client = nil
  }

  override func stopLoading() {
    guard task?.state == .suspended else {
      load?.cancel()
      return
    }
    load?.suspend()
  }
}
