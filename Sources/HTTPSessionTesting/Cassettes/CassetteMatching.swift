import HTTPTypes

/// The parts of a request in which it must equal the recorded one, both with their secrets replaced.
public struct CassetteMatching: OptionSet, Sendable {
  /// The bits of the parts.
  public let rawValue: Int

  /// Makes a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The method.
  public static let method = CassetteMatching(rawValue: 1)
  /// The scheme, case ignored.
  public static let scheme = CassetteMatching(rawValue: 2)
  /// Host and port, case ignored.
  public static let host = CassetteMatching(rawValue: 4)
  /// The path, percent-decoded.
  public static let path = CassetteMatching(rawValue: 8)
  /// The query's items in any order.
  public static let query = CassetteMatching(rawValue: 16)
  /// The body: equal bytes, or equal as JSON.
  public static let body = CassetteMatching(rawValue: 32)

  /// All the parts there are; header fields are never compared.
  public static let `default`: CassetteMatching = [.method, .scheme, .host, .path, .query, .body]

  /// The rule that a request equals `recorded` in these parts.
  func matcher(for recorded: SentRequest) -> RequestMatcher {
    var matcher = RequestMatcher.any
    if contains(.method) { matcher = matcher && .method(recorded.method) }
    if contains(.scheme), let scheme = recorded.scheme { matcher = matcher && .scheme(scheme) }
    if contains(.host), let authority = recorded.request.authority {
      matcher =
        matcher
        && .value("host and port", Authority(authority).display) {
          $0.request.authority.map { Authority($0).display }
        }
    }
    if contains(.path) { matcher = matcher && .path(recorded.path) }
    if contains(.query) { matcher = matcher && .query(recorded.queryItems) }
    guard contains(.body) else { return matcher }
    return matcher && .sameBody(as: recorded)
  }
}

extension RequestMatcher {
  fileprivate static func sameBody(as recorded: SentRequest) -> RequestMatcher {
    let json = try? recorded.bodyJSON()
    return RequestMatcher("body is as recorded (\(recorded.body.count) bytes)") { request in
      if request.body == recorded.body { return nil }
      if let json, let other = try? request.bodyJSON(), other == json { return nil }
      return "it has \(request.body.count) other bytes"
    }
  }
}
