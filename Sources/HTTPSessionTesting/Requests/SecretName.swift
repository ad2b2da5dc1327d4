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

  /// Names of JSON members that carry secrets: fewer than for queries, where `key` seldom means anything else.
  static let memberNames = names.subtracting(["key", "auth", "sig", "signature", "cookie"])

  static func isSecret(_ name: String) -> Bool { names.contains(name.lowercased()) }
}
