public import Foundation
public import HTTPTransport
public import HTTPTypes

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// `URLSession` as an `HTTPSession`, with a session of its own made from any configuration.
///
/// A configuration brings its `protocolClasses` along, so a `URLProtocol` stub works here as anywhere. Of the
/// configuration given, caching, cookies and stored credentials are switched off: on Linux `URLCache` leaves
/// the query out of its key, and an `HTTPSession` is to be the same request after request.
///
/// On Linux, prefer `AsyncHTTPSession` for traffic that is not your own: `URLSession` there ends the *process*
/// on some malformed replies, such as a connection closed in the middle of the head ("Transfer completed, but
/// there's no response", seen with Swift 6.3.1), and no code around it can help that. What can be helped is: the
/// deadlock of `data(for:)` on cancellation
/// ([swift-corelibs-foundation #5412](https://github.com/swiftlang/swift-corelibs-foundation/issues/5412)), the
/// hang on 401, timeouts cut to whole seconds, redirects, and unbounded bodies.
///
/// Limits that are looser than in `AsyncHTTPSession`: ``TransportLimits/connect`` is not kept, as `URLSession`
/// has no such limit, while ``TransportLimits/total`` is; and bytes on the wire are counted for bodies without a
/// content coding, others by their `Content-Length` only. Content with GET is refused, and `URLSession` sets a
/// `Content-Type` for POST if there is none.
///
/// **Proxies of the environment**: libcurl, under `URLSession` on Linux, hands plain http to the one that
/// `http_proxy`, `all_proxy` or `ALL_PROXY` names, in clear text and for 127.0.0.1 too. So plain http is refused while
/// one of them is set, unless it was allowed everywhere (`allowsPlainHTTP`).
public final class FoundationHTTPSession: HTTPSession, Sendable {
  private let session: URLSession
  private let delegate: ExchangeDelegate
  private let allowsPlainHTTP: Bool
  private let clock: any Clock<Duration>
  private let proxy: EnvironmentProxy?
  /// Whether the session was shut down; held while a task is made, as an invalidated `URLSession` traps then.
  private let isShutDown = LockedValue(false)

  /// Makes a session.
  ///
  /// - Parameters:
  ///   - configuration: Copied; caching, cookies and stored credentials are switched off in the copy.
  ///   - allowsPlainHTTP: Whether `http` may go to hosts other than this machine.
  ///   - clock: Measures ``TransportLimits/total``.
  ///   - environment: The process's variables, among which a proxy's would be.
  public init(
    configuration: URLSessionConfiguration = .ephemeral, allowsPlainHTTP: Bool = false,
    clock: any Clock<Duration> = ContinuousClock(),
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    let own = configuration.copy() as? URLSessionConfiguration ?? configuration
    own.urlCache = nil
    own.requestCachePolicy = .reloadIgnoringLocalCacheData
    own.httpCookieStorage = nil
    own.httpCookieAcceptPolicy = .never
    own.httpShouldSetCookies = false
    own.urlCredentialStorage = nil
    delegate = ExchangeDelegate()
    session = URLSession(configuration: own, delegate: delegate, delegateQueue: nil)
    self.allowsPlainHTTP = allowsPlainHTTP
    self.clock = clock
    proxy = EnvironmentProxy(environment)
  }

  deinit {
    if !isShutDown.withLock({ $0 }) { session.finishTasksAndInvalidate() }
  }

  /// Ends every exchange under way; they and later ones get ``TransportError/Code/shutDown``.
  public func shutdown() {
    let isFirst = isShutDown.withLock { isShutDown in
      defer { isShutDown = true }
      return !isShutDown
    }
    guard isFirst else { return }
    // Not `invalidateAndCancel()`: on Linux it reads the session's tasks on this thread, while the session's own queue
    // may be taking one out that has just ended.
    delegate.shutDownExchanges()
    session.finishTasksAndInvalidate()
  }

  public func send(
    _ request: HTTPRequest, body: [UInt8], limits: TransportLimits
  ) async throws -> HTTPReply {
    let destination = try Destination(of: request, allowsPlainHTTP: allowsPlainHTTP)
    if !allowsPlainHTTP { try proxy?.refuse(request, to: destination) }
    let urlRequest = try URLRequest(request, to: destination, body: body, limits: limits)
    guard !Task.isCancelled else { throw TransportError.cancelled(request) }
    do {
      return try await withDeadline(after: limits.total, on: clock) {
        let exchange = FoundationExchange(request: request, limits: limits)
        let task = try self.task(for: urlRequest, of: exchange)
        return try await exchange.reply(of: task)
      }
    } catch {
      if !Task.isCancelled, isShutDown.withLock({ $0 }) { throw TransportError.shutDown(request) }
      throw TransportError(caught: error, for: request, limits: limits)
    }
  }

  private func task(for urlRequest: URLRequest, of exchange: FoundationExchange) throws -> URLSessionDataTask
  {
    try isShutDown.withLock { isShutDown in
      guard !isShutDown else { throw TransportError.shutDown(exchange.request) }
      let task = session.dataTask(with: urlRequest)
      delegate.register(exchange, for: task)
      return task
    }
  }
}
