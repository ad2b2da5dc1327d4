/// A rule: requests that meet a matcher get these answers.
///
/// - One answer is given again and again.
/// - Several are given in order, then the stub is used up, unless ``repeatingLast()``.
/// - ``times(_:)`` and ``once()`` bound how often the stub answers in all.
///
/// A used-up stub no longer matches: the request goes to the next stub that does.
public struct Stub: Sendable, CustomStringConvertible {
  /// Which requests it answers.
  public let matcher: RequestMatcher

  let answers: [Answer]
  private(set) var useCountMax: Int?
  private(set) var repeatsLast: Bool
  private(set) var name: String?

  /// Makes a stub that gives `answers` in order.
  public init(_ matcher: RequestMatcher, _ answers: Answer...) {
    self.init(matcher, inOrder: answers)
  }

  /// Makes a stub that gives `answers` in order; for answers that were computed.
  public init(_ matcher: RequestMatcher, inOrder answers: [Answer]) {
    self.matcher = matcher
    self.answers = answers
    repeatsLast = answers.count == 1
  }

  /// The same stub, giving its last answer again and again once the others were given.
  public func repeatingLast() -> Stub {
    var stub = self
    stub.repeatsLast = true
    return stub
  }

  /// The same stub, answering `count` requests in all.
  public func times(_ count: Int) -> Stub {
    var stub = self
    stub.useCountMax = count
    return stub
  }

  /// The same stub, answering one request in all.
  public func once() -> Stub { times(1) }

  /// The same stub, called `name` in what is reported.
  public func named(_ name: String) -> Stub {
    var stub = self
    stub.name = name
    return stub
  }

  /// The stub's name, if it has one, and its rule.
  public var description: String { name.map { "\"\($0)\" (\(matcher))" } ?? "\(matcher)" }

  /// How many requests it can answer; `nil` for any number.
  var capacity: Int? { useCountMax ?? (repeatsLast ? nil : answers.count) }

  /// The answer to its request number `index`, counted from 0; `nil` if it is used up.
  func answer(at index: Int) -> Answer? {
    if let capacity, index >= capacity { return nil }
    return answers.indices.contains(index) ? answers[index] : answers.last
  }

  /// Why the stub's rules cannot all hold; `nil` if they can.
  var problem: HTTPTestingError? {
    func contradiction(_ reason: String) -> HTTPTestingError {
      HTTPTestingError(.contradictoryStub, "The stub for \(self): \(reason)")
    }
    if let reason = matcher.contradiction {
      return contradiction("\(reason). No request can match it.")
    }
    if answers.isEmpty {
      return contradiction("it has no answer. Give it one, or leave the stub out.")
    }
    if let broken = answers.lazy.compactMap(\.problem).first {
      return HTTPTestingError(broken.code, "The stub for \(self): \(broken.detail)")
    }
    guard let useCountMax else { return nil }
    if useCountMax < 1 {
      return contradiction("it answers \(useCountMax) times. Leave the stub out.")
    }
    if useCountMax < answers.count {
      return contradiction(
        "it answers \(useCountMax) times but has \(answers.count) answers. Raise times(_:), or drop answers."
      )
    }
    if useCountMax > answers.count && !repeatsLast {
      return contradiction(
        "it answers \(useCountMax) times but has \(answers.count) answers. Add repeatingLast(), or answers."
      )
    }
    return nil
  }
}
