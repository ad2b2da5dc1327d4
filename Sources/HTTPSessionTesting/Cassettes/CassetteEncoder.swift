import Foundation
import HTTPTransport
import HTTPTypes

/// Writes a cassette's file.
struct CassetteEncoder {
  /// The characters of one line of Base64.
  static let base64LineCharacterCount = 76

  func encode(_ cassette: Cassette) -> String {
    JSONNode.object([
      ("format", JSONNode(.number(String(Cassette.formatVersion)))),
      ("exchanges", .array(cassette.exchanges.map(node))),
    ]).encoded(isPretty: true) + "\n"
  }

  private func node(_ exchange: RecordedExchange) -> JSONNode {
    let request = exchange.request.request
    let requestNode = JSONNode.object([
      ("method", .string(request.method.rawValue)),
      ("scheme", request.scheme.map(JSONNode.string)),
      ("authority", request.authority.map(JSONNode.string)),
      ("path", request.path.map(JSONNode.string)),
      ("headers", node(request.headerFields)),
      ("body", body(exchange.request.body)),
    ])
    switch exchange.outcome {
    case .reply(let reply):
      let status = JSONNode(.number(String(reply.status.code)))
      let replyNode = JSONNode.object([
        ("status", status), ("headers", node(reply.head.headerFields)), ("body", body(reply.body)),
      ])
      return .object([("request", requestNode), ("reply", replyNode)])
    case .failure(let error):
      let failureNode = JSONNode.object([
        ("code", .string(error.code.rawValue)), ("host", error.host.map(JSONNode.string)),
        ("path", error.path.map(JSONNode.string)), ("detail", .string(error.detail)),
      ])
      return .object([("request", requestNode), ("failure", failureNode)])
    }
  }

  private func node(_ fields: HTTPFields) -> JSONNode? {
    guard !fields.isEmpty else { return nil }
    // By name, but fields of one name in their order, which carries meaning.
    let sorted = fields.enumerated().sorted { left, right in
      (left.element.name.canonicalName, left.offset) < (
        right.element.name.canonicalName, right.offset
      )
    }
    return .array(sorted.map { .string("\($0.element.name.canonicalName): \($0.element.value)") })
  }

  private func body(_ bytes: [UInt8]) -> JSONNode? {
    guard !bytes.isEmpty else { return nil }
    if let document = try? JSONNode(parsing: bytes),
      Array(document.encoded(isPretty: false).utf8) == bytes
    {
      return .object([("json", document)])
    }
    if let text = String(validating: bytes, as: UTF8.self) {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return .object([("text", .array(lines.map { .string(String($0)) }))])
    }
    let base64 = Array(Data(bytes).base64EncodedString())
    let lines = stride(from: 0, to: base64.count, by: Self.base64LineCharacterCount).map {
      JSONNode.string(String(base64[$0..<min($0 + Self.base64LineCharacterCount, base64.count)]))
    }
    return .object([("base64", .array(lines))])
  }
}
