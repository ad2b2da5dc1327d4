public import HTTPTransport
public import HTTPTypes

/// A session that puts a network's faults before any other session, a stub, a simulated upstream or a real one.
///
/// ```swift
/// let session = FaultySession(wrapping: upstream, plan: .script([.timeout, nil, .resetInBody]))
/// let shaken = FaultySession(wrapping: upstream, plan: .random(probability: 0.2))
/// ```
/// A fault that strikes after sending (``Fault/resetInBody``, ``Fault/stall``, ``Fault/truncatedBody``,
/// ``Fault/malformedChunk``) asks the wrapped session first and drops its reply: the upstream has seen the
/// request. ``Fault/timeout`` and ``Fault/stall`` come at the caller's deadline, on the injected clock.
public final class FaultySession: HTTPSession, OrderedSession {
  /// What was asked, in order, with bodies; failed requests included.
  public let journal = RequestJournal()

  /// Which requests fail and how.
  public let plan: FaultPlan

  private struct State {
    var sequence: FaultSequence
    var injected: [Fault?] = []
  }

  private let wrapped: any HTTPSession
  private let clock: any Clock<Duration>
  private let state: LockedValue<State>

  /// The most entries that ``injected`` keeps.
  public static let injectedCountMax = 65_536

  /// Makes a session.
  ///
  /// - Parameters:
  ///   - wrapped: What answers when no fault strikes.
  ///   - plan: Which requests fail and how.
  ///   - clock: What the slow faults wait on.
  public init(
    wrapping wrapped: any HTTPSession, plan: FaultPlan,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.wrapped = wrapped
    self.plan = plan
    self.clock = clock
    state = LockedValue(State(sequence: FaultSequence(plan)))
  }

  /// What became of each request, in order: the fault, or `nil` for those let through.
  public var injected: [Fault?] { state.withLock { $0.injected } }

  /// Fails as the plan says, or lets the wrapped session answer.
  public func send(
    _ request: HTTPRequest, body: [UInt8], limits: TransportLimits
  ) async throws -> HTTPReply {
    try await begin(SentRequest(request, body: body, limits: limits))()
  }

  func begin(_ request: SentRequest) -> PendingReply {
    journal.record(request)
    let fault = state.withLock { state in
      let fault = state.sequence.next()
      if state.injected.count < Self.injectedCountMax { state.injected.append(fault) }
      return fault
    }
    guard let fault else { return wrapped.start(request) }
    let sending = fault.moment == .afterSending ? wrapped.start(request) : nil
    let note = plan.seed.map { " Seed \($0)." } ?? ""
    let failing = Answer { sent in throw fault.error(for: sent, note: note) }
    guard fault.isSlow else {
      return { [clock] in
        _ = try await sending?()
        return try await failing.perform(for: request, clock: clock)
      }
    }
    var slow = failing
    slow.timing.awaitsDeadline = true
    return { [slow, clock] in try await Self.race(sending, against: slow, for: request, clock: clock) }
  }

  /// Both at once: the deadline counts from when the request was sent, however long the wrapped session takes.
  /// Its reply is dropped, its error is not.
  private static func race(
    _ sending: PendingReply?, against slow: Answer, for request: SentRequest, clock: any Clock<Duration>
  ) async throws -> HTTPReply {
    guard let sending else { return try await slow.perform(for: request, clock: clock) }
    return try await withThrowingTaskGroup(of: HTTPReply?.self) { group in
      group.addTask {
        _ = try await sending()
        return nil
      }
      group.addTask { try await slow.perform(for: request, clock: clock) }
      while let reply = try await group.next() { if let reply { return reply } }
      throw CancellationError()
    }
  }
}
