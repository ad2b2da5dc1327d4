/// How often a call that failed is made again, and after how long.
///
/// The wait is drawn evenly from zero to a bound that doubles with each retry ("full jitter"), so that callers who
/// failed together do not come back together. An upstream that names a time itself (`Retry-After`, RFC 9110 10.2.3)
/// is not asked before it, up to the same cap. Every retry is charged to the quota like any call.
public struct RetryPolicy: Hashable, Sendable {
  /// The most retries of one call; 0 for none.
  public var retryCountMax: Int
  /// The bound of the first wait.
  public var delay: Duration
  /// The longest wait, drawn or asked for by the upstream.
  public var delayMax: Duration
  /// The longest that all calls and waits together may take before another retry is begun.
  public var totalMax: Duration

  /// No retry.
  public static let none = RetryPolicy(retryCountMax: 0)

  /// Makes a policy.
  ///
  /// - Precondition: Counts and times are not negative.
  public init(
    retryCountMax: Int = 3, delay: Duration = .milliseconds(500), delayMax: Duration = .seconds(30),
    totalMax: Duration = .seconds(120)
  ) {
    precondition(
      retryCountMax >= 0 && delay >= .zero && delayMax >= .zero && totalMax >= .zero,
      "a retry's counts and times are not negative")
    self.retryCountMax = retryCountMax
    self.delay = delay
    self.delayMax = delayMax
    self.totalMax = totalMax
  }

  /// How long to wait before the next retry; `nil` if there is none to be made.
  ///
  /// - Parameters:
  ///   - failure: Why the last call failed.
  ///   - retryCount: How many retries were made before.
  ///   - elapsed: How long the calls and waits have taken so far.
  ///   - retryAfter: How long the upstream asked to be left alone.
  ///   - random: Evenly drawn from 0 up to, and not including, 1.
  public func wait(
    after failure: CatalogFailure, retryCount: Int, elapsed: Duration, retryAfter: Duration? = nil,
    random: Double
  ) -> Duration? {
    guard retryCount < retryCountMax, failure.isTransient else { return nil }
    var bound = min(delay, delayMax)
    // Doubled step by step: a shift by a configured count might overflow.
    for _ in 0..<retryCount where bound < delayMax { bound = min(bound * 2, delayMax) }
    let drawn = bound * min(max(random, 0), 1)
    let wait = max(drawn, min(retryAfter ?? .zero, delayMax))
    return elapsed + wait <= totalMax ? wait : nil
  }
}
