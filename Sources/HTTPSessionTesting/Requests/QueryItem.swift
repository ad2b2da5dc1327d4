/// A name and a value of a URL's query, percent-decoded.
public struct QueryItem: Hashable, Sendable {
  /// The item's name.
  public let name: String

  /// The item's value; `nil` if there was no `=`.
  public let value: String?

  /// Makes an item.
  public init(_ name: String, _ value: String?) {
    self.name = name
    self.value = value
  }

  /// Reads the items of the query in `path`, as [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986) has them:
  /// a `+` stands for itself.
  static func items(inPath path: String) -> [QueryItem] {
    let withoutFragment = path.prefix { $0 != "#" }
    guard let mark = withoutFragment.firstIndex(of: "?") else { return [] }
    return withoutFragment[withoutFragment.index(after: mark)...].split(separator: "&").map {
      pair in
      guard let equals = pair.firstIndex(of: "=") else {
        return QueryItem(PercentCoding.decode(pair), nil)
      }
      return QueryItem(
        PercentCoding.decode(pair[..<equals]),
        PercentCoding.decode(pair[pair.index(after: equals)...]))
    }
  }
}

extension QueryItem: CustomStringConvertible {
  /// `name=value`, the value replaced if the name says that it is a secret.
  public var description: String {
    guard let value else { return name }
    return "\(name)=\(SecretName.isSecret(name) ? SecretName.mask : value)"
  }
}

/// Percent-coding of [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986#section-2.1).
enum PercentCoding {
  /// Decodes `%XX`; what is no such triplet stays as it is.
  static func decode(_ text: some StringProtocol) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    let bytes = Array(text.utf8)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Encodes everything but the unreserved characters.
  static func encode(_ text: some StringProtocol) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let hex = String(byte, radix: 16, uppercase: true)
        encoded += hex.count == 1 ? "%0\(hex)" : "%\(hex)"
      }
    }
    return encoded
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

/// The names whose values never appear in an error, a log or a description.
enum SecretName {
  /// What stands for a secret's value.
  static let mask = "REDACTED"

  /// Names of query items and header fields that carry secrets, in lower case.
  static let names: Set<String> = [
    "key", "apikey", "api_key", "api-key", "x-api-key", "access_token", "refresh_token", "id_token",
    "token",
    "auth", "authorization", "proxy-authorization", "cookie", "set-cookie", "password", "passwd",
    "secret",
    "client_secret", "signature", "sig", "servicekey",
  ]

  static func isSecret(_ name: String) -> Bool { names.contains(name.lowercased()) }
}
