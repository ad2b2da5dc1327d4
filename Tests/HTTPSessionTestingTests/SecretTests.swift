import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct `When a body holds secrets` {
  private func exchange(
    _ body: String, contentType: String? = nil, reply: [UInt8] = []
  ) -> RecordedExchange {
    var request = post("/login")
    request.headerFields[.contentType] = contentType
    return RecordedExchange(
      SentRequest(request, body: Array(body.utf8)),
      .reply(HTTPReply(head: HTTPResponse(status: .ok), body: reply)))
  }

  private func replyBody(_ exchange: RecordedExchange) -> [UInt8]? {
    guard case .reply(let reply) = exchange.outcome else { return nil }
    return reply.body
  }

  @Test func `names that are set later are compared in lower case`() {
    var redaction = Redaction()
    redaction.queryItems.insert("Session")
    redaction.headers = ["X-Session"]
    #expect(redaction.redacting(SentRequest(get("/?session=abc"))).request.path == "/?session=REDACTED")
    #expect(redaction.headers == ["x-session"])
  }

  @Test func `a form's items are replaced, and what the reply repeats of them`() {
    let sent = exchange(
      "user=ada&pass%77ord=hunter+22", contentType: "application/x-www-form-urlencoded; charset=utf-8",
      reply: Array("hunter 22 is wrong".utf8))
    let redacted = Redaction.default.redacting(sent)
    #expect(redacted.request.bodyText == "user=ada&pass%77ord=REDACTED")
    #expect(replyBody(redacted) == Array("REDACTED is wrong".utf8))
    #expect(Redaction.default.redacting(redacted) == redacted)
  }

  @Test func `a body of another type is no form`() {
    let sent = exchange("password=hunter22", contentType: "text/plain")
    #expect(Redaction.default.redacting(sent).request.bodyText == "password=hunter22")
  }

  @Test func `JSON members that usually carry secrets are replaced at any depth`() {
    let sent = exchange(
      #"{"a":[{"Password":"hunter22","pin":1}],"token":17,"secret":{"token":null,"note":""}}"#,
      reply: Array("hunter22".utf8))
    let redacted = Redaction.default.redacting(sent)
    #expect(
      redacted.request.bodyText
        == #"{"a":[{"Password":"REDACTED","pin":1}],"token":"REDACTED","secret":{"token":null,"note":""}}"#)
    #expect(replyBody(redacted) == Array("REDACTED".utf8))
  }

  @Test func `a body that is no text has the echoes replaced, too`() {
    let sent = RecordedExchange(
      SentRequest(get("/?key=0123456789")),
      .reply(HTTPReply(head: HTTPResponse(status: .ok), body: [0xFF] + Array("0123456789".utf8) + [0xFE])))
    #expect(replyBody(Redaction.default.redacting(sent)) == [0xFF] + Array("REDACTED".utf8) + [0xFE])
  }

  @Test(arguments: ["a*", "", "(x|)"]) func `a pattern that matches the empty text is refused`(
    pattern: String
  ) {
    let error = #expect(throws: HTTPTestingError.self) {
      try CassetteSession(
        file: URL(filePath: "/nowhere.json"), mode: .once, redaction: Redaction(bodyPatterns: [pattern]))
    }
    #expect(error?.code == .redactionInvalid)
  }
}

@Suite struct `When the linter looks through a file` {
  private func kinds(_ text: String) -> [String] {
    CassetteLinter().findings(in: text, fileName: "a").map { "\($0.line): \($0.kind)" }
  }

  @Test(arguments: [
    (#""text": ["{\"password\": \"hunter2\"}"]"#, "1: the JSON member password"),
    ("{\r\n\"token\": \"abc\"\r\n}", "2: the JSON member token"),
    ("{\n\"token\": 4711\n}", "2: the JSON member token"),
    (#"{ "text": ["password=hunter2&user=ada"] }"#, "1: the query item password"),
    ("{\n  \"name\": \"Cookie\",\n  \"value\": \"id=1\"\n}", "2: the item Cookie"),
  ])
  func `a secret in any of its forms is found with its line`(text: String, finding: String) {
    #expect(kinds(text) == [finding])
  }

  @Test(arguments: [
    #"{ "token": "REDACTED", "text": ["{\"password\":\"REDACTED\"}", "password=REDACTED&a=1"] }"#,
    #"{ "name": "Cookie", "value": "REDACTED" }"#, #"{ "name": "Accept", "value": "a/b" }"#,
    #"{ "token": null, "password": "" }"#,
  ])
  func `what was replaced is passed`(text: String) { #expect(kinds(text).isEmpty) }

  @Test func `a file that cannot be read is an error`() throws {
    let file = try TemporaryFile("fine.json", containing: "[]")
    try FileManager.default.createSymbolicLink(
      at: file.folder.appending(path: "gone.json"), withDestinationURL: file.folder.appending(path: "nowhere")
    )
    let error = #expect(throws: HTTPTestingError.self) { try CassetteLinter().check(folder: file.folder) }
    #expect(error?.code == .cassetteMalformed)
    #expect(error?.detail.contains("gone.json") == true)
  }
}
