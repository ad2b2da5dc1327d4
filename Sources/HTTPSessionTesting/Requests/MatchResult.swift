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
