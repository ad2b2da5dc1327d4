/// The rules of a session and how often each was used; its owner keeps it under a lock.
struct StubTable {
  private struct Entry {
    let stub: Stub
    var useCount = 0
    var isUsedUp: Bool { stub.capacity.map { useCount >= $0 } ?? false }
  }

  enum Claim {
    case answer(Answer)
    case failure(HTTPTestingError)
  }

  /// The most unmatched requests that are kept.
  static let unmatchedCountMax = 1_024

  private var entries: [Entry] = []
  private(set) var unmatchedRequests: [SentRequest] = []

  var unusedStubs: [Stub] { entries.filter { $0.useCount == 0 }.map(\.stub) }

  mutating func add(_ stub: Stub) { entries.append(Entry(stub: stub)) }

  mutating func claim(_ request: SentRequest) -> Claim {
    for index in entries.indices {
      let entry = entries[index]
      guard !entry.isUsedUp, entry.stub.matcher.evaluate(request).isMatch else { continue }
      if let problem = entry.stub.problem { return .failure(problem) }
      entries[index].useCount += 1
      if let answer = entry.stub.answer(at: entry.useCount) { return .answer(answer) }
    }
    if unmatchedRequests.count < Self.unmatchedCountMax { unmatchedRequests.append(request) }
    return .failure(unmatched(request))
  }

  private func unmatched(_ request: SentRequest) -> HTTPTestingError {
    var nearest: (entry: Entry, result: MatchResult)?
    for entry in entries {
      let result = entry.stub.matcher.evaluate(request)
      if nearest.map({ result.isNearer(than: $0.result) }) ?? true { nearest = (entry, result) }
    }
    guard let nearest else {
      return HTTPTestingError(
        .unmatchedRequest, "\(request): the session has no stubs. Add one for it.")
    }
    let reason =
      nearest.result.isMatch
      ? "it was used up after \(nearest.entry.useCount) of \(nearest.entry.useCount) answers"
      : nearest.result.mismatches.joined(separator: "; ")
    return HTTPTestingError(
      .unmatchedRequest,
      "\(request) matches none of \(entries.count) stubs. The nearest is the one for \(nearest.entry.stub): "
        + "\(reason).")
  }
}
