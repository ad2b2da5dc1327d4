/// The name under which a transport introduces itself.
package enum UserAgent {
  /// This package's version ([Semantic Versioning](https://semver.org)).
  package static let version = "0.1.0"

  /// The value of `User-Agent` for a request that has none
  /// ([RFC 9110, 10.1.5](https://www.rfc-editor.org/rfc/rfc9110#section-10.1.5)).
  package static let value = "matinee/\(version)"
}
