/// The idea: of a rule joined by `&&` only, every condition must hold. Two of them exclude each other if they want
/// different values of one part; if one leaves no choice of a part and the other, tried on just that, does not hold;
/// or if one is the other's negation. What `||` joins is not looked into: one side that can hold is enough.
extension RequestMatcher.Node {
  func contradiction() -> String? {
    var required: [RequestMatcher.Condition] = []
    var refused: [RequestMatcher.Node] = []
    collect(&required, &refused)
    if let problem = required.lazy.compactMap(\.problem).first { return problem }
    for (index, condition) in required.enumerated() {
      for other in required[..<index] {
        if let reason = condition.conflict(with: other) ?? other.conflict(with: condition) { return reason }
      }
    }
    for node in refused {
      guard let conditions = node.conjunction else { continue }
      let areRequired = conditions.allSatisfy { condition in required.contains { $0.implies(condition) } }
      if areRequired {
        return "it wants both (\(node.description(isNested: false))) and not that"
      }
    }
    return nil
  }

  /// The conditions that must all hold, and the rules that must not.
  private func collect(
    _ required: inout [RequestMatcher.Condition], _ refused: inout [RequestMatcher.Node]
  ) {
    switch self {
    case .condition(let condition): required.append(condition)
    case .both(let left, let right):
      left.collect(&required, &refused)
      right.collect(&required, &refused)
    case .not(.not(let node)): node.collect(&required, &refused)
    case .not(let node): refused.append(node)
    case .all, .either: break
    }
  }

  /// The conditions, if nothing but `&&` joins them.
  private var conjunction: [RequestMatcher.Condition]? {
    switch self {
    case .all: return []
    case .condition(let condition): return [condition]
    case .both(let left, let right):
      guard let left = left.conjunction, let right = right.conjunction else { return nil }
      return left + right
    case .either, .not: return nil
    }
  }
}

extension RequestMatcher.Condition {
  /// Why both cannot hold; `nil` if nothing is to be seen.
  fileprivate func conflict(with other: Self) -> String? {
    if let exclusive, let second = other.exclusive, exclusive.part == second.part,
      exclusive.value != second.value
    {
      return "the \(exclusive.part) cannot be both \(second.value) and \(exclusive.value)"
    }
    guard decides(other) == false else { return nil }
    return "it wants both (\(description)) and (\(other.description))"
  }

  /// Whether `other` holds wherever this does.
  fileprivate func implies(_ other: Self) -> Bool {
    if identity === other.identity || decides(other) == true { return true }
    return exclusive != nil && exclusive == other.exclusive
  }

  /// Whether `other` holds for the part that this leaves no choice of; `nil` if it asks for more.
  private func decides(_ other: Self) -> Bool? {
    guard let pin, other.isDecidedBy.contains(pin.part) else { return nil }
    return other.mismatch(pin.sample) == nil
  }
}
