/// A host that does not resolve, and that no name server is asked about.
package enum UnresolvableHost {
  /// A name whose first label is longer than the 63 bytes that DNS allows
  /// ([RFC 1035, 2.3.4](https://www.rfc-editor.org/rfc/rfc1035)), so that a resolver refuses it by itself.
  package static let name = String(repeating: "a", count: 64) + ".invalid"
}
