/// The parts of a request's authority.
struct Authority {
  /// The host in lower case, brackets of an IPv6 address kept.
  let host: String
  /// The port as written; `nil` if there is none.
  let port: String?

  init(_ authority: String) {
    let place = authority.split(separator: "@").last.map(String.init) ?? authority
    let afterAddress = place.lastIndex(of: "]") ?? place.startIndex
    if let colon = place[afterAddress...].lastIndex(of: ":") {
      host = place[..<colon].lowercased()
      port = String(place[place.index(after: colon)...])
    } else {
      host = place.lowercased()
      port = nil
    }
  }

  /// Host and port without user information, which may hold a password.
  var display: String { host + (port.map { ":\($0)" } ?? "") }

  /// The authority of a URL's host and port; an IPv6 address gets its brackets back, which `URL` takes away
  /// ([RFC 3986](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2)).
  static func text(host: String, port: Int?) -> String {
    let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    return port.map { "\(host):\($0)" } ?? host
  }

  /// Whether `host` is an IP address, not a name: nobody has to resolve it.
  static func isAddress(_ host: String?) -> Bool {
    guard let host else { return false }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return host.hasPrefix("[") || (numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil })
  }
}
