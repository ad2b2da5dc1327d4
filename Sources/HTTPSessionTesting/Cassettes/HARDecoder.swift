import Foundation
import HTTPTransport
import HTTPTypes

/// Reads the entries of a HAR file.
enum HARDecoder {
  static func exchange(_ entry: NodeReader) throws(HTTPTestingError) -> RecordedExchange {
    let sent = try request(entry.member("request"))
    let response = try entry.member("response")
    let status = try response.member("status").wholeNumber()
    guard status != 0 else {
      let error = TransportError(.other, for: sent.request, detail: "The HAR file has no response.")
      return RecordedExchange(sent, .failure(error))
    }
    guard (100...999).contains(status) else {
      throw response.failure("\(status) is no HTTP status")
    }
    let reply = HTTPReply(
      head: HTTPResponse(status: .init(code: status), headerFields: try fields(response)),
      body: try response.optional("content").map(content) ?? [])
    return RecordedExchange(sent, .reply(reply))
  }

  private static func request(_ reader: NodeReader) throws(HTTPTestingError) -> SentRequest {
    let methodReader = try reader.member("method")
    guard let method = HTTPRequest.Method(try methodReader.string()) else {
      throw methodReader.failure("the method is not a token of RFC 9110")
    }
    let urlReader = try reader.member("url")
    guard let url = URL(string: try urlReader.string()), let scheme = url.scheme,
      let host = url.host()
    else {
      throw urlReader.failure("it is no URL with a scheme and a host")
    }
    let path = url.path(percentEncoded: true)
    let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
    let body = try reader.optional("postData")?.optional("text")?.string() ?? ""
    return SentRequest(
      HTTPRequest(
        method: method, scheme: scheme, authority: Authority.text(host: host, port: url.port),
        path: (path.isEmpty ? "/" : path) + query, headerFields: try fields(reader)),
      body: Array(body.utf8))
  }

  private static func fields(_ reader: NodeReader) throws(HTTPTestingError) -> HTTPFields {
    var fields = HTTPFields()
    for header in try reader.optional("headers")?.elements() ?? [] {
      // HTTP/2 exports carry `:authority` and its like, which are no header fields.
      guard let name = HTTPField.Name(try header.member("name").string()) else { continue }
      fields.append(HTTPField(name: name, value: try header.member("value").string()))
    }
    return fields
  }

  private static func content(_ reader: NodeReader) throws(HTTPTestingError) -> [UInt8] {
    guard let text = try reader.optional("text")?.string() else { return [] }
    guard try reader.optional("encoding")?.string() == "base64" else { return Array(text.utf8) }
    guard let data = Data(base64Encoded: text) else { throw reader.failure("it is not Base64") }
    return [UInt8](data)
  }
}
