public import HTTPTransport
public import HTTPTypes

/// One request as a double saw it: what a session was asked to send.
public struct SentRequest: Hashable, Sendable {
  /// Method, scheme, authority, path and header fields.
  public let request: HTTPRequest

  /// The content that was to be sent; empty for none.
  public let body: [UInt8]

  /// The bounds in time and memory that the caller gave.
  public let limits: TransportLimits

  /// Makes the record of one request.
  public init(_ request: HTTPRequest, body: [UInt8] = [], limits: TransportLimits = .default) {
    self.request = request
    self.body = body
    self.limits = limits
  }

  /// The request's method.
  public var method: HTTPRequest.Method { request.method }

  /// The scheme, such as `https`; `nil` if the request names none.
  public var scheme: String? { request.scheme }

  /// The authority without its port and user information, in lower case; `nil` if there is none.
  public var host: String? { request.authority.map { Authority($0).host } }

  /// The path without query and fragment, still percent-encoded; `/` if the request has none.
  public var path: String {
    let path = String((request.path ?? "/").prefix { $0 != "?" && $0 != "#" })
    return path.isEmpty ? "/" : path
  }

  /// The query's items in order, percent-decoded; empty if there is no query.
  public var queryItems: [QueryItem] { QueryItem.items(inPath: request.path ?? "") }

  /// The first value of the query item of that name; `nil` if there is none.
  public func queryValue(_ name: String) -> String? {
    queryItems.first { $0.name == name }?.value
  }

  /// The body as text, malformed UTF-8 repaired.
  public var bodyText: String { String(decoding: body, as: UTF8.self) }

  /// Reads the body as JSON.
  ///
  /// - Throws: ``JSONSyntaxError`` with line and column if it is not JSON.
  public func bodyJSON() throws(JSONSyntaxError) -> JSONValue { try JSONValue(parsing: body) }
}

extension SentRequest: CustomStringConvertible {
  /// Method and URL in one line, the values of secret query items replaced.
  public var description: String {
    let place =
      (scheme.map { "\($0)://" } ?? "") + (request.authority.map { Authority($0).display } ?? "")
    let query = queryItems.map(\.description).joined(separator: "&")
    return "\(method.rawValue) \(place)\(path)" + (query.isEmpty ? "" : "?\(query)")
  }
}
