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
