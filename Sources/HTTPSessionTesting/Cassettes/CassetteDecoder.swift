import Foundation
import HTTPTransport
import HTTPTypes

/// Reads a cassette's file; whatever is not as it must be is an error naming the file and the line.
struct CassetteDecoder {
  let fileName: String

  struct Entry {
    let line: Int
    let exchange: RecordedExchange
  }

  func decode(_ bytes: [UInt8]) throws(HTTPTestingError) -> [Entry] {
    let root = try NodeReader(root: bytes, fileName: fileName)
    let format = try root.member("format").wholeNumber()
    guard format >= 1 else { throw root.failure("format is \(format)") }
    guard format <= Cassette.formatVersion else {
      throw HTTPTestingError(
        .cassetteTooNew,
        "\(fileName): line \(try root.member("format").node.line): the format is \(format), this kit reads up to "
          + "\(Cassette.formatVersion). Update the kit, or record the cassette again with mode .rewrite."
      )
    }
    try root.allow(["format", "exchanges"])
    var entries: [Entry] = []
    for reader in try root.member("exchanges").elements() {
      entries.append(Entry(line: reader.node.line, exchange: try exchange(reader)))
    }
    return entries
  }

  func secret(_ exchange: RecordedExchange, line: Int, _ redaction: Redaction) -> HTTPTestingError {
    HTTPTestingError(
      .cassetteHoldsSecret,
      "\(fileName): line \(line): the exchange \(redaction.redacting(exchange.request)) holds a secret in the "
        + "clear. Read it with redaction: nil and write it again, which replaces the secret; and change the "
        + "secret, if the file was ever shared.")
  }

  private func exchange(_ reader: NodeReader) throws(HTTPTestingError) -> RecordedExchange {
    try reader.allow(["request", "reply", "failure"])
    let sent = try request(reader.member("request"))
    switch (reader.optional("reply"), reader.optional("failure")) {
    case (let reply?, nil): return RecordedExchange(sent, .reply(try self.reply(reply)))
    case (nil, let failure?): return RecordedExchange(sent, .failure(try self.failure(failure)))
    default: throw reader.failure("an exchange has either a reply or a failure")
    }
  }

  private func request(_ reader: NodeReader) throws(HTTPTestingError) -> SentRequest {
    try reader.allow(["method", "scheme", "authority", "path", "headers", "body"])
    let methodReader = try reader.member("method")
    guard let method = HTTPRequest.Method(try methodReader.string()) else {
      throw methodReader.failure("the method is not a token of RFC 9110")
    }
    return SentRequest(
      HTTPRequest(
        method: method, scheme: try reader.optional("scheme")?.string(),
        authority: try reader.optional("authority")?.string(),
        path: try reader.optional("path")?.string(),
        headerFields: try fields(reader.optional("headers"))),
      body: try body(reader.optional("body")))
  }

  private func reply(_ reader: NodeReader) throws(HTTPTestingError) -> HTTPReply {
    try reader.allow(["status", "headers", "body"])
    let statusReader = try reader.member("status")
    let status = try statusReader.wholeNumber()
    guard (100...999).contains(status) else {
      throw statusReader.failure("\(status) is no HTTP status")
    }
    return HTTPReply(
      head: HTTPResponse(
        status: .init(code: status), headerFields: try fields(reader.optional("headers"))),
      body: try body(reader.optional("body")))
  }

  private func failure(_ reader: NodeReader) throws(HTTPTestingError) -> TransportError {
    try reader.allow(["code", "host", "path", "detail"])
    return TransportError(
      .init(rawValue: try reader.member("code").string()),
      host: try reader.optional("host")?.string(),
      path: try reader.optional("path")?.string(), detail: try reader.member("detail").string())
  }

  private func fields(_ reader: NodeReader?) throws(HTTPTestingError) -> HTTPFields {
    var fields = HTTPFields()
    guard let reader else { return fields }
    for element in try reader.elements() {
      let text = try element.string()
      guard let colon = text.firstIndex(of: ":"), let name = HTTPField.Name(String(text[..<colon]))
      else {
        throw element.failure("a header is written \"name: value\"")
      }
      let value = text[text.index(after: colon)...].drop { $0 == " " }
      guard HTTPField.isValidValue(String(value)) else {
        throw element.failure("the header's value has characters that RFC 9110 forbids")
      }
      fields.append(HTTPField(name: name, value: String(value)))
    }
    return fields
  }

  private func body(_ reader: NodeReader?) throws(HTTPTestingError) -> [UInt8] {
    guard let reader else { return [] }
    try reader.allow(["json", "text", "base64"])
    if let json = reader.optional("json") { return Array(json.node.encoded(isPretty: false).utf8) }
    if let text = reader.optional("text") {
      return Array(try text.strings().joined(separator: "\n").utf8)
    }
    if let base64 = reader.optional("base64") {
      guard let data = Data(base64Encoded: try base64.strings().joined()) else {
        throw base64.failure("it is not Base64")
      }
      return [UInt8](data)
    }
    throw reader.failure("a body is written as json, text or base64")
  }
}
