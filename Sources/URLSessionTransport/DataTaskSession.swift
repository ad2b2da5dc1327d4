public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The classic seam: what code written to `URLSession`'s completion handlers asks of a session.
///
/// `URLSession` meets it, and so can a double. ``DataTaskHTTPSession`` makes any of them an `HTTPSession`.
public protocol DataTaskSession: Sendable {
  /// What a task of this session ends in: body, response, error, as `URLSession` passes them.
  typealias Completion = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

  /// Makes a suspended task that gets `url`.
  ///
  /// - Parameters:
  ///   - url: What to get.
  ///   - completionHandler: Called once, on a queue of the session's choice, after the task was resumed.
  func dataTask(with url: URL, completionHandler: @escaping Completion) -> any DataTask

  /// Makes a suspended task that sends `request`.
  ///
  /// - Parameters:
  ///   - request: What to send.
  ///   - completionHandler: Called once, on a queue of the session's choice, after the task was resumed.
  func dataTask(with request: URLRequest, completionHandler: @escaping Completion) -> any DataTask
}

/// A task of a ``DataTaskSession``.
///
/// It is a protocol of its own because `URLSessionDataTask` cannot be faked: on Linux it can be subclassed, but
/// the subclass's `cancel()` crashes.
public protocol DataTask: Sendable {
  /// Starts the task; without it nothing happens.
  func resume()

  /// Asks the task to end; its completion handler is then called with `URLError.cancelled`, unless it was
  /// complete already.
  func cancel()
}

extension URLSession: DataTaskSession {
  public func dataTask(with url: URL, completionHandler: @escaping Completion) -> any DataTask {
    let task: URLSessionDataTask = dataTask(with: url, completionHandler: completionHandler)
    return task
  }

  public func dataTask(with request: URLRequest, completionHandler: @escaping Completion) -> any DataTask {
    let task: URLSessionDataTask = dataTask(with: request, completionHandler: completionHandler)
    return task
  }
}

extension URLSessionDataTask: DataTask {}
