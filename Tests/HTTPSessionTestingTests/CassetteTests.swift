import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Testing

/// A file in a folder of its own that is removed with it.
final class TemporaryFile: Sendable {
  let url: URL

  init(_ name: String = "cassette.json", containing text: String? = nil) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "kit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appending(path: name)
    if let text { try Data(text.utf8).write(to: url) }
  }

  var folder: URL { url.deletingLastPathComponent() }
  func text() throws -> String { String(decoding: try Data(contentsOf: url), as: UTF8.self) }

  deinit { try? FileManager.default.removeItem(at: folder) }
}

@Suite struct `When exchanges are recorded on a cassette` {
  func upstream() -> StubSession {
    StubSession(
      Stub(.get("/users"), .json(["users": ["Ada"]], headers: [.contentLength: "18"])),
      Stub(.get("/broken"), .failure(.connectionLost)),
      Stub(.post("/users"), .text("made\nit", status: .created)),
      Stub(.get("/picture"), .data([0xFF, 0xD8, 0x00, 0x01])))
  }

  @Test func `they are replayed ever after without the upstream`() async throws {
    let file = try TemporaryFile()
    let recording = try CassetteSession(file: file.url, mode: .once, upstream: upstream())
    let first = try await recording.send(get("/users"))
    let made = try await recording.send(post("/users"), body: Array("Ada".utf8))
    let picture = try await recording.send(get("/picture"))
    try recording.finish()

    let replaying = try CassetteSession(file: file.url)
    #expect(try await replaying.send(get("/users")).body == first.body)
    #expect(try await replaying.send(post("/users"), body: Array("Ada".utf8)) == made)
    #expect(try await replaying.send(get("/picture")) == picture)
    try replaying.verify()
  }

  @Test func `an error is recorded and thrown again`() async throws {
    let file = try TemporaryFile()
    let recording = try CassetteSession(file: file.url, mode: .once, upstream: upstream())
    let first = await #expect(throws: TransportError.self) {
      try await recording.send(get("/broken"))
    }
    try recording.finish()
    let replaying = try CassetteSession(file: file.url)
    let second = await #expect(throws: TransportError.self) {
      try await replaying.send(get("/broken"))
    }
    #expect(first == second && second?.code == .connectionLost)
  }

  @Test func `the file is for people and ends in the same text when it is written again`()
    async throws
  {
    let file = try TemporaryFile()
    let recording = try CassetteSession(file: file.url, mode: .once, upstream: upstream())
    _ = try await recording.send(get("/users?page=1"))
    try recording.finish()
    let text = try file.text()
    #expect(
      text == """
        {
          "format": 1,
          "exchanges": [
            {
              "request": {
                "method": "GET",
                "scheme": "https",
                "authority": "a.example",
                "path": "/users?page=1"
              },
              "reply": {
                "status": 200,
                "headers": [
                  "content-length: 17",
                  "content-type: application/json"
                ],
                "body": {
                  "json": {
                    "users": [
                      "Ada"
                    ]
                  }
                }
              }
            }
          ]
        }

        """)
    try Cassette(contentsOf: file.url).write(to: file.url)
    #expect(try file.text() == text)
  }

  @Test func `a cassette that was recorded and not saved fails the test`() async throws {
    let file = try TemporaryFile()
    try await withUnmatchedIssue(code: .cassetteNotSaved) {
      let recording = try CassetteSession(file: file.url, mode: .once, upstream: upstream())
      _ = try await recording.send(get("/users"))
    }
  }

  @Test func `recordings that could not be written can be written later`() async throws {
    let blocked = try TemporaryFile("folder", containing: "a file where a folder should be")
    let file = blocked.url.appending(path: "cassette.json")
    let session = try CassetteSession(file: file, mode: .once, upstream: upstream())
    _ = try await session.send(get("/users"))
    let error = #expect(throws: HTTPTestingError.self) { try session.finish() }
    #expect(error?.code == .cassetteNotSaved)
    try FileManager.default.removeItem(at: blocked.url)
    try session.finish()
    #expect(try Cassette(contentsOf: file).exchanges.count == 1)
  }

  @Test func `a request under the trait noNetwork is not recorded`() async throws {
    let file = try TemporaryFile()
    let session = try CassetteSession(
      file: file.url, mode: .once, upstream: upstream(), unmatched: .throwOnly)
    let error = await #expect(throws: HTTPTestingError.self) {
      try await NetworkAccess.$isForbidden.withValue(true) { try await session.send(get("/users")) }
    }
    #expect(error?.code == .networkForbidden)
  }
}

@Suite struct `When a cassette is replayed` {
  /// A cassette with two replies to one request, and one to another.
  let file: TemporaryFile

  init() throws {
    file = try TemporaryFile()
    func reply(_ text: String) -> RecordedExchange.Outcome {
      .reply(HTTPReply(head: HTTPResponse(status: .ok), body: Array(text.utf8)))
    }
    try Cassette(exchanges: [
      RecordedExchange(SentRequest(get("/a")), reply("a1")),
      RecordedExchange(SentRequest(get("/b")), reply("b1")),
      RecordedExchange(SentRequest(get("/a")), reply("a2")),
    ]).write(to: file.url)
  }

  @Test func `exchanges of one request are played in order and each once`() async throws {
    let session = try CassetteSession(file: file.url, unmatched: .throwOnly)
    #expect(try await session.send(get("/a")).text == "a1")
    #expect(try await session.send(get("/a")).text == "a2")
    #expect(try await session.send(get("/b")).text == "b1")
    let error = await #expect(throws: HTTPTestingError.self) { try await session.send(get("/a")) }
    #expect(error?.code == .unmatchedRequest)
    #expect(error?.detail.contains("all were played") == true)
  }

  @Test(arguments: [
    (CassetteSession.Repeats.last, ["a1", "a2", "a2", "a2"]),
    (.startAgain, ["a1", "a2", "a1", "a2"]),
  ])
  func `repeats say what comes after the last`(
    repeats: CassetteSession.Repeats, expected: [String]
  ) async throws {
    let session = try CassetteSession(file: file.url, repeats: repeats)
    var texts: [String] = []
    for _ in expected { texts.append(try await session.send(get("/a")).text) }
    #expect(texts == expected)
  }

  @Test func `a request that was not recorded fails the test and names the nearest`() async throws {
    let error = try await withUnmatchedIssue {
      let session = try CassetteSession(file: file.url)
      return await #expect(throws: HTTPTestingError.self) { try await session.send(post("/b")) }
    }
    #expect(error?.detail.contains("The nearest is GET https://a.example/b") == true)
    #expect(error?.detail.contains("expected method is GET, but it is POST") == true)
  }

  @Test func `an exchange that nobody asked for is named by verify`() async throws {
    let session = try CassetteSession(file: file.url)
    _ = try await session.send(get("/a"))
    let error = #expect(throws: HTTPTestingError.self) { try session.verify() }
    #expect(error?.code == .unplayedExchange)
    try session.verify(allowsUnplayedExchanges: true)
  }

  @Test func `a JSON body matches whatever the order of its members`() async throws {
    let file = try TemporaryFile()
    let recorded = SentRequest(post("/a"), body: Array(#"{"x":1,"y":2}"#.utf8))
    try Cassette(exchanges: [
      RecordedExchange(recorded, .reply(HTTPReply(head: HTTPResponse(status: .ok))))
    ])
    .write(to: file.url)
    let session = try CassetteSession(file: file.url)
    #expect(
      try await session.send(post("/a"), body: Array(#"{ "y": 2, "x": 1.0 }"#.utf8)).status == .ok)
  }
}

@Suite struct `When a cassette's mode is` {
  let file: TemporaryFile
  let upstream = StubSession(Stub(.any, .text("new")))

  init() throws {
    file = try TemporaryFile()
    let old = RecordedExchange.Outcome.reply(
      HTTPReply(head: HTTPResponse(status: .ok), body: Array("old".utf8)))
    try Cassette(exchanges: [
      RecordedExchange(SentRequest(get("/a")), old), RecordedExchange(SentRequest(get("/b")), old),
    ]).write(to: file.url)
  }

  func session(_ mode: CassetteSession.Mode) throws -> CassetteSession {
    try CassetteSession(file: file.url, mode: mode, upstream: upstream, unmatched: .throwOnly)
  }

  func texts() throws -> [String] {
    try Cassette(contentsOf: file.url).exchanges.map { exchange in
      guard case .reply(let reply) = exchange.outcome else { return "failure" }
      return "\(exchange.request.path) \(reply.text)"
    }
  }

  @Test(arguments: [CassetteSession.Mode.none, .once])
  func `none or once it only replays what is there`(mode: CassetteSession.Mode) async throws {
    let session = try session(mode)
    #expect(try await session.send(get("/a")).text == "old")
    await #expect(throws: HTTPTestingError.self) { try await session.send(get("/c")) }
    try session.finish()
    #expect(upstream.journal.count == 0)
    #expect(try texts() == ["/a old", "/b old"])
  }

  @Test func `newEpisodes it replays what is there and records what is not`() async throws {
    let session = try session(.newEpisodes)
    #expect(try await session.send(get("/a")).text == "old")
    #expect(try await session.send(get("/c")).text == "new")
    try session.finish()
    #expect(try texts() == ["/a old", "/b old", "/c new"])
  }

  @Test func `all it records in place and keeps what was not asked for`() async throws {
    let session = try session(.all)
    #expect(try await session.send(get("/a")).text == "new")
    #expect(try await session.send(get("/c")).text == "new")
    try session.finish()
    #expect(try texts() == ["/a new", "/b old", "/c new"])
  }

  @Test func `rewrite the file becomes what this run recorded`() async throws {
    let session = try session(.rewrite)
    #expect(try await session.send(get("/b")).text == "new")
    try session.finish()
    #expect(try texts() == ["/b new"])
  }

  @Test func `none and there is no file the error names it and the way out`() throws {
    let missing = file.folder.appending(path: "missing.json")
    let error = #expect(throws: HTTPTestingError.self) { try CassetteSession(file: missing) }
    #expect(error?.code == .cassetteMissing)
    #expect(
      error?.detail.contains("missing.json") == true && error?.detail.contains("mode .once") == true
    )
  }
}
