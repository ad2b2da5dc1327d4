import Foundation
import HTTPTransport
import HTTPTypes

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Every sentence here is fixed: Foundation puts the whole URL, and so the key, into its errors, and nothing of
// them is quoted.
extension TransportError {
  static func cancelled(_ request: HTTPRequest) -> TransportError {
    TransportError(.cancelled, for: request, detail: "the calling task was cancelled")
  }

  static func shutDown(_ request: HTTPRequest) -> TransportError {
    TransportError(.shutDown, for: request, detail: "the session was shut down")
  }

  static func tooLarge(_ request: HTTPRequest, byteCountMax: Int) -> TransportError {
    TransportError(.tooLarge, for: request, detail: "the body is larger than \(byteCountMax) bytes")
  }

  static func unexpectedRedirect(_ request: HTTPRequest) -> TransportError {
    TransportError(
      .unexpectedRedirect, for: request,
      detail: "the session followed a redirect; give it a delegate that refuses them")
  }

  /// Judges what ended an exchange.
  init(caught error: any Error, for request: HTTPRequest, limits: TransportLimits) {
    if Task.isCancelled {
      self = .cancelled(request)
    } else if error is DeadlinePassed {
      self.init(.timeout, for: request, detail: "no whole reply within \(limits.total)")
    } else {
      self.init(foundation: error, for: request, at: .unknown)
    }
  }

  /// Judges an error of Foundation's by its code.
  ///
  /// - Parameter stage: How far the exchange had come; it decides what `URLError.unknown` means.
  init(foundation error: any Error, for request: HTTPRequest, at stage: ExchangeStage) {
    if let error = error as? TransportError {
      self = error
      return
    }
    let underlying = error as NSError
    guard underlying.domain == NSURLErrorDomain else {
      self.init(.other, for: request, detail: "the exchange failed in \(type(of: error))")
      return
    }
    let code = URLError.Code(rawValue: underlying.code)
    let verdict =
      code == .unknown ? Self.verdict(onUnknownAt: stage, of: request) : code.flatMap { Self.verdicts[$0] }
    if let verdict {
      self.init(verdict.code, for: request, detail: verdict.detail)
    } else {
      self.init(.other, for: request, detail: "Foundation reported URL error \(underlying.code)")
    }
  }

  private typealias Verdict = (code: Code, detail: String)

  /// What `URLError.unknown` means: on Linux it stands for all that libcurl complains of and Foundation has no
  /// code for, which is TLS, broken framing, and a body that ends too early. Only the message tells them apart,
  /// and messages are not matched.
  private static func verdict(onUnknownAt stage: ExchangeStage, of request: HTTPRequest) -> Verdict {
    let isSecure = request.scheme?.lowercased() == "https"
    switch stage {
    case .beforeHead where isSecure:
      return (.tls, "the TLS handshake failed, or the certificate is not trusted")
    case .unknown where isSecure:
      return (.other, "the TLS handshake failed, or what came back breaks HTTP's framing")
    case .bodyShort: return (.truncatedBody, "the connection was closed before the body's end")
    default: return (.malformedResponse, "what came back breaks HTTP's framing")
    }
  }

  /// What the codes mean, as measured on Linux.
  private static let verdicts: [URLError.Code: Verdict] = [
    .cannotFindHost: (.hostNotFound, "the host's name did not resolve"),
    .dnsLookupFailed: (.hostNotFound, "the host's name did not resolve"),
    .cannotConnectToHost: (.connectionRefused, "nothing listens there"),
    .networkConnectionLost: (.connectionLost, "the connection was reset"),
    .badServerResponse: (.connectionLost, "the connection was closed before a whole head"),
    .notConnectedToInternet: (.offline, "there is no network"),
    .timedOut: (.timeout, "no reply within the limit"),
    .httpTooManyRedirects: (.unexpectedRedirect, "the session followed redirects in a loop"),
    .cancelled: (.cancelled, "the exchange was cancelled"),
    // A scheme of ours is always supported: Foundation says this of an answer that is not HTTP.
    .unsupportedURL: (.malformedResponse, "what came back is not HTTP"),
    .cannotParseResponse: (.malformedResponse, "what came back is not HTTP"),
    .cannotDecodeContentData: (.malformedResponse, "the body is not what its content coding says"),
    .cannotDecodeRawData: (.malformedResponse, "the body is not what its content coding says"),
    .badURL: (.invalidRequest, "Foundation cannot send to this URL"),
    .dataLengthExceedsMaximum: (.tooLarge, "the body is larger than Foundation takes"),
    .secureConnectionFailed: (.tls, "the TLS handshake failed"),
    .serverCertificateUntrusted: (.tls, "the certificate is not trusted"),
    .serverCertificateHasBadDate: (.tls, "the certificate is out of date"),
    .serverCertificateNotYetValid: (.tls, "the certificate is not valid yet"),
    .serverCertificateHasUnknownRoot: (.tls, "the certificate is not trusted"),
    .clientCertificateRejected: (.tls, "the TLS handshake failed"),
    .clientCertificateRequired: (.tls, "the server asks for a certificate"),
  ]
}
