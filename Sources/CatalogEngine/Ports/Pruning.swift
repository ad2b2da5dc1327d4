/// What may go from a store, because nobody needs it any more.
///
/// Always: details that no stored chart refers to, and records of attempts that came to nothing, both of long ago, and
/// the records of syncs of that time but the latest. Charts only if they are named: they are what the store is for, and
/// a sync that covers their days fetches them again. Never: the ledger of calls, the breakers, the leases.
public struct PruneRequest: Hashable, Sendable {
  /// Whose resources.
  public var upstream: UpstreamID
  /// Details fetched, attempts failed and syncs begun before this time may go.
  public var before: Timestamp
  /// Charts whose last day comes before this one may go; `nil` for none.
  public var chartsBefore: CalendarDay?
  /// The present instant.
  public var now: Timestamp

  /// The least that is kept: what a sync under way has just found, or looks at, is younger.
  public static let keepMin: Duration = .seconds(86_400)

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - upstream: Whose resources.
  ///   - keep: How much of the past is kept, from `now` back.
  ///   - charts: Whether charts may go as well, those whose last day lies wholly before that.
  ///   - now: The present instant.
  /// - Precondition: `keep` is at least ``keepMin``.
  public init(upstream: UpstreamID, keeping keep: Duration, charts: Bool, at now: Timestamp) {
    precondition(keep >= Self.keepMin, "at least a day is kept")
    self.upstream = upstream
    self.now = now
    before = now.advanced(by: .zero - keep)
    chartsBefore = charts ? CalendarDay(inKoreaAt: before) : nil
  }

  /// Whether a chart may go.
  public func removes(_ period: BoxOfficePeriod) -> Bool {
    chartsBefore.map { period.through < $0 } ?? false
  }
}

/// How much of each kind was removed, or would be.
public struct PruneCount: Hashable, Sendable {
  /// Charts.
  public var charts: Int
  /// Details of movies, people and companies.
  public var details: Int
  /// Records of attempts without an answer.
  public var attempts: Int
  /// Records of syncs.
  public var runs: Int

  /// Makes a count.
  public init(charts: Int = 0, details: Int = 0, attempts: Int = 0, runs: Int = 0) {
    self.charts = charts
    self.details = details
    self.attempts = attempts
    self.runs = runs
  }

  /// All of them.
  public var total: Int { charts + details + attempts + runs }

  /// Adds what another batch came to.
  public static func += (sum: inout PruneCount, more: PruneCount) {
    sum.charts += more.charts
    sum.details += more.details
    sum.attempts += more.attempts
    sum.runs += more.runs
  }
}

/// The space that a store takes.
public struct StoreSpace: Hashable, Sendable {
  /// Bytes of the store, its log included.
  public var byteCount: Int64
  /// Bytes of it that hold nothing, and are used again before it grows.
  public var freeByteCount: Int64

  /// Makes the figures of a store.
  public init(byteCount: Int64, freeByteCount: Int64) {
    self.byteCount = byteCount
    self.freeByteCount = freeByteCount
  }
}
