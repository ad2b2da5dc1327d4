#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A host that is an address and no name, in whatever spelling the resolver takes for one.
///
/// `169.254.169.254` may also be written `0xa9fea9fe`, `2852039166`, `169.254.43518` or
/// `::ffff:169.254.169.254`. A guard that compares text misses those, so the host goes through the parsers that
/// `getaddrinfo` uses itself, and the guard looks at the bytes.
package enum IPAddressLiteral: Hashable, Sendable {
  /// The four bytes of an IPv4 address, as a number.
  case v4(UInt32)
  /// The sixteen bytes of an IPv6 address.
  case v6([UInt8])

  /// Reads a literal; `nil` if `host` is a name.
  ///
  /// - Parameter host: A host without port and brackets. A zone (`%eth0`) and the root's dot at the end, which
  ///   some clients strip, are left out of account.
  package init?(_ host: String) {
    let host = host.hasSuffix(".") ? String(host.dropLast()) : host
    if host.contains(":") {
      var address = in6_addr()
      guard inet_pton(AF_INET6, String(host.prefix { $0 != "%" }), &address) == 1 else { return nil }
      self = .v6(withUnsafeBytes(of: address) { Array($0) })
    } else {
      var address = in_addr()
      guard inet_aton(host, &address) != 0 else { return nil }
      self = .v4(UInt32(bigEndian: address.s_addr))
    }
  }

  /// Whether it leads back to this machine: 127.0.0.0/8, `::1`, and the former mapped into IPv6.
  ///
  /// What is to be let through is judged more narrowly than what is to be refused: the address that a gateway would
  /// translate (`64:ff9b::7f00:1`) and the compatible one (`::127.0.0.1`) leave this machine.
  package var isLoopback: Bool {
    switch self {
    case .v4(let address): return address >> 24 == 127
    case .v6(let bytes):
      let zeros = [UInt8](repeating: 0, count: 10)
      return bytes == zeros + [0, 0, 0, 0, 0, 1] || bytes.starts(with: zeros + [0xff, 0xff, 127])
    }
  }

  /// Whether it is of the local link, where clouds keep their metadata: 169.254.0.0/16, `fe80::/10`, and the
  /// former mapped into IPv6.
  package var isLinkLocal: Bool {
    if let embedded = embeddedV4 { return embedded >> 16 == 0xa9fe }
    if case .v6(let bytes) = self { return bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80 }
    return false
  }

  /// The IPv4 address, plain or within an IPv6 one: mapped (`::ffff:0:0/96`), compatible (`::/96`, deprecated),
  /// or translated (`64:ff9b::/96`).
  private var embeddedV4: UInt32? {
    switch self {
    case .v4(let address): return address
    case .v6(let bytes):
      let zeros = [UInt8](repeating: 0, count: 10)
      let prefix = Array(bytes.prefix(12))
      let isEmbedded =
        prefix == zeros + [0xff, 0xff] || prefix == zeros + [0, 0]
        || prefix == [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]
      let address = bytes.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
      return isEmbedded && address > 1 ? address : nil
    }
  }
}
