/// One thing that a server can be asked: where, how, and what comes back.
public struct Endpoint<Response: Decodable & Sendable>: Sendable {
  /// The methods this client knows.
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case delete = "DELETE"
  }

  /// The server, such as `https://api.example`.
  public var base: String
  /// The path below the base, such as `/notes/1`.
  public var path: String
  /// The query's items, in order.
  public var query: [(name: String, value: String)]
  /// How to ask.
  public var method: Method
  /// Header fields besides those of the body.
  public var headers: [String: String]
  /// What to send, as JSON; `nil` for nothing.
  public var body: (any Encodable & Sendable)?

  /// Makes an endpoint.
  public init(
    _ method: Method = .get, base: String, path: String,
    query: [(name: String, value: String)] = [],
    headers: [String: String] = [:], body: (any Encodable & Sendable)? = nil
  ) {
    self.method = method
    self.base = base
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }
}

/// What an endpoint returns that returns nothing, such as `204 No Content`.
public struct NoContent: Decodable, Hashable, Sendable {
  /// Makes nothing.
  public init() {}
}
