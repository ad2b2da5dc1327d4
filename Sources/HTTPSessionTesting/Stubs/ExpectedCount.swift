/// How often something is expected.
public struct ExpectedCount: Hashable, Sendable, CustomStringConvertible {
  /// The fewest and the most, both inclusive.
  let range: ClosedRange<Int>

  /// Exactly so often.
  public static func exactly(_ count: Int) -> ExpectedCount { ExpectedCount(range: count...count) }
  /// So often or more.
  public static func atLeast(_ count: Int) -> ExpectedCount {
    ExpectedCount(range: count...Int.max)
  }
  /// So often or less.
  public static func atMost(_ count: Int) -> ExpectedCount { ExpectedCount(range: 0...count) }
  /// Exactly once.
  public static let once = exactly(1)
  /// Not at all.
  public static let never = exactly(0)

  /// The count in words.
  public var description: String {
    if range.lowerBound == range.upperBound { return "exactly \(range.lowerBound)" }
    return range.upperBound == .max ? "at least \(range.lowerBound)" : "at most \(range.upperBound)"
  }
}
