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
    /// A part of which the condition leaves no choice; rules that look at that part alone can be tried on it.
    var pin: Pin?
    /// The pinned parts that decide whether the condition holds.
    var isDecidedBy: Set<Pin.Part> = []
    /// Why no request meets the condition; `nil` if one can.
    var problem: String?
    /// Tells a condition from another in the same words.
    let identity = Identity()
  }

  /// What is the same in all copies of one condition.
  final class Identity: Sendable {}

  /// A part of a request that must be just so, and a request that has it.
  struct Pin: Sendable {
    enum Part: Hashable, Sendable { case query, body, json }

    let part: Part
    let sample: SentRequest
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
    _ description: String, exclusive: Exclusive? = nil, pin: Pin? = nil,
    isDecidedBy parts: Set<Pin.Part> = [], problem: String? = nil,
    mismatch: @escaping @Sendable (SentRequest) -> String?
  ) {
    node = .condition(
      Condition(
        description: description, exclusive: exclusive, mismatch: mismatch, pin: pin, isDecidedBy: parts,
        problem: problem))
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
