/// The address under which KOBIS's services lie: scheme, host, port and path, without a query.
public struct KOBISBase: Hashable, Sendable {
  /// `https` or `http`.
  public let scheme: String

  /// The host, and `:port` if one was given.
  public let authority: String

  /// The path, with a slash before and none behind; empty for the root.
  public let path: String

  /// KOBIS itself, over https.
  public static let official = KOBISBase(
    scheme: "https", authority: "kobis.or.kr", path: "/kobisopenapi/webservice/rest")

  private init(scheme: String, authority: String, path: String) {
    self.scheme = scheme
    self.authority = authority
    self.path = path
  }

  /// Reads an address such as `http://127.0.0.1:8080/` or `https://kobis.or.kr/kobisopenapi/webservice/rest`, with
  /// or without slashes at its end.
  ///
  /// Whether plain http may be spoken to the host is the transport's decision.
  ///
  /// - Throws: ``KOBISError`` of code ``KOBISError/Code/malformedBase`` for another scheme, no host, a malformed
  ///   port, user information, a query or a fragment. The error does not hold the text, which might hold a key.
  public init(_ text: some StringProtocol) throws(KOBISError) {
    func refusal(_ detail: String) -> KOBISError {
      KOBISError(.malformedBase, "the upstream's address \(detail); it looks like https://host[:port]/path")
    }
    let text = String(text)
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw refusal("holds white space, a control character or one outside ASCII")
    }
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
      throw refusal("has no scheme")
    }
    scheme = text[..<colon].lowercased()
    guard scheme == "https" || scheme == "http" else { throw refusal("is neither http nor https") }
    let rest = text[text.index(colon, offsetBy: 3)...]
    guard !rest.contains(where: { $0 == "?" || $0 == "#" }) else {
      throw refusal("has a query or a fragment")
    }
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    authority = rest[..<slash].lowercased()
    guard !authority.contains("@") else { throw refusal("holds a user's name") }
    guard Self.isHostAndPort(authority) else { throw refusal("has no host, or a malformed one or port") }
    var path = rest[slash...]
    while path.hasSuffix("/") { path.removeLast() }
    self.path = String(path)
  }

  /// Whether `text` is a host name, an IPv4 address or a bracketed IPv6 address, and a port or none.
  private static func isHostAndPort(_ text: String) -> Bool {
    var host = Substring(text)
    var port: Substring?
    if text.hasPrefix("[") {
      guard let bracket = text.firstIndex(of: "]") else { return false }
      host = text[text.index(after: text.startIndex)..<bracket]
      let rest = text[text.index(after: bracket)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return false }
      port = rest.isEmpty ? nil : rest.dropFirst()
      guard host.contains(":"), host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else {
        return false
      }
    } else {
      if let colon = text.firstIndex(of: ":") {
        host = text[..<colon]
        port = text[text.index(after: colon)...]
      }
      guard host.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." || $0 == "_" }) else {
        return false
      }
    }
    if let port {
      guard port.allSatisfy(\.isNumber), let number = UInt16(port), number > 0 else { return false }
    }
    return !host.isEmpty
  }
}

extension KOBISBase: CustomStringConvertible {
  /// The address as text.
  public var description: String { "\(scheme)://\(authority)\(path)" }
}
