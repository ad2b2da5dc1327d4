import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression

/// A content coding that can be undone ([RFC 9110, 8.4.1](https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1)).
///
/// AsyncHTTPClient could decode on its own, but then the bytes on the wire are never seen, and a limit on
/// them cannot be held; and its limit is one for all requests. So the wire's bytes are collected first, under
/// their limit, and decoded here, under theirs: by NIO's decoder in a channel of no network.
enum ContentCoding: String {
  case gzip
  case deflate

  /// Bytes fed at once; bounds what a single step can blow up to.
  private static let stepByteCount = 16_384

  init?(_ name: String) {
    self.init(rawValue: name == "x-gzip" ? "gzip" : name)
  }

  /// Undoes the coding.
  ///
  /// - Throws: `NIOHTTPDecompression.DecompressionError` or `ExtraDecompressionError`.
  func decode(_ wire: [UInt8], byteCountMax: Int) throws -> [UInt8] {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(NIOHTTPResponseDecompressor(limit: .size(byteCountMax)))
    let head = HTTPResponseHead(
      version: .http1_1, status: .ok, headers: ["Content-Encoding": rawValue])
    try channel.writeInbound(HTTPClientResponsePart.head(head))
    var decoded: [UInt8] = []
    for start in stride(from: 0, to: wire.count, by: Self.stepByteCount) {
      let step = wire[start..<min(start + Self.stepByteCount, wire.count)]
      try channel.writeInbound(HTTPClientResponsePart.body(ByteBuffer(bytes: step)))
      try drain(channel, into: &decoded)
    }
    try channel.writeInbound(HTTPClientResponsePart.end(nil))
    try drain(channel, into: &decoded)
    _ = try channel.finish()
    return decoded
  }

  private func drain(_ channel: EmbeddedChannel, into decoded: inout [UInt8]) throws {
    while let part = try channel.readInbound(as: HTTPClientResponsePart.self) {
      if case .body(let bytes) = part { decoded.append(contentsOf: bytes.readableBytesView) }
    }
  }
}
