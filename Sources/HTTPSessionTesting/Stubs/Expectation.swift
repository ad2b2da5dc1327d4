import HTTPTypes

/// What a ``MockSession`` expects: requests that meet a rule, so many times, and what they get.
public struct Expectation: Sendable, CustomStringConvertible {
  let matcher: RequestMatcher
  let count: ExpectedCount
  let answers: [Answer]

  /// Expects requests.
  ///
  /// - Parameters:
  ///   - matcher: Which requests.
  ///   - count: How many of them; one unless you say so.
  ///   - answers: What they get, in order, the last again and again; `200` without content if there are none.
  public init(_ matcher: RequestMatcher, _ count: ExpectedCount = .once, answers: Answer...) {
    self.matcher = matcher
    self.count = count
    self.answers = answers.isEmpty ? [.status(.ok)] : answers
  }

  /// Count and rule.
  public var description: String { "\(count) of \(matcher)" }
}
