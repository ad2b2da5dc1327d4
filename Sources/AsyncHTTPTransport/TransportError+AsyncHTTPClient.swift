import AsyncHTTPClient
import HTTPTransport
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// Every sentence here is fixed: an error of a layer below is judged by its type and never quoted, as it might
// hold the URL.
extension TransportError {
  static func cancelled(_ request: HTTPRequest) -> TransportError {
    TransportError(.cancelled, for: request, detail: "the calling task was cancelled")
  }

  static func shutDown(_ request: HTTPRequest) -> TransportError {
    TransportError(.shutDown, for: request, detail: "the session was shut down")
  }

  static func deadlinePassed(_ request: HTTPRequest, _ limits: TransportLimits) -> TransportError {
    TransportError(.timeout, for: request, detail: "no whole reply within \(limits.total)")
  }

  static func tooLarge(_ request: HTTPRequest, byteCountMax: Int) -> TransportError {
    TransportError(.tooLarge, for: request, detail: "the body is larger than \(byteCountMax) bytes")
  }

  /// Judges an error of AsyncHTTPClient or of a layer below it.
  init(client error: any Error, for request: HTTPRequest, isHeadReceived: Bool) {
    let verdict: Verdict
    switch error {
    case let error as TransportError:
      self = error
      return
    case let error as HTTPClientError: verdict = Verdict(error, isHeadReceived: isHeadReceived)
    case let error as NIOConnectionError: verdict = Verdict(error)
    case let error as HTTPParserError: verdict = Verdict(error, isHeadReceived: isHeadReceived)
    case let error as NIOSSLError: verdict = Verdict(error, isHeadReceived: isHeadReceived)
    case is NIOSSLExtraError, is BoringSSLError: verdict = .untrusted
    case let error as IOError: verdict = Verdict(errorNumber: error.errnoCode)
    case let error as ChannelError: verdict = Verdict(error)
    case is SocketAddressError: verdict = .unresolved
    case let error as NIOHTTPDecompression.DecompressionError where error == .limit:
      verdict = Verdict(.tooLarge, "the body is too large once its content coding is undone")
    case is NIOHTTPDecompression.DecompressionError:
      verdict = Verdict(.malformedResponse, "the body is not what its content coding says")
    case let error as NIOHTTPDecompression.ExtraDecompressionError where error == .truncatedData:
      verdict = Verdict(.truncatedBody, "the body's content coding ends too early")
    case is NIOHTTPDecompression.ExtraDecompressionError:
      verdict = Verdict(.malformedResponse, "the body goes on after its content coding's end")
    case is CancellationError: verdict = .cancelled
    default: verdict = Verdict(.other, "the exchange failed in \(type(of: error))")
    }
    self.init(verdict.code, for: request, detail: verdict.detail)
  }
}

/// What an error below comes to.
private struct Verdict {
  var code: TransportError.Code
  var detail: String

  init(_ code: TransportError.Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  static let cancelled = Verdict(.cancelled, "the exchange was cancelled")
  static let untrusted = Verdict(.tls, "the TLS handshake failed, or the certificate is not trusted")
  static let unresolved = Verdict(.hostNotFound, "the host's name did not resolve")
  static let closedBeforeHead = Verdict(.connectionLost, "the connection was closed before a whole head")
  static let truncated = Verdict(.truncatedBody, "the connection was closed before the body's end")

  init(_ error: HTTPClientError, isHeadReceived: Bool) {
    switch error {
    case .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout:
      self.init(.timeout, "no connection within the limit")
    case .readTimeout, .writeTimeout, .deadlineExceeded:
      self.init(.timeout, "no reply within the limit")
    case .remoteConnectionClosed:
      self = isHeadReceived ? .truncated : .closedBeforeHead
    case .cancelled, .requestStreamCancelled:
      self = .cancelled
    case .alreadyShutdown:
      self.init(.shutDown, "the session was shut down")
    case .invalidURL, .emptyHost, .emptyScheme, .identityCodingIncorrectlyPresent, .traceRequestWithBody,
      .bodyLengthMismatch, .contentLengthMissing:
      self.init(.invalidRequest, "the request cannot be sent: \(error.shortDescription)")
    default:
      // The short description is one of a fixed set, and quotes nothing.
      self.init(.other, error.shortDescription)
    }
  }

  /// A host may have several addresses, each of which failed in its own way: of these, what an address said
  /// tells more than silence, and silence more than a family of addresses that this machine has no route for.
  init(_ error: NIOConnectionError) {
    let verdicts = error.connectionErrors.map { failure in
      switch failure.error {
      case let error as IOError: Verdict(errorNumber: error.errnoCode)
      case let error as ChannelError: Verdict(error)
      default: Verdict(.other, "no connection could be made")
      }
    }
    let tellingFirst: [TransportError.Code] = [.connectionRefused, .connectionLost, .timeout, .offline]
    let telling = tellingFirst.lazy.compactMap { code in verdicts.first { $0.code == code } }.first
    self = telling ?? verdicts.first ?? .unresolved
  }

  init(_ error: HTTPParserError, isHeadReceived: Bool) {
    switch error {
    case .invalidEOFState, .closedConnection:
      self = isHeadReceived ? .truncated : .closedBeforeHead
    case .headerOverflow:
      self.init(.tooLarge, "the head is larger than the parser takes")
    default:
      self.init(.malformedResponse, "what came back is not HTTP/1.1")
    }
  }

  init(_ error: NIOSSLError, isHeadReceived: Bool) {
    switch error {
    case .uncleanShutdown: self = isHeadReceived ? .truncated : .closedBeforeHead
    default: self = .untrusted
    }
  }

  init(_ error: ChannelError) {
    switch error {
    case .connectTimeout: self.init(.timeout, "no connection within the limit")
    case .writeHostUnreachable: self.init(.offline, "the host is unreachable from here")
    default: self.init(.connectionLost, "the connection was lost")
    }
  }

  init(errorNumber: CInt) {
    switch errorNumber {
    case ECONNREFUSED: self.init(.connectionRefused, "nothing listens there")
    case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN: self.init(.connectionLost, "the connection was reset")
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL:
      self.init(.offline, "there is no route to the host")
    case ETIMEDOUT: self.init(.timeout, "the connection timed out")
    default: self.init(.other, "the system reported errno \(errorNumber)")
    }
  }
}
