extension RequestMatcher.Node {
  func description(isNested: Bool) -> String {
    let text: String
    switch self {
    case .all: return "any request"
    case .condition(let condition): return condition.description
    case .not(let node): return "not (\(node.description(isNested: false)))"
    case .both(let left, let right):
      return "\(left.description(isNested: true)) and \(right.description(isNested: true))"
    case .either(let left, let right):
      text = "\(left.description(isNested: true)) or \(right.description(isNested: true))"
    }
    return isNested ? "(\(text))" : text
  }

  func evaluate(_ request: SentRequest) -> MatchResult {
    switch self {
    case .all: return MatchResult(metCount: 0, mismatches: [])
    case .condition(let condition):
      guard let actual = condition.mismatch(request) else {
        return MatchResult(metCount: 1, mismatches: [])
      }
      return MatchResult(
        metCount: 0, mismatches: ["expected \(condition.description), but \(actual)"])
    case .both(let left, let right):
      let (left, right) = (left.evaluate(request), right.evaluate(request))
      return MatchResult(
        metCount: left.metCount + right.metCount, mismatches: left.mismatches + right.mismatches)
    case .either(let left, let right):
      let (left, right) = (left.evaluate(request), right.evaluate(request))
      if left.isMatch { return left }
      return right.isNearer(than: left) ? right : left
    case .not(let node):
      let inner = node.evaluate(request)
      guard inner.isMatch else { return MatchResult(metCount: 1, mismatches: []) }
      return MatchResult(
        metCount: 0, mismatches: ["expected \(description(isNested: false)), but it is"])
    }
  }
}
