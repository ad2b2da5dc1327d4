import HTTPTransport
import HTTPTypes
import NIOCore
import NIOHTTP1

/// Requests and replies of one connection, one after the other.
struct HTTPConversation {
  let journal: RequestJournal
  let respond: LoopbackHTTPServer.Responder

  func run(on connection: LoopbackHTTPServer.Listener.Connection) async throws {
    try await connection.executeThenClose { inbound, outbound in
      var head: HTTPRequestHead?
      var body: [UInt8] = []
      for try await part in inbound {
        switch part {
        case .head(let newHead):
          head = newHead
          body = []
        case .body(let bytes):
          guard body.count + bytes.readableBytes <= LoopbackHTTPServer.requestByteCountMax else { return }
          body.append(contentsOf: bytes.readableBytesView)
        case .end:
          guard let head else { return }
          let request = HTTPRequest(head)
          journal.append(.init(request: request, body: body))
          do {
            let reply = try await respond(request, body)
            try await send(reply, to: head, through: outbound)
          } catch let broken as BrokenOffReply {
            return try await send(broken.reply, to: head, breakingOff: true, through: outbound)
          }
          if !head.isKeepAlive { return }
        }
      }
    }
  }

  private func send(
    _ reply: HTTPReply, to request: HTTPRequestHead, breakingOff: Bool = false,
    through outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
  ) async throws {
    var headers = HTTPHeaders(reply.head.headerFields.map { ($0.name.rawName, $0.value) })
    let status = reply.status.code
    let mayHaveContent = status >= 200 && status != 204 && status != 304
    if mayHaveContent, !headers.contains(name: "Content-Length"), !headers.contains(name: "Transfer-Encoding")
    {
      headers.add(name: "Content-Length", value: String(reply.body.count))
    }
    let head = HTTPResponseHead(
      version: .http1_1,
      status: HTTPResponseStatus(statusCode: status, reasonPhrase: reply.status.reasonPhrase),
      headers: headers)
    var parts: [HTTPServerResponsePart] = [.head(head)]
    if mayHaveContent, request.method != .HEAD, !reply.body.isEmpty {
      let content = breakingOff ? reply.body.prefix(reply.body.count / 2) : reply.body[...]
      parts.append(.body(.byteBuffer(ByteBuffer(bytes: content))))
    }
    if !breakingOff { parts.append(.end(nil)) }
    try await outbound.write(contentsOf: parts)
  }
}

extension HTTPRequest {
  fileprivate init(_ head: HTTPRequestHead) {
    var fields = HTTPFields()
    for (name, value) in head.headers where name.lowercased() != "host" {
      guard let name = HTTPField.Name(name) else { continue }
      fields.append(HTTPField(name: name, value: value))
    }
    self.init(
      method: Method(rawValue: head.method.rawValue) ?? .get, scheme: "http",
      authority: head.headers.first(name: "Host"), path: head.uri, headerFields: fields)
  }
}
