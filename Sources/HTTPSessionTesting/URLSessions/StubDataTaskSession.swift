public import Foundation
public import HTTPTransport
public import URLSessionTransport

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A stub for the classic seam: `dataTask(with:completionHandler:)`, for `URL` and `URLRequest`.
///
/// ```swift
/// let session = StubDataTaskSession(StubSession(Stub(.get("/users/1"), .json(["name": "Ada"]))))
/// Client(session: session).user(1) { result in … }
/// ```
/// A task asks nothing before `resume()`, completes exactly once, and records `resume()` and `cancel()`; the
/// session remembers every task. A task that is cancelled completes with `URLError.cancelled`, as URLSession's
/// do, also if it was never resumed; its request is then never sent.
public final class StubDataTaskSession: DataTaskSession {
  /// What a data task ends in, as `URLSession` passes it: for answers that no HTTP exchange gives, such as a
  /// response that is no `HTTPURLResponse`, or nothing at all.
  public struct Outcome: Sendable {
    /// The body; `nil` if there is none to speak of.
    public var data: Data?
    /// The response's head.
    public var response: URLResponse?
    /// Why there is no response.
    public var error: (any Error)?

    /// Makes an outcome.
    public init(data: Data? = nil, response: URLResponse? = nil, error: (any Error)? = nil) {
      self.data = data
      self.response = response
      self.error = error
    }
  }

  /// Waits for the outcome of a request that is recorded already.
  typealias PendingOutcome = @Sendable () async -> Outcome

  private let start: @Sendable (URLRequest) -> PendingOutcome
  private let state = LockedValue<[StubDataTask]>([])

  /// The most tasks that are remembered; later ones work, but are not in ``tasks``.
  public static let taskCountMax = 65_536

  /// Makes a session whose requests `session` answers.
  ///
  /// A `TransportError` arrives as the `URLError` that URLSession on Linux gives for that fault; any other
  /// error as it is.
  public init(_ session: any HTTPSession) {
    start = { request in
      let pending: PendingReply
      do throws(HTTPTestingError) {
        pending = session.start(try URLReply.sentRequest(request))
      } catch {
        return { Outcome(error: error) }
      }
      return { await Outcome(of: pending, for: request) }
    }
  }

  /// Makes a session that ends every task in what `outcome` says.
  public init(completingWith outcome: @escaping @Sendable (URLRequest) -> Outcome) {
    start = { request in { outcome(request) } }
  }

  /// The tasks made so far, in order.
  public var tasks: [StubDataTask] { state.withLock { $0 } }

  /// Makes a suspended task that gets `url`.
  public func dataTask(with url: URL, completionHandler: @escaping Completion) -> any DataTask {
    dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
  }

  /// Makes a suspended task that sends `request`.
  public func dataTask(
    with request: URLRequest, completionHandler: @escaping Completion
  ) -> any DataTask {
    let task = StubDataTask(request: request, start: start, completion: completionHandler)
    state.withLock { if $0.count < Self.taskCountMax { $0.append(task) } }
    return task
  }
}

extension StubDataTaskSession.Outcome {
  init(of pending: PendingReply, for request: URLRequest) async {
    do {
      let delivery = try await ClientKind.$current.withValue(.urlSession) {
        try URLReply.delivery(try await pending(), for: request)
      }
      self.init(data: delivery.body, response: delivery.response)
    } catch {
      self.init(error: URLReply.error(error))
    }
  }
}
