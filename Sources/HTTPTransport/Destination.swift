package import HTTPTypes

/// Where a request goes, checked before anything is dialled.
///
/// A refused destination is a ``TransportError`` of code ``TransportError/Code/invalidRequest``. A *name* that
/// resolves to a refused address is not caught here: only literals are looked at.
package struct Destination: Hashable, Sendable {
  /// `http` or `https`.
  package let scheme: String
  /// Name or address, without brackets.
  package let host: String
  /// The whole URL; it holds the query, and so must not be shown.
  package let url: String

  /// Checks a request's scheme, authority and path.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - allowsPlainHTTP: Whether `http` may go to hosts other than this machine.
  package init(of request: HTTPRequest, allowsPlainHTTP: Bool) throws(TransportError) {
    func refusal(_ detail: String) -> TransportError {
      TransportError(.invalidRequest, for: request, detail: detail)
    }
    let scheme = request.scheme?.lowercased() ?? ""
    guard scheme == "http" || scheme == "https" else {
      throw refusal("the scheme must be http or https")
    }
    guard request.method != .connect else { throw refusal("CONNECT is not supported") }
    guard let authority = request.authority, let host = Self.host(in: authority) else {
      throw refusal("the authority must be a host and perhaps a port, without user information")
    }
    guard let path = request.path, path.hasPrefix("/"), path.utf8.allSatisfy(Self.isAllowedInTarget) else {
      throw refusal("the path must begin with / and be percent-encoded, without a fragment")
    }
    let literal = IPAddressLiteral(host)
    guard literal?.isLinkLocal != true else { throw refusal("a link-local address is refused") }
    guard scheme == "https" || allowsPlainHTTP || literal?.isLoopback == true || Self.isLocalhost(host) else {
      throw refusal("plain http is allowed to this machine only; use https")
    }
    self.scheme = scheme
    self.host = host
    self.url = "\(scheme)://\(authority)\(path)"
  }

  private static func isLocalhost(_ host: String) -> Bool {
    let name = host.lowercased()
    return name == "localhost" || name == "localhost."
  }

  /// Visible ASCII but `#`, which would begin a fragment, and `\`, which some parsers take for `/`.
  private static func isAllowedInTarget(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "#") && byte != UInt8(ascii: "\\")
  }

  /// The host of `host`, `host:port`, `[address]` or `[address]:port`; `nil` if it is none of these.
  private static func host(in authority: String) -> String? {
    let host: Substring
    let rest: Substring
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[authority.index(after: authority.startIndex)..<end]
      rest = authority[authority.index(after: end)...]
      guard host.contains(":"), host.allSatisfy(\.isAllowedInAddress) else { return nil }
    } else {
      let end = authority.firstIndex(of: ":") ?? authority.endIndex
      host = authority[..<end]
      rest = authority[end...]
      guard !host.isEmpty, host.allSatisfy(\.isAllowedInName) else { return nil }
    }
    guard rest.isEmpty || isPort(rest) else { return nil }
    return String(host)
  }

  /// Whether `text` is a colon and a port from 1 to 65535.
  private static func isPort(_ text: Substring) -> Bool {
    let digits = text.dropFirst()
    guard text.first == ":", digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return false }
    return UInt16(digits).map { $0 > 0 } ?? false
  }
}

extension Character {
  /// Letters, digits, `-`, `.` and `_`: no percent-encoding, which could hide an address.
  fileprivate var isAllowedInName: Bool {
    isASCII && (isLetter || isNumber || self == "-" || self == "." || self == "_")
  }

  fileprivate var isAllowedInAddress: Bool { isHexDigit && isASCII || self == ":" || self == "." }
}
