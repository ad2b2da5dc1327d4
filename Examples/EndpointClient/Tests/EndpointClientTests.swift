import EndpointClient
import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Synchronization
import Testing
import URLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct Note: Codable, Hashable, Sendable {
  let id: Int
  let text: String
}

/// A body that cannot be written as JSON.
struct Unwritable: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self, .init(codingPath: [], debugDescription: "It has no JSON form."))
  }
}

/// The two ways to put the kit behind the client: they must not make a difference.
enum Seam: CaseIterable, Sendable {
  case dataTaskSession
  case urlSession

  func client(_ stub: any HTTPSession) -> EndpointClient {
    switch self {
    case .dataTaskSession: EndpointClient(session: StubDataTaskSession(stub))
    case .urlSession: EndpointClient(session: URLSession(configuration: .stubbed(by: stub)))
    }
  }
}

let base = "https://notes.example"
let note = Endpoint<Note>(base: base, path: "/notes/1")

extension EndpointError {
  var statusCode: Int? { if case .status(let code, _) = self { code } else { nil } }
  var urlErrorCode: URLError.Code? {
    if case .transport(let error as URLError) = self { error.code } else { nil }
  }
  var isNoData: Bool { if case .noData = self { true } else { false } }
  var isDecoding: Bool { if case .decoding = self { true } else { false } }
  var isEncoding: Bool { if case .encoding = self { true } else { false } }
  var isInvalidURL: Bool { if case .invalidURL = self { true } else { false } }
  var isNotHTTP: Bool { if case .notHTTP = self { true } else { false } }
  var isCancelled: Bool { if case .cancelled = self { true } else { false } }
}

@Suite struct `When an endpoint is asked` {
  @Test(arguments: Seam.allCases) func `success`(seam: Seam) async throws {
    let stub = StubSession(Stub(.get("\(base)/notes/1"), .json(["id": 1, "text": "milk"])))
    let value = try await seam.client(stub).response(to: note)
    #expect(value == Note(id: 1, text: "milk"))
  }

  @Test(arguments: Seam.allCases) func `a body and headers are sent with POST`(seam: Seam)
    async throws
  {
    let stub = StubSession(
      Stub(
        .post("/notes?draft=true") && .header(.authorization, "Bearer t")
          && .header(.contentType, "application/json") && .json(["id": 2, "text": "tea"]),
        .json(["id": 2, "text": "tea"], status: .created)))
    let endpoint = Endpoint<Note>(
      .post, base: base, path: "/notes", query: [("draft", "true")],
      headers: ["Authorization": "Bearer t"],
      body: Note(id: 2, text: "tea"))
    #expect(try await seam.client(stub).response(to: endpoint).id == 2)
  }

  @Test(arguments: Seam.allCases) func `failure status`(seam: Seam) async throws {
    let stub = StubSession(Stub(.any, .json(["error": "gone"], status: .notFound)))
    let error = await #expect(throws: EndpointError.self) {
      try await seam.client(stub).response(to: note)
    }
    guard case .status(404, let body) = error else {
      Issue.record("\(String(describing: error)) is no 404.")
      return
    }
    #expect(String(decoding: body, as: UTF8.self) == #"{"error":"gone"}"#)
  }

  @Test(arguments: Seam.allCases) func `transport error`(seam: Seam) async throws {
    let stub = StubSession(Stub(.any, .fault(.connectionRefused)))
    let error = await #expect(throws: EndpointError.self) {
      try await seam.client(stub).response(to: note)
    }
    #expect(error?.urlErrorCode == .cannotConnectToHost)
  }

  @Test(arguments: Seam.allCases) func `no data`(seam: Seam) async throws {
    let error = await #expect(throws: EndpointError.self) {
      try await seam.client(StubSession(Stub(.any, .status(.ok)))).response(to: note)
    }
    #expect(error?.isNoData == true)
  }

  @Test func `no data at all from a data task`() async throws {
    let session = StubDataTaskSession { request in
      let url = request.url ?? URL(filePath: "/")
      return .init(
        response: HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
    }
    let error = await #expect(throws: EndpointError.self) {
      try await EndpointClient(session: session).response(to: note)
    }
    #expect(error?.isNoData == true)
  }

  @Test(arguments: Seam.allCases) func `undecodable data`(seam: Seam) async throws {
    let stub = StubSession(Stub(.any, .text("<html>")))
    let error = await #expect(throws: EndpointError.self) {
      try await seam.client(stub).response(to: note)
    }
    #expect(error?.isDecoding == true)
  }

  @Test(arguments: Seam.allCases)
  func `encoding failure of a request body that is then not sent`(seam: Seam) async throws {
    let stub = StubSession(Stub(.any, .status(.ok)))
    let endpoint = Endpoint<NoContent>(.post, base: base, path: "/notes", body: Unwritable())
    let error = await #expect(throws: EndpointError.self) {
      try await seam.client(stub).response(to: endpoint)
    }
    #expect(error?.isEncoding == true)
    #expect(stub.journal.count == 0)
  }

  @Test(arguments: ["", "notes.example", "ftp://notes.example", "https://", "https://a b"])
  func `invalid URL`(base: String) async throws {
    let session = StubDataTaskSession(DummySession())
    let error = await #expect(throws: EndpointError.self) {
      try await EndpointClient(session: session).response(
        to: Endpoint<Note>(base: base, path: "/notes"))
    }
    #expect(error?.isInvalidURL == true)
    #expect(session.tasks.isEmpty)
  }

  @Test(arguments: Seam.allCases, [301, 302, 304, 307])
  func `3xx not taken for success`(seam: Seam, code: Int) async throws {
    let answer = Answer.status(.init(code: code), headers: [.location: "\(base)/elsewhere"])
    let error = await #expect(throws: EndpointError.self) {
      try await seam.client(StubSession(Stub(.any, answer))).response(to: note)
    }
    #expect(error?.statusCode == code)
  }

  @Test(arguments: Seam.allCases) func `DELETE without a body decoded`(seam: Seam) async throws {
    let stub = StubSession(Stub(.delete("/notes/1") && .emptyBody, .status(.noContent)))
    let endpoint = Endpoint<NoContent>(.delete, base: base, path: "/notes/1")
    #expect(try await seam.client(stub).response(to: endpoint) == NoContent())
  }

  @Test func `a non-HTTP response`() async throws {
    let session = StubDataTaskSession { request in
      let url = request.url ?? URL(filePath: "/")
      return .init(
        data: Data("hello".utf8),
        response: URLResponse(
          url: url, mimeType: nil, expectedContentLength: 5, textEncodingName: nil))
    }
    let error = await #expect(throws: EndpointError.self) {
      try await EndpointClient(session: session).response(to: note)
    }
    #expect(error?.isNotHTTP == true)
  }

  @Test(arguments: Seam.allCases) func `a handler that throws`(seam: Seam) async throws {
    struct OutOfPaper: Error {}
    let stub = StubSession(Stub(.any, .computed { _ in throw OutOfPaper() }))
    let error = await #expect(throws: EndpointError.self) {
      try await seam.client(stub).response(to: note)
    }
    guard case .transport(let cause) = error else {
      Issue.record("\(String(describing: error)) is no transport error.")
      return
    }
    #expect(cause is OutOfPaper)
  }

  @Test(arguments: Seam.allCases)
  func `two requests through one session in flight at once`(seam: Seam) async throws {
    let gate = Gate()
    let stub = StubSession(
      Stub(
        .path(matching: "/notes/*"),
        .computed { sent in
          let id = Int(sent.path.split(separator: "/").last ?? "") ?? 0
          return .json(["id": .integer(Int64(id)), "text": "n"])
        }.held(at: gate)))
    let client = seam.client(stub)
    async let first = client.response(to: Endpoint<Note>(base: base, path: "/notes/1"))
    async let second = client.response(to: Endpoint<Note>(base: base, path: "/notes/2"))
    try await gate.waitForWaiting(count: 2)
    gate.open()
    #expect(try await [first.id, second.id] == [1, 2])
  }
}

@Suite struct `When an endpoint is asked with a completion` {
  @Test(arguments: Seam.allCases) func `completion exactly once`(seam: Seam) async throws {
    let stub = StubSession(Stub(.any, .json(["id": 1, "text": "milk"])))
    let calls = Mutex(0)
    let client = seam.client(stub)
    for _ in 0..<20 {
      await withCheckedContinuation { continuation in
        // A second call would resume the continuation twice, which traps.
        client.send(note) { (value: Note?, error: EndpointError?) in
          calls.withLock { $0 += 1 }
          #expect(value?.id == 1 && error == nil)
          continuation.resume()
        }
      }
    }
    #expect(calls.withLock { $0 } == 20)
    #expect(stub.journal.count == 20)
  }

  @Test(arguments: Seam.allCases) func `the Result entry carries the error`(seam: Seam) async throws {
    let client = seam.client(StubSession(Stub(.any, .status(.internalServerError))))
    let result: Result<Note, EndpointError> = await withCheckedContinuation { continuation in
      client.send(note) { (result: Result<Note, EndpointError>) in
        continuation.resume(returning: result)
      }
    }
    guard case .failure(let error) = result else {
      Issue.record("There is no failure.")
      return
    }
    #expect(error.statusCode == 500)
  }

  @Test func `nothing is asked before the task is resumed`() throws {
    let session = StubDataTaskSession(DummySession())
    let url = try #require(URL(string: base))
    _ = session.dataTask(with: url) { _, _, _ in Issue.record("It completed without resume().") }
    let task = try #require(session.tasks.first)
    #expect(task.resumeCount == 0 && !task.isComplete)
    #expect(task.request.url == url)
  }
}

@Suite struct `When a call is cancelled` {
  @Test(arguments: Seam.allCases) func `cancellation before the answer`(seam: Seam) async throws {
    let stub = StubSession(Stub(.any, .json(["id": 1, "text": "milk"])))
    let client = seam.client(stub)
    let call = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await client.response(to: note)
    }
    let error = await #expect(throws: EndpointError.self) { try await call.value }
    #expect(error?.isCancelled == true)
    #expect(stub.journal.count == 0)
  }

  @Test(arguments: Seam.allCases) func `cancellation during the answer`(seam: Seam) async throws {
    let gate = Gate()
    let client = seam.client(
      StubSession(Stub(.any, .json(["id": 1, "text": "milk"]).held(at: gate))))
    let call = Task { try await client.response(to: note) }
    try await gate.waitForWaiting()
    call.cancel()
    let error = await #expect(throws: EndpointError.self) { try await call.value }
    #expect(error?.isCancelled == true)
  }

  @Test(arguments: Seam.allCases) func `cancellation after the answer`(seam: Seam) async throws {
    let client = seam.client(StubSession(Stub(.any, .json(["id": 1, "text": "milk"]))))
    let tasks = Mutex<[any DataTask]>([])
    let value: Note? = await withCheckedContinuation { continuation in
      let task = client.send(note) { (value: Note?, _: EndpointError?) in
        continuation.resume(returning: value)
      }
      tasks.withLock { $0.append(contentsOf: [task].compactMap { $0 }) }
    }
    for task in tasks.withLock({ $0 }) { task.cancel() }
    #expect(value?.id == 1)
  }

  @Test func `a task records resume and cancel`() async throws {
    let gate = Gate()
    let session = StubDataTaskSession(StubSession(Stub(.any, .status(.ok).held(at: gate))))
    let client = EndpointClient(session: session)
    let error: EndpointError? = await withCheckedContinuation { continuation in
      let task = client.send(note) { (_: Note?, error: EndpointError?) in
        continuation.resume(returning: error)
      }
      task?.cancel()
    }
    #expect(error?.isCancelled == true)
    let task = try #require(session.tasks.first)
    #expect(task.resumeCount == 1 && task.cancelCount == 1 && task.isComplete)
  }
}
