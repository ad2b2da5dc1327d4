/// How far an answer has aged.
///
/// An answer's life has three windows, one after the other, each of its own length (``Lifetime``):
///
/// ```
/// fetched ── fresh ──┬── revalidating ──┬── stale on error ──┬── expired …
///                    ttl                ttl + swr            ttl + swr + sie
/// ```
///
/// The names follow RFC 5861 (`stale-while-revalidate`, `stale-if-error`). Expired answers are kept and still served
/// when the upstream fails: a reader offline is never refused what exists. An answer from more than five minutes in
/// the future (the clock was set back) is `future`, and treated as expired, so that no clock makes one immortal.
public enum Freshness: String, CaseIterable, Hashable, Sendable {
  /// Served without asking the upstream.
  case fresh
  /// Served, while the upstream is asked behind.
  case revalidating
  /// Served only if asking the upstream fails.
  case staleOnError
  /// The same as ``staleOnError``, and past every promise.
  case expired
  /// Fetched at a time that has not come yet.
  case future
}

/// The lengths of an answer's three windows.
public struct Lifetime: Hashable, Sendable {
  /// How long the answer is fresh (`ttl`).
  public var fresh: Duration
  /// How much longer it is served while the upstream is asked behind (`stale-while-revalidate`).
  public var revalidating: Duration
  /// How much longer after that it is within its promise when the upstream fails (`stale-if-error`).
  public var staleOnError: Duration

  /// Makes a lifetime of three windows.
  public init(fresh: Duration, revalidating: Duration, staleOnError: Duration) {
    self.fresh = fresh
    self.revalidating = revalidating
    self.staleOnError = staleOnError
  }
}

extension Freshness {
  /// How far ahead of the clock an answer may be before it counts as ``future``: clocks of two machines differ.
  public static let clockSkewMax: Duration = .seconds(300)

  /// The state of an answer of `age` under `lifetime`.
  public static func decide(age: Duration, lifetime: Lifetime) -> Freshness {
    if age < .zero - clockSkewMax { return .future }
    if age < lifetime.fresh { return .fresh }
    if age < lifetime.fresh + lifetime.revalidating { return .revalidating }
    if age < lifetime.fresh + lifetime.revalidating + lifetime.staleOnError { return .staleOnError }
    return .expired
  }

  /// The state of a stored answer, as a reader of `source` sees it at `now`; `nil` if nothing is stored.
  ///
  /// An answer that was invalidated, and one of another host than would be asked now (a recorded sample, a
  /// simulator), is at best ``staleOnError``.
  public static func decide(
    _ record: EntryRecord, lifetime: Lifetime, source: Provenance, now: Timestamp
  ) -> Freshness? {
    guard let fetchedAt = record.fetchedAt else { return nil }
    let byAge = decide(age: now.duration(since: fetchedAt), lifetime: lifetime)
    let isDemoted = record.invalidatedAt != nil || (source != .recorded && record.provenance != source)
    return isDemoted && (byAge == .fresh || byAge == .revalidating) ? .staleOnError : byAge
  }
}
