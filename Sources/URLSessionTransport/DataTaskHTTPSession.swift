public import Foundation
public import HTTPTransport
public import HTTPTypes

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Any ``DataTaskSession`` as an `HTTPSession`: for a `URLSession` that exists already, or a double of the
/// classic seam.
///
/// A completion handler sees only the end of an exchange, in a session that someone else configured. So some
/// rules of `HTTPSession` can be kept only in part; where ``FoundationHTTPSession`` can be had, prefer it.
///
/// - **Memory**: limits are checked when the whole body is there, not before.
/// - **Redirects**: what the session follows is noticed by the response's URL, and is an error of code
///   ``TransportError/Code/unexpectedRedirect``; the request was sent on all the same.
/// - **Caches and cookies** are the session's. On Linux, `URLCache` leaves the query out of its key and answers
///   with another day's body: set `urlCache` to `nil`.
/// - **401 with `WWW-Authenticate`**: `URLSession` on Linux without a delegate that answers never calls back;
///   the deadline ends the exchange.
/// - **Some faults cannot be told apart**: `URLSession` on Linux has one code for a truncated body, broken
///   framing and a failed TLS handshake. They are ``TransportError/Code/malformedResponse`` over http and
///   ``TransportError/Code/other`` over https.
/// - **A head that breaks off** in mid line ends the process on Linux, as in ``FoundationHTTPSession``.
/// - The session must not be invalidated while it is used: `URLSession` traps.
///
/// ``TransportLimits/connect`` is not kept, as `URLSession` has no such limit; ``TransportLimits/total`` is.
///
/// **Proxies of the environment**: libcurl, under `URLSession` on Linux, hands plain http to the one that
/// `http_proxy`, `all_proxy` or `ALL_PROXY` names, in clear text and for 127.0.0.1 too. So plain http is refused while
/// one of them is set, unless it was allowed everywhere (`allowsPlainHTTP`).
public struct DataTaskHTTPSession: HTTPSession {
  private let session: any DataTaskSession
  private let allowsPlainHTTP: Bool
  private let clock: any Clock<Duration>
  private let proxy: EnvironmentProxy?

  /// Makes an `HTTPSession` of `session`.
  ///
  /// - Parameters:
  ///   - session: What sends; its user keeps it alive and valid.
  ///   - allowsPlainHTTP: Whether `http` may go to hosts other than this machine.
  ///   - clock: Measures ``TransportLimits/total``.
  ///   - environment: The process's variables, among which a proxy's would be.
  public init(
    _ session: any DataTaskSession, allowsPlainHTTP: Bool = false,
    clock: any Clock<Duration> = ContinuousClock(),
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.session = session
    self.allowsPlainHTTP = allowsPlainHTTP
    self.clock = clock
    proxy = EnvironmentProxy(environment)
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
        let task = session.dataTask(with: urlRequest) { data, response, error in
          exchange.complete(data, response, error, askedFor: urlRequest.url)
        }
        return try await exchange.reply(of: task)
      }
    } catch {
      throw TransportError(caught: error, for: request, limits: limits)
    }
  }
}
