import AsyncHTTPClient
public import HTTPTransport
public import HTTPTypes
import NIOCore
import NIOHTTP1
package import NIOSSL

/// The session that carries real traffic, on
/// [AsyncHTTPClient](https://github.com/swift-server/async-http-client).
///
/// What it makes sure of:
///
/// - **One deadline** over head and body: ``TransportLimits/total``. The client's own ends at the head.
/// - **Bounded memory**: a body is cut off at ``TransportLimits/responseByteCountMax`` bytes on the wire, and at
///   ``TransportLimits/decodedByteCountMax`` once gzip or deflate is undone.
/// - **No redirects**: a 3xx is returned as it is.
/// - **Certificates are verified**, names included. Plain http goes to this machine only, unless
///   ``Configuration/allowsPlainHTTP`` says otherwise. Literal link-local addresses (169.254.0.0/16,
///   `fe80::/10`), where clouds keep their metadata, are refused.
/// - **The query stays out** of errors and of traces: the client's tracing, which records whole URLs, is off.
///
/// It speaks HTTP/1.1, over connections that it keeps. Shut it down when it is no longer needed, or use
/// ``withAsyncHTTPSession(_:_:)``; one that is only released shuts down by itself, in its own time.
public final class AsyncHTTPSession: HTTPSession, Sendable {
  /// What a session may do, for all of its exchanges.
  public struct Configuration: Sendable {
    /// Whether `http` may go to hosts other than this machine; `false` unless set.
    public var allowsPlainHTTP: Bool

    /// The `User-Agent` of requests that have none.
    public var userAgent: String

    /// The most connections to one host; a request beyond waits for one, for up to
    /// ``TransportLimits/connect``.
    public var connectionCountMaxPerHost: Int

    /// Makes a configuration.
    public init(
      allowsPlainHTTP: Bool = false, userAgent: String = Configuration.defaultUserAgent,
      connectionCountMaxPerHost: Int = 16
    ) {
      self.allowsPlainHTTP = allowsPlainHTTP
      self.userAgent = userAgent
      self.connectionCountMaxPerHost = connectionCountMaxPerHost
    }

    /// `matinee/` and this package's version.
    public static let defaultUserAgent = UserAgent.value
  }

  private let configuration: Configuration
  private let clock: any Clock<Duration>
  private let clients: ClientPool

  /// Makes a session; nothing is dialled before the first request.
  ///
  /// - Parameters:
  ///   - configuration: What it may do.
  ///   - clock: Measures ``TransportLimits/total``. ``TransportLimits/connect`` is always real time.
  public convenience init(
    configuration: Configuration = Configuration(), clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(configuration: configuration, clock: clock, tls: .makeClientConfiguration())
  }

  /// Makes a session with TLS settings of its own, for a test that has its own certificate.
  package init(
    configuration: Configuration = Configuration(), clock: any Clock<Duration> = ContinuousClock(),
    tls: TLSConfiguration
  ) {
    precondition(configuration.connectionCountMaxPerHost > 0, "a session needs at least one connection")
    self.configuration = configuration
    self.clock = clock
    self.clients = ClientPool(
      tls: tls, connectionCountMaxPerHost: configuration.connectionCountMaxPerHost)
  }

  /// Ends every exchange under way, closes the connections, and waits for that.
  ///
  /// Later requests, and those that were under way, get ``TransportError/Code/shutDown``. A second call returns
  /// at once.
  public func shutdown() async { await clients.shutDown() }

  public func send(
    _ request: HTTPRequest, body: [UInt8], limits: TransportLimits
  ) async throws -> HTTPReply {
    let destination = try Destination(of: request, allowsPlainHTTP: configuration.allowsPlainHTTP)
    guard !Task.isCancelled else { throw TransportError.cancelled(request) }
    guard let client = clients.client(connectTimeout: limits.connect) else {
      throw TransportError.shutDown(request)
    }
    let exchange = AsyncHTTPExchange(
      client: client, request: request, destination: destination, body: body,
      userAgent: configuration.userAgent, limits: limits)
    do {
      return try await withDeadline(after: limits.total, on: clock) { try await exchange.run() }
    } catch {
      if Task.isCancelled { throw TransportError.cancelled(request) }
      if clients.isShutDown { throw TransportError.shutDown(request) }
      switch error {
      case let error as TransportError: throw error
      case is DeadlinePassed: throw TransportError.deadlinePassed(request, limits)
      default: throw TransportError(client: error, for: request, isHeadReceived: false)
      }
    }
  }
}

/// Runs `body` with a session, and shuts the session down in the end.
public func withAsyncHTTPSession<Result>(
  _ configuration: AsyncHTTPSession.Configuration = AsyncHTTPSession.Configuration(),
  clock: any Clock<Duration> = ContinuousClock(), _ body: (AsyncHTTPSession) async throws -> Result
) async throws -> Result {
  let session = AsyncHTTPSession(configuration: configuration, clock: clock)
  do {
    let result = try await body(session)
    await session.shutdown()
    return result
  } catch {
    await session.shutdown()
    throw error
  }
}
