/// A rule that a request meets or not, and that can say why not.
///
/// Rules combine with `&&`, `||` and `!`:
/// ```swift
/// .method(.post) && .path("/users") && !.header(.authorization)
/// ```
public struct RequestMatcher: Sendable, CustomStringConvertible {
  /// One condition on one part of a request.
  struct Condition: Sendable {
    /// The part and what it must be, such as `method is GET`.
    let description: String
    /// The part and its only possible value, if the condition leaves just one: two of them on one part
    /// contradict each other.
    let exclusive: Exclusive?
    /// What the part is instead; `nil` if the condition holds.
    let mismatch: @Sendable (SentRequest) -> String?
  }

  /// A part of a request and the one value it must have.
  struct Exclusive: Hashable, Sendable {
    let part: String
    let value: String
  }

  indirect enum Node: Sendable {
    case all
    case condition(Condition)
    case both(Node, Node)
    case either(Node, Node)
    case not(Node)
  }

  let node: Node

  init(node: Node) { self.node = node }

  init(
    _ description: String, exclusive: Exclusive? = nil,
    mismatch: @escaping @Sendable (SentRequest) -> String?
  ) {
    node = .condition(Condition(description: description, exclusive: exclusive, mismatch: mismatch))
  }

  /// Whether both rules are met.
  public static func && (left: RequestMatcher, right: RequestMatcher) -> RequestMatcher {
    RequestMatcher(node: .both(left.node, right.node))
  }

  /// Whether one of the rules is met, or both.
  public static func || (left: RequestMatcher, right: RequestMatcher) -> RequestMatcher {
    RequestMatcher(node: .either(left.node, right.node))
  }

  /// Whether the rule is not met.
  public static prefix func ! (matcher: RequestMatcher) -> RequestMatcher {
    RequestMatcher(node: .not(matcher.node))
  }

  /// The rule in words, values of secrets replaced.
  public var description: String { node.description(isNested: false) }

  /// Whether `request` meets the rule, and if not, why not.
  public func evaluate(_ request: SentRequest) -> MatchResult { node.evaluate(request) }

  /// Two conditions that can never hold together; `nil` if there are none to be seen.
  var contradiction: String? { node.contradiction() }
}

/// How well a request met a rule.
public struct MatchResult: Hashable, Sendable {
  /// How many conditions held.
  public internal(set) var metCount: Int

  /// Each condition that did not hold and what was there instead; empty for a match.
  public internal(set) var mismatches: [String]

  /// Whether the rule is met.
  public var isMatch: Bool { mismatches.isEmpty }

  /// Whether this result is nearer to a match than `other`: fewer conditions failed or, as many, more held.
  func isNearer(than other: MatchResult) -> Bool {
    (mismatches.count, -metCount) < (other.mismatches.count, -other.metCount)
  }
}

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

  func contradiction() -> String? {
    var values: [String: String] = [:]
    var found: String?
    collectExclusives { exclusive in
      if let other = values[exclusive.part], other != exclusive.value, found == nil {
        found = "the \(exclusive.part) cannot be both \(other) and \(exclusive.value)"
      }
      values[exclusive.part] = exclusive.value
    }
    return found
  }

  /// Visits the conditions that must all hold.
  private func collectExclusives(_ visit: (RequestMatcher.Exclusive) -> Void) {
    switch self {
    case .condition(let condition): if let exclusive = condition.exclusive { visit(exclusive) }
    case .both(let left, let right):
      left.collectExclusives(visit)
      right.collectExclusives(visit)
    case .all, .either, .not: break
    }
  }
}
