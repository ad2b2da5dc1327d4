/// What a sync is asked to bring up to date, and what it may spend on it.
public struct SyncRequest: Hashable, Sendable {
  /// The streams of resources that a sync follows.
  public enum Stream: String, CaseIterable, Hashable, Sendable {
    /// The charts of days.
    case daily
    /// The charts of weeks, Monday to Sunday.
    case weekly
    /// The charts of weekends, Friday to Sunday.
    case weekend
    /// The details of movies that stand in charts.
    case details
  }

  /// The days to cover, both ends included; days the upstream can have nothing for are left out.
  public var days: ClosedRange<CalendarDay>

  /// The streams to follow.
  public var streams: Set<Stream>

  /// The most calls to make to the upstream; `nil` for no bound but the upstream's own.
  public var callBudget: Int?

  /// How many calls may be under way at once.
  public var concurrentCallCountMax: Int

  /// Whether it waits for another sync on the same store to end, rather than leave at once.
  public var waitsForOtherSync: Bool

  /// Makes a request.
  ///
  /// - Precondition: `callBudget` and `concurrentCallCountMax` are at least 1.
  public init(
    days: ClosedRange<CalendarDay>, streams: Set<Stream> = Set(Stream.allCases), callBudget: Int? = nil,
    concurrentCallCountMax: Int = 4, waitsForOtherSync: Bool = true
  ) {
    precondition((callBudget ?? 1) >= 1, "a sync's budget is at least one call")
    precondition(concurrentCallCountMax >= 1, "a sync makes at least one call at a time")
    self.days = days
    self.streams = streams
    self.callBudget = callBudget
    self.concurrentCallCountMax = concurrentCallCountMax
    self.waitsForOtherSync = waitsForOtherSync
  }
}
