import Foundation
package import NIOSSL

/// A self-signed certificate for `localhost`, not for 127.0.0.1, **for tests only**: its private key is public,
/// here, and protects nothing.
///
/// Made once with `openssl ecparam -name prime256v1 -genkey` and `openssl req -x509 -days 36500`.
package enum LoopbackCertificate {
  private static let certificateDER = """
    MIIBrTCCAVOgAwIBAgIUctOFNQ/y4HDfXnJxbNAvGHd7ddowCgYIKoZIzj0EAwIwIDEeMBwGA1UEAwwVbWF0aW5lZSBsb29w
    YmFjayB0ZXN0MCAXDTI2MTEyMTA5MTc0OFoYDzIxMjYxMDI4MDkxNzQ4WjAgMR4wHAYDVQQDDBVtYXRpbmVlIGxvb3BiYWNr
    IHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATOAfZiaH1xypDPm5X72qeAMC4hQrkE3n+r4qVPns9kG00A68tR7wY0
    INQBefmH/3aFwEXpBPZaUmxHv4e2X3Rso2kwZzAdBgNVHQ4EFgQU/DIprS30imoTeeSjs+xwVaXEW8owHwYDVR0jBBgwFoAU
    /DIprS30imoTeeSjs+xwVaXEW8owFAYDVR0RBA0wC4IJbG9jYWxob3N0MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwID
    SAAwRQIgC1gOuveFAkEmRxtoWw/BBXEJmJbonFggXZYmS9GZ91MCIQDcL6FEflHxc2NDIQM9Mpx1MlXVMKI+WHvRX0D2qqHu
    DA==
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
