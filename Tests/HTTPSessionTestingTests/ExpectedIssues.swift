import HTTPSessionTesting
import Testing

/// Runs `operation`, in which the kit must fail the test with a message that has `text` in it, and nothing else may.
func expectIssue(
  containing text: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ operation: () async throws -> Void
) async throws {
  var outcome: Result<Void, any Error> = .success(())
  await withKnownIssue(sourceLocation: sourceLocation) {
    do { try await operation() } catch { outcome = .failure(error) }
  } matching: { issue in
    issue.comments.contains { $0.rawValue.contains(text) }
  }
  try outcome.get()
}

/// Runs `operation`, in which the kit must fail the test with `code`.
func withUnmatchedIssue<Value>(
  code: HTTPTestingError.Code = .unmatchedRequest,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ operation: () async throws -> Value
) async throws -> Value {
  var value: Value?
  try await expectIssue(containing: "\(code): ", sourceLocation: sourceLocation) {
    value = try await operation()
  }
  return try #require(value, sourceLocation: sourceLocation)
}
