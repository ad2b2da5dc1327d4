/// What a sync is asked to bring up to date, and what it may spend on it.
public struct SyncRequest: Hashable, Sendable {
  /// The days to cover, both ends included; days the upstream can have nothing for are left out. `nil` for everything
  /// that the upstream has.
  public var days: ClosedRange<CalendarDay>?

  /// The streams to follow; what the upstream does not have of them is left out.
  public var streams: Set<Stream>

  /// The most calls to make to the upstream; `nil` for no bound but the upstream's own.
  public var callBudget: Int?

  /// How many calls may be under way at once.
  public var concurrentCallCountMax: Int

  /// Whether it waits for another sync on the same store to end, rather than leave at once.
  public var waitsForOtherSync: Bool

  /// How many calls are under way at once unless a request says otherwise.
  public static let concurrentCallCountDefault = 4

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - days: The days to cover; everything that the upstream has, if `nil`.
  ///   - streams: The streams to follow; if `nil`, ``Stream/ofDays`` of certain days, else ``Stream/ofEverything``.
  ///   - callBudget: The most calls to make.
  ///   - concurrentCallCountMax: How many calls may be under way at once.
  ///   - waitsForOtherSync: Whether it waits for another sync to end.
  /// - Precondition: `callBudget` and `concurrentCallCountMax` are at least 1.
  public init(
    days: ClosedRange<CalendarDay>? = nil, streams: Set<Stream>? = nil, callBudget: Int? = nil,
    concurrentCallCountMax: Int = SyncRequest.concurrentCallCountDefault, waitsForOtherSync: Bool = true
  ) {
    precondition((callBudget ?? 1) >= 1, "a sync's budget is at least one call")
    precondition(concurrentCallCountMax >= 1, "a sync makes at least one call at a time")
    self.days = days
    self.streams = streams ?? (days == nil ? Stream.ofEverything : Stream.ofDays)
    self.callBudget = callBudget
    self.concurrentCallCountMax = concurrentCallCountMax
    self.waitsForOtherSync = waitsForOtherSync
  }
}
