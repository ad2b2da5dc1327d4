public import HTTPTransport

#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLSessionConfiguration {
  /// A configuration whose every request is answered by `session`, and never by a network.
  ///
  /// For code that owns a `URLSession`:
  /// ```swift
  /// let client = Client(urlSession: URLSession(configuration: .stubbed(by: session)))
  /// ```
  /// - The route belongs to this configuration and to the sessions made of it. It does not matter in which task
  ///   or thread they are made or used, and tests that run in parallel do not meet.
  /// - Every scheme is answered; nothing falls through, also when a stub is missing.
  /// - The stub sees method, URL, header fields and body of the `URLRequest`; its time limit is the request's
  ///   `timeoutInterval`. It does not see `httpAdditionalHeaders` or the data of an upload task, which
  ///   URLSession on Linux keeps from a `URLProtocol`.
  /// - A `TransportError` arrives as the `URLError` that URLSession on Linux gives for that fault; any other
  ///   error as it is. A 3xx reply arrives as it is; a 401 loses its `WWW-Authenticate`, over which URLSession on
  ///   Linux would wait for ever.
  /// - Data and upload tasks are answered; a download task gets an ``HTTPTestingError`` of code `unsupportedTask`,
  ///   as URLSession on Linux traps over the file.
  /// - `urlCache` is off: it would serve one query's reply to another.
  ///
  /// Keep `connectionProxyDictionary` and `protocolClasses` as they are: the first keeps the route alive, the
  /// second leads to it.
  public static func stubbed(by session: any HTTPSession) -> URLSessionConfiguration {
    let route = StubRoute(session: session)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [routedClass(routeDigits(spelling: route.number))]
    configuration.connectionProxyDictionary = [StubRoute.proxyDictionaryKey: route]
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.httpCookieStorage = nil
    return configuration
  }

  /// A configuration that must not dial at all: every request fails the test and gets an ``HTTPTestingError``
  /// of code `networkForbidden`.
  ///
  /// - Parameter policy: What a request does besides failing.
  public static func noNetwork(
    policy: UnmatchedPolicy = .fail, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> URLSessionConfiguration {
    .stubbed(
      by: DummySession(
        code: .networkForbidden,
        reason: "This URLSession may not use the network. Stub what it asks for.",
        location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column),
        policy: policy))
  }

  private static func routedClass<Digits: RouteDigits>(_ digits: Digits.Type) -> AnyClass {
    RoutedURLProtocol<Digits>.self
  }
}

extension StubRoute {
  /// The key under which a configuration keeps its route; no proxy has that name.
  static let proxyDictionaryKey = "HTTPSessionTesting.StubRoute"
}
