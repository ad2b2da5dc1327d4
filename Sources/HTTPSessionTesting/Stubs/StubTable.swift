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

  /// The positions of the entries in the order in which they are tried; an entry keeps its position for good, so
  /// that results which were found out without the lock stay with theirs.
  private var searchOrder: [Int] = []

  mutating func add(_ stub: Stub) {
    searchOrder.append(entries.count)
    entries.append(Entry(stub: stub))
  }

  /// Adds rules that are tried before all others, and says where they stand.
  mutating func addInFront(_ stubs: [Stub]) -> Range<Int> {
    let added = entries.count..<entries.count + stubs.count
    entries += stubs.map { Entry(stub: $0) }
    searchOrder = Array(added) + searchOrder
    return added
  }

  func unusedStubs(at positions: Range<Int>) -> [Stub] {
    entries[positions].filter { $0.useCount == 0 }.map(\.stub)
  }

  var stubs: [Stub] { entries.map(\.stub) }

  /// Picks the answer to a request.
  ///
  /// - Parameter results: How well the request met each stub's rule, found out without the lock: a rule may be a
  ///   closure of the user's, which may ask the session something.
  mutating func claim(_ request: SentRequest, _ results: [MatchResult]) -> Claim {
    for index in searchOrder
    where index < results.count && results[index].isMatch && !entries[index].isUsedUp {
      let entry = entries[index]
      if let problem = entry.stub.problem { return .failure(problem) }
      entries[index].useCount += 1
      if let answer = entry.stub.answer(at: entry.useCount) { return .answer(answer) }
    }
    if unmatchedRequests.count < Self.unmatchedCountMax { unmatchedRequests.append(request) }
    return .failure(unmatched(request, results))
  }

  private func unmatched(_ request: SentRequest, _ results: [MatchResult]) -> HTTPTestingError {
    let nearest = zip(entries, results).enumerated().min { left, right in
      left.element.1.isNearer(than: right.element.1)
    }
    guard let (_, (entry, result)) = nearest else {
      return HTTPTestingError(
        .unmatchedRequest, "\(request): the session has no stubs. Add one for it.")
    }
    let reason =
      result.isMatch
      ? "it was used up after \(entry.useCount) of \(entry.useCount) answers"
      : result.mismatches.joined(separator: "; ")
    return HTTPTestingError(
      .unmatchedRequest,
      "\(request) matches none of \(results.count) stubs. The nearest is the one for \(entry.stub): "
        + "\(reason).")
  }
}
