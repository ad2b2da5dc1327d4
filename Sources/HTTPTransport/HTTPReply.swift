public import HTTPTypes

/// A whole answer: the head and all of the content, content codings such as gzip already undone.
public struct HTTPReply: Hashable, Sendable {
  /// Status and header fields as the upstream sent them.
  ///
  /// `Content-Encoding` and `Content-Length` describe the wire, not ``body``.
  public var head: HTTPResponse

  /// The content's bytes; empty if there were none.
  public var body: [UInt8]

  /// Makes a reply.
  public init(head: HTTPResponse, body: [UInt8] = []) {
    self.head = head
    self.body = body
  }

  /// The response's status.
  public var status: HTTPResponse.Status { head.status }
}
