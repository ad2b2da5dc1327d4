import AsyncHTTPClient
import HTTPTransport
import HTTPTypes
import NIOCore
import NIOHTTP1

/// One request and its reply.
struct AsyncHTTPExchange: Sendable {
  let client: HTTPClient
  let request: HTTPRequest
  let destination: Destination
  let body: [UInt8]
  let userAgent: String
  let limits: TransportLimits

  /// Sends the request and collects the whole reply.
  ///
  /// - Throws: ``TransportError``; its caller knows whether a cancellation was a deadline, a shutdown or the
  ///   task's.
  func run() async throws -> HTTPReply {
    let response: HTTPClientResponse
    do {
      // The deadline is the caller's: this one would end at the head.
      response = try await client.execute(clientRequest, deadline: .distantFuture)
    } catch {
      throw TransportError(client: error, for: request, isHeadReceived: false)
    }
    guard let head = HTTPResponse(response) else {
      throw TransportError(.malformedResponse, for: request, detail: "the status is not of three digits")
    }
    do {
      let wire = try await collect(response, of: head)
      return HTTPReply(head: head, body: try decode(wire, of: head))
    } catch {
      throw TransportError(client: error, for: request, isHeadReceived: true)
    }
  }

  private var clientRequest: HTTPClientRequest {
    var clientRequest = HTTPClientRequest(url: destination.url)
    clientRequest.method = HTTPMethod(rawValue: request.method.rawValue)
    clientRequest.headers = HTTPHeaders(request.headerFields.map { ($0.name.rawName, $0.value) })
    if request.headerFields[.userAgent] == nil {
      clientRequest.headers.add(name: "User-Agent", value: userAgent)
    }
    if request.headerFields[.acceptEncoding] == nil {
      clientRequest.headers.add(name: "Accept-Encoding", value: "gzip, deflate")
    }
    if !body.isEmpty { clientRequest.body = .bytes(ByteBuffer(bytes: body)) }
    return clientRequest
  }

  private func collect(_ response: HTTPClientResponse, of head: HTTPResponse) async throws -> [UInt8] {
    let limit = limits.responseByteCountMax
    var wire: [UInt8] = []
    if let announced = head.headerFields[.contentLength].flatMap({ Int($0) }), mayHaveContent(head) {
      guard announced <= limit else { throw TransportError.tooLarge(request, byteCountMax: limit) }
      wire.reserveCapacity(announced)
    }
    for try await part in response.body {
      guard part.readableBytes <= limit - wire.count else {
        throw TransportError.tooLarge(request, byteCountMax: limit)
      }
      wire.append(contentsOf: part.readableBytesView)
    }
    // A cancelled stream may just end; what came until then is not the body.
    try Task.checkCancellation()
    return wire
  }

  /// Whether `Content-Length` speaks of content that follows
  /// ([RFC 9110, 8.6](https://www.rfc-editor.org/rfc/rfc9110#section-8.6)).
  private func mayHaveContent(_ head: HTTPResponse) -> Bool {
    request.method != .head && head.status.code != 204 && head.status.code != 304
  }

  private func decode(_ wire: [UInt8], of head: HTTPResponse) throws -> [UInt8] {
    guard !wire.isEmpty else { return wire }
    let codings = head.headerFields[values: .contentEncoding].flatMap { $0.split(separator: ",") }
    let names = codings.map { $0.filter { !$0.isWhitespace }.lowercased() }.filter { $0 != "identity" }
    if names.isEmpty {
      guard wire.count <= limits.decodedByteCountMax else {
        throw TransportError.tooLarge(request, byteCountMax: limits.decodedByteCountMax)
      }
      return wire
    }
    guard names.count == 1, let coding = ContentCoding(names[0]) else {
      throw TransportError(
        .malformedResponse, for: request, detail: "the body has a content coding that was not asked for")
    }
    return try coding.decode(wire, byteCountMax: limits.decodedByteCountMax)
  }
}

extension HTTPResponse {
  /// The head in the seam's type; `nil` if its status is out of range.
  fileprivate init?(_ response: HTTPClientResponse) {
    let code = Int(response.status.code)
    guard (100...999).contains(code) else { return nil }
    var fields = HTTPFields()
    for (name, value) in response.headers {
      guard let name = HTTPField.Name(name) else { continue }
      fields.append(HTTPField(name: name, value: value))
    }
    self.init(
      status: Status(code: code, reasonPhrase: response.status.reasonPhrase), headerFields: fields)
  }
}
