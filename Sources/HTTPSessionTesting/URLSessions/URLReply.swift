import Foundation
import HTTPTransport
import HTTPTypes

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The way from URLSession's types to the seam's and back.
enum URLReply {
  /// The most bytes that are read of a body that comes as a stream.
  static let streamByteCountMax = 67_108_864

  static func sentRequest(_ request: URLRequest) throws(HTTPTestingError) -> SentRequest {
    guard let url = request.url else {
      throw HTTPTestingError(.unmatchedRequest, "The URLRequest has no URL.")
    }
    guard let method = HTTPRequest.Method(request.httpMethod ?? "GET") else {
      throw HTTPTestingError(
        .unmatchedRequest, "The URLRequest's method is not a token of RFC 9110.")
    }
    var fields = HTTPFields()
    for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    let timeout = request.timeoutInterval
    return SentRequest(
      HTTPRequest(
        method: method, scheme: url.scheme, authority: authority(url), path: path(url),
        headerFields: fields),
      body: request.httpBody.map { [UInt8]($0) } ?? request.httpBodyStream.map(bytes) ?? [],
      limits: TransportLimits(
        total: timeout > 0 ? .milliseconds(Int64(timeout * 1_000)) : .seconds(60),
        responseByteCountMax: .max, decodedByteCountMax: .max))
  }

  private static func authority(_ url: URL) -> String? {
    url.host(percentEncoded: true).map { Authority.text(host: $0, port: url.port) }
  }

  private static func path(_ url: URL) -> String {
    let path = url.path(percentEncoded: true)
    return (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
  }

  private static func bytes(_ stream: InputStream) -> [UInt8] {
    stream.open()
    defer { stream.close() }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16_384)
    while bytes.count < streamByteCountMax {
      let count = stream.read(&piece, maxLength: piece.count)
      guard count > 0 else { break }
      bytes.append(contentsOf: piece[..<count])
    }
    return bytes
  }

  /// The reply as URLSession gives it.
  static func delivery(_ reply: HTTPReply, for request: URLRequest) throws -> StubLoad.Delivery {
    var fields: [String: String] = [:]
    // With this field on a 401, URLSession on Linux looks for credentials, finds none and never calls back.
    for field in reply.head.headerFields
    where field.name != .wwwAuthenticate || reply.status != .unauthorized {
      let name = field.name.rawName
      fields[name] = fields[name].map { "\($0), \(field.value)" } ?? field.value
    }
    guard let url = request.url,
      let response = HTTPURLResponse(
        url: url, statusCode: reply.status.code, httpVersion: "HTTP/1.1", headerFields: fields)
    else { throw URLError(.badServerResponse) }
    return StubLoad.Delivery(response: response, body: Data(reply.body))
  }

  /// The error as URLSession on Linux gives it; what is no `TransportError` stays as it is.
  static func error(_ error: any Error) -> any Error {
    guard let error = error as? TransportError else { return error }
    return URLError(Fault.urlErrorCode(for: error.code))
  }
}
