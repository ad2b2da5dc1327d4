public import HTTPTransport
public import HTTPTypes

extension HTTPReply {
  /// A reply with a JSON document, for answers that are computed.
  public static func json(
    _ value: JSONValue, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> HTTPReply {
    var fields = headers
    if !fields.contains(.contentType) { fields[.contentType] = "application/json" }
    return HTTPReply(
      head: HTTPResponse(status: status, headerFields: fields), body: value.encoded())
  }
}
