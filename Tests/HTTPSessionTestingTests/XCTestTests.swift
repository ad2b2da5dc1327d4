import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import XCTest

/// XCTest's users get the same by `verify()`.
final class XCTestTests: XCTestCase {
  func testStubsAnswerAndVerifyPasses() async throws {
    let session = StubSession(Stub(.any, .text("fine")))
    let reply = try await session.send(
      HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/"))
    XCTAssertEqual(reply.body, Array("fine".utf8))
    XCTAssertNoThrow(try session.verify())
  }

  func testVerifyThrowsForAnUnusedStub() {
    let session = StubSession(Stub(.any, .text("fine")))
    XCTAssertThrowsError(try session.verify()) { error in
      XCTAssertEqual((error as? HTTPTestingError)?.code, .unusedStub)
    }
    XCTAssertNoThrow(try session.verify(allowsUnusedStubs: true))
  }

  func testVerifyThrowsForAnUnmatchedRequestThatWasSwallowed() async {
    let session = StubSession(unmatched: .throwOnly)
    _ = try? await session.send(
      HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/"))
    XCTAssertThrowsError(try session.verify()) { error in
      XCTAssertEqual((error as? HTTPTestingError)?.code, .unmatchedRequest)
    }
  }
}
