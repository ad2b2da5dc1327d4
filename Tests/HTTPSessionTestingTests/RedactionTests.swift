import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Testing

@Suite struct `When an exchange holds secrets` {
  let secret = "0123456789abcdef0123456789abcdef"

  @Test func `the API key is nowhere on the cassette, also where the reply repeats it`()
    async throws
  {
    let file = try TemporaryFile()
    let upstream = StubSession(
      Stub(
        .any, .text("you sent \(secret)", headers: [.location: "https://a.example/?key=\(secret)"]))
    )
    let recording = try CassetteSession(file: file.url, mode: .once, upstream: upstream)
    let live = try await recording.send(get("/list?key=\(secret)&targetDt=20220105"))
    try recording.finish()

    #expect(live.text.contains(secret), "The code under test gets what the upstream said.")
    let text = try file.text()
    #expect(!text.contains(secret))
    #expect(text.contains("/list?key=REDACTED&targetDt=20220105"))
    #expect(text.contains("you sent REDACTED"))
    #expect(!recording.journal.requests.contains { $0.request.path?.contains(secret) ?? false })
  }

  @Test func `a cassette recorded with one key is played to another`() async throws {
    let file = try TemporaryFile()
    let recording = try CassetteSession(
      file: file.url, mode: .once, upstream: StubSession(Stub(.any, .text("yes"))))
    _ = try await recording.send(get("/list?key=\(secret)"))
    try recording.finish()
    let replaying = try CassetteSession(file: file.url)
    #expect(try await replaying.send(get("/list?key=another")).text == "yes")
  }

  @Test func `headers, JSON paths and body patterns are replaced and lengths mended`() throws {
    let redaction = Redaction(
      headers: ["X-Session"], jsonPaths: ["user.card", "list.*.pin"],
      bodyPatterns: [#"\d{3}-\d{4}"#])
    let body = Array(
      #"{"user":{"card":"4111","name":"Ada"},"list":[{"pin":1}],"phone":"555-1234"}"#.utf8)
    var request = post("/pay")
    request.headerFields = [
      .authorization: "Bearer abcdefghijkl", HTTPField.Name("X-Session")!: "s1",
      .contentLength: "\(body.count)",
    ]
    let reply = HTTPReply(
      head: HTTPResponse(
        status: .ok,
        headerFields: [.setCookie: "id=1", .contentLength: "20", .contentEncoding: "gzip"]),
      body: Array("call 555-1234 abcdefghijkl".utf8))
    let redacted = redaction.redacting(
      RecordedExchange(SentRequest(request, body: body), .reply(reply)))

    #expect(
      redacted.request.bodyText
        == #"{"user":{"card":"REDACTED","name":"Ada"},"list":[{"pin":"REDACTED"}],"phone":"REDACTED"}"#
    )
    let fields = redacted.request.request.headerFields
    #expect(
      fields[.authorization] == "REDACTED" && fields[HTTPField.Name("X-Session")!] == "REDACTED")
    #expect(fields[.contentLength] == "\(redacted.request.body.count)")
    guard case .reply(let shown) = redacted.outcome else {
      Issue.record("There is no reply.")
      return
    }
    #expect(shown.text == "call REDACTED REDACTED")
    #expect(shown.head.headerFields[.setCookie] == "REDACTED")
    #expect(shown.head.headerFields[.contentLength] == "22")
    #expect(shown.head.headerFields[.contentEncoding] == nil)
  }

  @Test func `redacting twice changes nothing more`() {
    let redaction = Redaction(jsonPaths: ["a"], bodyPatterns: ["b+"])
    let exchange = RecordedExchange(
      SentRequest(get("/?key=\(secret)"), body: Array(#"{"a":"1","c":"bbb"}"#.utf8)),
      .failure(TransportError(.other, host: nil, path: nil, detail: "it said \(secret)")))
    let once = redaction.redacting(exchange)
    #expect(once != exchange)
    #expect(redaction.redacting(once) == once)
  }

  @Test func `a pattern that is no regular expression is named`() throws {
    let error = #expect(throws: HTTPTestingError.self) {
      try CassetteSession(
        file: URL(filePath: "/nowhere.json"), mode: .once,
        redaction: Redaction(bodyPatterns: ["(["]))
    }
    #expect(error?.code == .redactionInvalid)
    #expect(error?.detail.contains("([") == true)
  }

  @Test func `the linter names file, line and kind, and not the secret`() throws {
    let file = try TemporaryFile(
      "old.json",
      containing: """
        {
          "path": "/a?key=\(secret)",
          "headers": ["authorization: Bearer abcdefghijklmnop"],
          "password": "hunter2",
          "fine": "/a?key=REDACTED"
        }
        """)
    let error = #expect(throws: HTTPTestingError.self) {
      try CassetteLinter().check(folder: file.folder)
    }
    #expect(error?.code == .cassetteHoldsSecret)
    let detail = try #require(error?.detail)
    #expect(detail.contains("old.json: line 2: the query item key"))
    #expect(detail.contains("old.json: line 3: the header authorization"))
    #expect(detail.contains("old.json: line 4: the JSON member password"))
    #expect(!detail.contains("line 5"))
    #expect(!detail.contains(secret) && !detail.contains("hunter2"))
  }

  @Test func `the linter finds a secret it was told of and passes a clean folder`() throws {
    let file = try TemporaryFile("a.json", containing: "[\"xyzzy\"]")
    #expect(throws: HTTPTestingError.self) {
      try CassetteLinter(secrets: ["xyzzy"]).check(folder: file.folder)
    }
    try CassetteLinter(secrets: ["plugh", ""]).check(folder: file.folder)
  }
}

@Suite struct `When a cassette is bad` {
  static let good = """
    {
      "format": 1,
      "exchanges": [
        {
          "request": { "method": "GET", "path": "/a?key=REDACTED" },
          "reply": { "status": 200, "headers": ["content-length: 99"], "body": { "text": ["hi"] } }
        }
      ]
    }
    """

  func error(_ text: String) throws -> HTTPTestingError {
    try #require(
      #expect(throws: HTTPTestingError.self) {
        try Cassette(parsing: Array(text.utf8), fileName: "c.json")
      })
  }

  @Test func `a good one is read, and a length that a hand forgot is mended`() throws {
    let cassette = try Cassette(parsing: Array(Self.good.utf8), fileName: "c.json")
    guard case .reply(let reply) = cassette.exchanges.first?.outcome else {
      Issue.record("There is no reply.")
      return
    }
    #expect(reply.head.headerFields[.contentLength] == "2")
  }

  @Test func `every truncation is refused by name and line`() throws {
    let bytes = Array(Self.good.utf8)
    for count in 0..<(bytes.count - 1) {
      let error = #expect(throws: HTTPTestingError.self) {
        try Cassette(parsing: bytes.prefix(count), fileName: "c.json")
      }
      #expect(error?.code == .cassetteTruncated, "cut after \(count) bytes: \(error?.detail ?? "")")
      #expect(error?.detail.hasPrefix("c.json: line ") == true)
    }
  }

  @Test(arguments: [
    "tru", "-", "1.", "1e", "\"\\u00", "\"\\", "\"\\uD83D\\", "\"\\uD83D", "[1", "[1,", "{\"a\"", "{\"a\":",
    "fals", "n", "",
  ])
  func `a document cut anywhere is told from a wrong one`(cut: String) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: cut.utf8) }
    #expect(error?.isAtEnd == true)
  }

  @Test(arguments: ["trx", "-a", "1.x", "\"\\u00g", "\"\\uD83D\"", "[1}", "nul!", "{\"a\":1,\"a\"", "1 2"])
  func `a wrong document is not taken for a cut one`(text: String) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text.utf8) }
    #expect(error?.isAtEnd == false)
  }

  @Test func `a newer format is refused with the way out`() throws {
    let error = try error(Self.good.replacing("\"format\": 1", with: "\"format\": 2"))
    #expect(error.code == .cassetteTooNew)
    #expect(error.detail.contains("c.json: line 2") && error.detail.contains("Update the kit"))
  }

  @Test(arguments: [
    ("\"status\"", "\"statsu\"", "line 6"), ("200", "\"200\"", "line 6"), ("200", "99", "line 6"),
    ("\"reply\"", "\"replay\"", "line 6"), ("\"GET\"", "\"G T\"", "line 5"),
    ("[\"hi\"]", "\"hi\"", "line 6"),
    ("content-length: 99", "content-length", "line 6"),
    ("\"format\": 1", "\"format\": 0", "line 1"),
    ("\"method\": \"GET\", ", "", "line 5"), ("\"exchanges\": [", "\"exchanges\": [,", "line 3"),
  ])
  func `a slip of the hand is named with its line`(old: String, new: String, line: String) throws {
    let error = try error(Self.good.replacing(old, with: new))
    #expect(error.code == .cassetteMalformed)
    #expect(error.detail.hasPrefix("c.json: \(line)"), "\(error)")
  }

  @Test func `one that holds a secret is refused without showing it`() throws {
    let error = try error(Self.good.replacing("REDACTED", with: "f5eef3421c"))
    #expect(error.code == .cassetteHoldsSecret)
    #expect(error.detail.contains("c.json: line 4"))
    #expect(!error.detail.contains("f5eef3421c"))
  }
}

@Suite struct `When a HAR file is imported` {
  static let har = """
    { "log": { "version": "1.2", "entries": [
      { "request": { "method": "POST", "url": "https://a.example/users?key=s3cret&x=1",
          "headers": [ { "name": ":authority", "value": "a.example" }, { "name": "Accept", "value": "*/*" } ],
          "postData": { "mimeType": "text/plain", "text": "Ada" } },
        "response": { "status": 201, "statusText": "Created",
          "headers": [ { "name": "content-encoding", "value": "gzip" }, { "name": "content-length", "value": "9" } ],
          "content": { "size": 2, "text": "aGk=", "encoding": "base64" } } },
      { "request": { "method": "GET", "url": "https://a.example/", "headers": [] },
        "response": { "status": 0, "headers": [], "content": {} } }
    ] } }
    """

  @Test func `its entries become exchanges, decoded and without secrets`() throws {
    let cassette = try Cassette(har: Array(Self.har.utf8), fileName: "a.har")
    #expect(cassette.exchanges.count == 2)
    let first = try #require(cassette.exchanges.first)
    #expect(first.request.request.path == "/users?key=REDACTED&x=1")
    #expect(first.request.bodyText == "Ada")
    guard case .reply(let reply) = first.outcome,
      case .failure(let error) = cassette.exchanges[1].outcome
    else {
      Issue.record("A reply and a failure were expected.")
      return
    }
    #expect(reply.status == .created && reply.text == "hi")
    #expect(reply.head.headerFields[.contentLength] == "2")
    #expect(error.code == .other)
  }

  @Test func `a slip in it is named with its line`() throws {
    let error = #expect(throws: HTTPTestingError.self) {
      try Cassette(
        har: Array(Self.har.replacing("\"status\": 201", with: "\"status\": null").utf8),
        fileName: "a.har")
    }
    #expect(error?.code == .cassetteMalformed)
    #expect(error?.detail.hasPrefix("a.har: line 5") == true)
  }
}
