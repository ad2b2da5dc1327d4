/// When an upstream that cannot be reached is left alone, and for how long.
public struct BreakerPolicy: Hashable, Sendable {
  /// After so many failures in a row to reach the upstream it is taken to be down.
  public var consecutiveFailureCountMax: Int
  /// How long it is then left alone, the first time.
  public var coolDown: Duration
  /// The longest it is left alone: each probe that fails doubles the time up to this.
  public var coolDownMax: Duration

  /// Makes a policy.
  ///
  /// - Precondition: At least one failure, and times that are not negative.
  public init(
    consecutiveFailureCountMax: Int = 8, coolDown: Duration = .seconds(30),
    coolDownMax: Duration = .seconds(600)
  ) {
    precondition(consecutiveFailureCountMax >= 1, "a breaker opens after at least one failure")
    precondition(
      coolDown >= .zero && coolDownMax >= coolDown, "a cool-down is not negative nor above its greatest")
    self.consecutiveFailureCountMax = consecutiveFailureCountMax
    self.coolDown = coolDown
    self.coolDownMax = coolDownMax
  }
}

/// The state of an upstream's circuit breaker, and how it changes: a value, free of any effect.
///
/// ```
/// closed ── so many failures in a row ──► open ── cool-down over, one call is let through ──► half-open
///    ▲                                     ▲                                                    │    │
///    │                                     └────────── it fails: twice the cool-down ───────────┘    │
///    └──────────────────────────────────────────── it succeeds ──────────────────────────────────────┘
/// ```
///
/// A failure to *reach* the upstream counts: no connection, no answer in time, a status of 500 or above. An answer that
/// is a fault, or that cannot be read, does not: the upstream is there.
public struct BreakerState: Hashable, Sendable {
  /// How many calls in a row failed to reach the upstream.
  public var consecutiveFailureCount: Int
  /// When it was opened; `nil` if it is closed.
  public var openedAt: Timestamp?
  /// How long it stays open before the next probe.
  public var coolDown: Duration
  /// When the next probe may be made; `nil` if it is closed.
  public var nextAttemptAt: Timestamp?
  /// By when the probe under way has ended, if it was not killed; `nil` if there is none.
  public var probeUntil: Timestamp?

  /// Makes a state; a closed one by default.
  public init(
    consecutiveFailureCount: Int = 0, openedAt: Timestamp? = nil, coolDown: Duration = .zero,
    nextAttemptAt: Timestamp? = nil, probeUntil: Timestamp? = nil
  ) {
    self.consecutiveFailureCount = consecutiveFailureCount
    self.openedAt = openedAt
    self.coolDown = coolDown
    self.nextAttemptAt = nextAttemptAt
    self.probeUntil = probeUntil
  }

  /// Whether calls are held back, probes apart.
  public var isOpen: Bool { openedAt != nil }

  /// When a call that is refused at `now` may be tried again; `nil` if it is not refused.
  public func refusal(at now: Timestamp) -> Timestamp? {
    guard let nextAttemptAt else { return nil }
    // A time further off than the cool-down was computed before the clock was set back, and must not outlive that.
    if now < nextAttemptAt, nextAttemptAt <= now.advanced(by: coolDown) { return nextAttemptAt }
    guard let probeUntil, now < probeUntil, probeUntil <= now.advanced(by: Self.probeDurationMax) else {
      return nil
    }
    return probeUntil
  }

  /// Whether a call refused at `now` is so because of a probe under way, which soon tells more.
  public func isProbing(at now: Timestamp) -> Bool {
    guard let probeUntil else { return false }
    return refusal(at: now) == probeUntil
  }

  /// The longest that a probe may be taken to be under way.
  public static let probeDurationMax: Duration = .seconds(600)

  /// Lets a call through that is not refused at `now`.
  ///
  /// - Returns: Whether it is a probe, which may take `duration`.
  public mutating func admit(at now: Timestamp, for duration: Duration) -> Bool {
    guard isOpen else { return false }
    probeUntil = now.advanced(by: min(duration, Self.probeDurationMax))
    return true
  }

  /// Takes note of a call that reached the upstream.
  public mutating func succeed() { self = BreakerState() }

  /// Takes note of a call that did not reach the upstream.
  ///
  /// - Parameter isProbe: Whether it was the probe; while the breaker is open no other failure tells anything new.
  public mutating func fail(isProbe: Bool, at now: Timestamp, policy: BreakerPolicy) {
    consecutiveFailureCount += 1
    if isOpen {
      guard isProbe else { return }
      coolDown = min(coolDown * 2, policy.coolDownMax)
    } else {
      guard consecutiveFailureCount >= policy.consecutiveFailureCountMax else { return }
      openedAt = now
      coolDown = policy.coolDown
    }
    probeUntil = nil
    nextAttemptAt = now.advanced(by: coolDown)
  }
}
