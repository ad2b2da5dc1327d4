import Foundation
package import NIOSSL

/// A self-signed certificate for `localhost` and 127.0.0.1, **for tests only**: its private key is public, here,
/// and protects nothing.
///
/// Made once with `openssl ecparam -name prime256v1 -genkey` and `openssl req -x509 -days 36500`.
package enum LoopbackCertificate {
  private static let certificateDER = """
    MIIBszCCAVmgAwIBAgIUWBynlIaS4gHoyS7pw2cSF996hqYwCgYIKoZIzj0EAwIwIDEeMBwGA1UEAwwVbWF0aW5lZSBsb29w
    YmFjayB0ZXN0MCAXDTI2MTEyMTA4NDk1M1oYDzIxMjYxMDI4MDg0OTUzWjAgMR4wHAYDVQQDDBVtYXRpbmVlIGxvb3BiYWNr
    IHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATOAfZiaH1xypDPm5X72qeAMC4hQrkE3n+r4qVPns9kG00A68tR7wY0
    INQBefmH/3aFwEXpBPZaUmxHv4e2X3Rso28wbTAdBgNVHQ4EFgQU/DIprS30imoTeeSjs+xwVaXEW8owHwYDVR0jBBgwFoAU
    /DIprS30imoTeeSjs+xwVaXEW8owGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZI
    zj0EAwIDSAAwRQIgA5cLqK3tNtZhCmA6u1aZGZIatVZkBu6jRFkuh57r3R0CIQCF8TEFabC/1r7PcyOd7MUFHCdD1xmpeXgG
    EF2Wgc2m2A==
    """

  private static let testOnlyKeyDER = """
    MHcCAQEEICCThc5LxGRsqQ+06UPrZHBOZ6BuQe54XZM3mmND99g9oAoGCCqGSM49AwEHoUQDQgAEzgH2Ymh9ccqQz5uV+9qn
    gDAuIUK5BN5/q+KlT57PZBtNAOvLUe8GNCDUAXn5h/92hcBF6QT2WlJsR7+Htl90bA==
    """

  /// The certificate, for a client that is to trust it.
  package static func certificate() throws -> NIOSSLCertificate {
    try NIOSSLCertificate(bytes: decoded(certificateDER), format: .der)
  }

  static func serverContext() throws -> NIOSSLContext {
    let key = try NIOSSLPrivateKey(bytes: decoded(testOnlyKeyDER), format: .der)
    return try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: [.certificate(certificate())], privateKey: .privateKey(key)))
  }

  private static func decoded(_ base64: String) -> [UInt8] {
    Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
  }
}
