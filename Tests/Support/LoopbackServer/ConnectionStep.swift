/// One step of what a ``FaultyServer`` does on a connection; the connection is closed after the last.
package enum ConnectionStep: Sendable {
  /// Reads the request's head.
  case readHead
  /// Sends bytes.
  case send([UInt8])
  /// Sends bytes one at a time.
  case drip([UInt8], every: Duration)
  /// Sends one byte again and again until the peer goes away.
  case dripForever(UInt8, every: Duration)
  /// Sends the same bytes again and again, as fast as they are taken, until the peer goes away.
  case sendForever([UInt8])
  /// Tells the test that this step was reached.
  case open(Gate)
  /// Waits for the test.
  case wait(Gate)
  /// Sends nothing more until the peer closes.
  case hold
  /// Closes in good order (FIN).
  case close
  /// Closes by a reset (RST).
  case reset

  /// Sends text.
  package static func send(_ text: String) -> ConnectionStep { .send(Array(text.utf8)) }
}

/// Short, so that a failing test's arguments stay readable.
extension ConnectionStep: CustomStringConvertible, CustomDebugStringConvertible {
  package var description: String {
    switch self {
    case .readHead: "read the head"
    case .send(let bytes): "send \(bytes.count) bytes"
    case .drip(let bytes, let interval): "drip \(bytes.count) bytes every \(interval)"
    case .dripForever(_, let interval): "drip bytes every \(interval)"
    case .sendForever: "send bytes for ever"
    case .open: "open a gate"
    case .wait: "wait for a gate"
    case .hold: "hold"
    case .close: "close"
    case .reset: "reset"
    }
  }

  package var debugDescription: String { description }
}

/// The faults by name: what a connection to a broken upstream looks like.
extension [ConnectionStep] {
  /// Closes without a byte of an answer.
  package static let emptyReply: Self = [.readHead, .close]

  /// Ends in the middle of the head.
  package static let halfHead: Self = [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Le"), .close]

  /// Resets before the head.
  package static let resetBeforeHead: Self = [.readHead, .reset]

  /// Resets in the body, after `reached` was opened and `proceed` waited for: bytes that were not read yet are
  /// thrown away by a reset.
  package static func resetDuringBody(reached: Gate, proceed: Gate) -> Self {
    [
      .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), .open(reached), .wait(proceed),
      .reset,
    ]
  }

  /// Ends the body before its announced length.
  package static let truncatedBody: Self = [
    .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), .close,
  ]

  /// Ends a chunked body before its last chunk.
  package static let truncatedChunkedBody: Self = [
    .readHead, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"), .close,
  ]

  /// Sends a chunk whose size is no number.
  package static let malformedChunk: Self = [
    .readHead, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nsize\r\nhalf\r\n"), .close,
  ]

  /// Sends something that is not HTTP.
  package static let notHTTP: Self = [.readHead, .send("SSH-2.0-OpenSSH_9.2\r\n"), .close]

  /// Never answers.
  package static let stallBeforeHead: Self = [.readHead, .hold]

  /// Never sends the rest of the body.
  package static let stallDuringBody: Self = [
    .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), .hold,
  ]

  /// Sends a body a byte at a time, without end.
  package static let drippingBody: Self = [
    .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"),
    .dripForever(0x2e, every: .milliseconds(5)),
  ]

  /// Sends the head a byte at a time, without end.
  package static let drippingHead: Self = [
    .readHead, .send("HTTP/1.1 200 OK\r\nX-Slow: "), .dripForever(0x2e, every: .milliseconds(5)),
  ]

  /// Sends one header field without end.
  package static let endlessHeaderField: Self = [
    .readHead, .send("HTTP/1.1 200 OK\r\nX-Endless: "), .sendForever([UInt8](repeating: 0x2e, count: 0x4000)),
  ]

  /// Sends header fields without end.
  package static let endlessHeaderFields: Self = [
    .readHead, .send("HTTP/1.1 200 OK\r\n"),
    .sendForever([UInt8](String(repeating: "X-Field: one of many\r\n", count: 700).utf8)),
  ]

  /// Sends a chunked body without end.
  package static let endlessChunkedBody: Self = [
    .readHead, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
    .sendForever([UInt8]("4000\r\n".utf8) + [UInt8](repeating: 0x2e, count: 0x4000) + [UInt8]("\r\n".utf8)),
  ]

  /// Sends a body without end that has no framing.
  package static let endlessUnframedBody: Self = [
    .readHead, .send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"),
    .sendForever([UInt8](repeating: 0x2e, count: 0x4000)),
  ]

  /// Announces a body of 2^40 bytes.
  package static let enormousContentLength: Self = [
    .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\n\r\n"), .hold,
  ]

  /// Sends 64 MiB of zeros as 423 KB of gzip.
  package static var gzipBomb: Self { coded("gzip", GzipBody.bomb(decodedByteCount: 64 << 20)) }

  /// Sends `bytes` in gzip's format.
  package static func gzip(_ bytes: [UInt8]) -> Self { coded("gzip", GzipBody.stored(bytes)) }

  /// Sends a body under a `Content-Encoding`.
  package static func coded(_ coding: String, _ bytes: [UInt8]) -> Self {
    [
      .readHead,
      .send("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(bytes.count)\r\n\r\n"),
      .send(bytes), .hold,
    ]
  }

  /// Points to another place.
  package static func redirect(to location: String, status: Int = 302) -> Self {
    [
      .readHead, .send("HTTP/1.1 \(status) Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"),
      .hold,
    ]
  }

  /// Points to itself.
  package static let redirectLoop: Self = redirect(to: "/loop")

  /// Asks for credentials.
  package static let unauthorized: Self = [
    .readHead,
    .send(
      "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"loopback\"\r\nContent-Length: 2\r\n\r\nno"
    ),
    .hold,
  ]

  /// Answers a TLS handshake with something else.
  package static let tlsGarbage: Self = [
    .send("this is not TLS, and is no handshake of any kind\r\n"), .close,
  ]
}
