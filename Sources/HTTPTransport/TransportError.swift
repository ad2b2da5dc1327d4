/// Why there is no reply: the one error of every transport.
///
/// It is matched by ``code``. It names the host and the path, never the query: a query may carry a key.
public struct TransportError: Error, Hashable, Sendable {
  /// What went wrong, as an open set: a later version may add codes.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code's stable name.
    public let rawValue: String

    /// Makes a code from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code's stable name.
    public var description: String { rawValue }

    /// The machine has no route to any network.
    public static let offline = Code(rawValue: "offline")
    /// The host's name did not resolve.
    public static let hostNotFound = Code(rawValue: "hostNotFound")
    /// The host answered that nothing listens there.
    public static let connectionRefused = Code(rawValue: "connectionRefused")
    /// The connection was reset, or closed before a whole head had come.
    public static let connectionLost = Code(rawValue: "connectionLost")
    /// The deadline of ``TransportLimits/total`` or ``TransportLimits/connect`` passed.
    public static let timeout = Code(rawValue: "timeout")
    /// The TLS handshake failed, or the certificate is not trusted for the host.
    public static let tls = Code(rawValue: "tls")
    /// What came back is not HTTP, or breaks its framing.
    public static let malformedResponse = Code(rawValue: "malformedResponse")
    /// The body ended before its announced length.
    public static let truncatedBody = Code(rawValue: "truncatedBody")
    /// The body is larger than ``TransportLimits`` allow, on the wire or decoded; or the head is beyond reason.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The transport followed a redirect, against the rules of ``HTTPSession``: the answer is another place's.
    public static let unexpectedRedirect = Code(rawValue: "unexpectedRedirect")
    /// The request itself cannot be sent: no host, or a scheme or address that is refused.
    public static let invalidRequest = Code(rawValue: "invalidRequest")
    /// The calling task was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The transport was shut down.
    public static let shutDown = Code(rawValue: "shutDown")
    /// Anything that has no code of its own.
    public static let other = Code(rawValue: "other")
  }

  /// What went wrong.
  public let code: Code

  /// Host, and port if one was given; `nil` if the request had none.
  public let host: String?

  /// The path without its query; `nil` if the request had none.
  public let path: String?

  /// One sentence for a person: what happened; free of the query.
  public let detail: String

  /// Makes an error; anything after a `?` in `path`, and user information in `host`, is dropped.
  public init(_ code: Code, host: String?, path: String?, detail: String) {
    self.code = code
    self.host = host.map { host in
      guard let at = host.lastIndex(of: "@") else { return host }
      return String(host[host.index(after: at)...])
    }
    self.path = path.map { String($0.prefix { $0 != "?" && $0 != "#" }) }
    self.detail = detail
  }
}

extension TransportError: CustomStringConvertible {
  /// Code, place and detail in one line.
  public var description: String {
    let place = (host ?? "") + (path ?? "")
    return place.isEmpty ? "\(code): \(detail)" : "\(code) at \(place): \(detail)"
  }
}
