public import Foundation
public import HTTPTransport

/// One way in which a network fails an exchange.
///
/// Each has the `TransportError` that this package's transports give for it, and the `URLError` that
/// URLSession on Linux gives, measured against a server that misbehaves so.
public struct Fault: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// When in the exchange it strikes.
  enum Moment: Sendable {
    /// Before the upstream saw the request.
    case beforeSending
    /// After the upstream saw it: a quota is spent, a record is made.
    case afterSending
  }

  /// The fault's stable name.
  public let rawValue: String

  /// Makes a fault from its stable name; one that ``all`` does not have fails as `other`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The fault's stable name.
  public var description: String { rawValue }

  /// The host's name does not resolve.
  public static let hostNotFound = Fault(rawValue: "hostNotFound")
  /// Nothing listens at the port.
  public static let connectionRefused = Fault(rawValue: "connectionRefused")
  /// The connection is reset before the response's head.
  public static let resetBeforeHead = Fault(rawValue: "resetBeforeHead")
  /// The connection is reset in the middle of the body.
  public static let resetInBody = Fault(rawValue: "resetInBody")
  /// Connecting takes longer than the deadline.
  public static let timeout = Fault(rawValue: "timeout")
  /// The response starts and then stops coming, until the deadline.
  public static let stall = Fault(rawValue: "stall")
  /// The body ends before its announced length.
  public static let truncatedBody = Fault(rawValue: "truncatedBody")
  /// A chunk of the body breaks the chunked coding.
  public static let malformedChunk = Fault(rawValue: "malformedChunk")
  /// The connection is closed without a byte of response.
  public static let emptyReply = Fault(rawValue: "emptyReply")
  /// What comes back is not HTTP.
  public static let notHTTP = Fault(rawValue: "notHTTP")
  /// The TLS handshake fails, or the certificate is not trusted.
  public static let tlsFailure = Fault(rawValue: "tlsFailure")
  /// The machine has no network: there is no route to the address.
  ///
  /// On Linux only an address shows that it is so. A name does not resolve then, which looks as ``hostNotFound``
  /// does; and URLSession has no code for a missing route, so it gives `unknown` for an address and
  /// `cannotFindHost` for a name, never `notConnectedToInternet` (measured in a network namespace without routes).
  public static let offline = Fault(rawValue: "offline")
  /// The exchange is cancelled from within, as when a session is torn down.
  public static let cancelled = Fault(rawValue: "cancelled")

  /// Every fault there is.
  public static let all: [Fault] = [
    .hostNotFound, .connectionRefused, .resetBeforeHead, .resetInBody, .timeout, .stall,
    .truncatedBody,
    .malformedChunk, .emptyReply, .notHTTP, .tlsFailure, .offline, .cancelled,
  ]

  /// The code that a transport of this package gives for it.
  public var transportCode: TransportError.Code {
    switch self {
    case .hostNotFound: .hostNotFound
    case .connectionRefused: .connectionRefused
    case .resetBeforeHead, .resetInBody, .emptyReply: .connectionLost
    case .timeout, .stall: .timeout
    case .truncatedBody: .truncatedBody
    case .malformedChunk, .notHTTP: .malformedResponse
    case .tlsFailure: .tls
    case .offline: .offline
    case .cancelled: .cancelled
    default: .other
    }
  }

  /// The code that URLSession on Linux gives for it; for ``offline`` the one of a host that has a name.
  public var urlErrorCode: URLError.Code {
    switch self {
    case .emptyReply: .badServerResponse
    case .notHTTP: .unsupportedURL
    case .truncatedBody, .malformedChunk, .tlsFailure: .unknown
    default: Self.urlErrorCode(for: transportCode)
    }
  }

  /// The code that URLSession on Linux gives where a transport of this package gives `code`.
  static func urlErrorCode(for code: TransportError.Code) -> URLError.Code {
    switch code {
    case .hostNotFound: .cannotFindHost
    case .connectionRefused: .cannotConnectToHost
    case .connectionLost: .networkConnectionLost
    case .timeout: .timedOut
    case .offline: .cannotFindHost
    case .cancelled: .cancelled
    case .invalidRequest: .badURL
    case .tooLarge: .dataLengthExceedsMaximum
    case .unexpectedRedirect: .httpTooManyRedirects
    default: .unknown
    }
  }

  var moment: Moment {
    switch self {
    case .resetInBody, .stall, .truncatedBody, .malformedChunk: .afterSending
    default: .beforeSending
    }
  }

  var isSlow: Bool { self == .timeout || self == .stall }
}

extension Fault {
  /// The error that a transport gives for it, or URLSession if the request came through one.
  func error(for request: SentRequest, note: String = "") -> any Error {
    if ClientKind.current == .urlSession {
      let isUnroutable = self == .offline && Authority.isAddress(request.host)
      return URLError(isUnroutable ? .unknown : urlErrorCode)
    }
    return TransportError(
      transportCode, for: request.request, detail: "Injected fault: \(rawValue).\(note)")
  }
}
