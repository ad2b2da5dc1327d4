/// How many calls a day an upstream allows, and who may make them.
///
/// The ledger is in the store: one row for each upstream and day, shared by all processes on it, entered before each
/// call, retries included. A crash between the entry and the call loses a unit; nothing overspends one.
public struct QuotaPolicy: Hashable, Sendable {
  /// The most calls in a day, for all callers together (KOBIS: 3,000 for a key).
  public var dailyCallCountMax: Int
  /// How many of them are kept for readers: a sync leaves them alone.
  public var reservedCallCount: Int
  /// The hour in Asia/Seoul, 0 to 23, at which the upstream begins to count anew.
  public var resetHourInKorea: Int

  /// The most calls that are kept for readers unless a policy says otherwise.
  public static let reservedCallCountDefault = 200

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - dailyCallCountMax: The most calls in a day.
  ///   - reservedCallCount: How many of them a sync leaves to readers; ``reservedCallCountDefault`` if not given, but
  ///     no more than a tenth of the day's.
  ///   - resetHourInKorea: The hour in Asia/Seoul at which a day of calls begins.
  /// - Precondition: The day has at least one call, the reserve lies within the day's calls, the hour within the day.
  public init(dailyCallCountMax: Int = 3000, reservedCallCount: Int? = nil, resetHourInKorea: Int = 0) {
    let reserve = reservedCallCount ?? min(Self.reservedCallCountDefault, dailyCallCountMax / 10)
    precondition(dailyCallCountMax >= 1, "a day has at least one call")
    precondition((0...dailyCallCountMax).contains(reserve), "the reserve lies within the day's calls")
    precondition((0...23).contains(resetHourInKorea), "an hour lies within 0 to 23")
    self.dailyCallCountMax = dailyCallCountMax
    self.reservedCallCount = reserve
    self.resetHourInKorea = resetHourInKorea
  }

  /// The day of the ledger that a call at `now` belongs to, named by the Korean day in which it begins.
  public func day(at now: Timestamp) -> CalendarDay {
    CalendarDay(inKoreaAt: now.advanced(by: .seconds(-3600 * resetHourInKorea)))
  }

  /// When the day after `day` begins, and its calls with it.
  public func reset(after day: CalendarDay) -> Timestamp {
    day.advanced(by: 1).startInKorea.advanced(by: .seconds(3600 * resetHourInKorea))
  }

  /// For so long after a day's begin an upstream that says its calls are used up may still mean the day before: it begins
  /// to count anew a little later, or this machine's clock is ahead of its.
  public static let doubtAfterReset: Duration = .seconds(15 * 60)

  /// Whether `day` began so lately that an upstream's word on its calls may be of the day before.
  func isJustBegun(_ day: CalendarDay?, at now: Timestamp) -> Bool {
    guard let day else { return false }
    return now.duration(since: reset(after: day.advanced(by: -1))) < Self.doubtAfterReset
  }

  /// When it is worth asking again once the upstream has said, at `now`, that the day's calls are used up.
  func nextAttempt(afterSpentAt now: Timestamp) -> Timestamp {
    let day = day(at: now)
    guard isJustBegun(day, at: now) else { return reset(after: day) }
    return reset(after: day.advanced(by: -1)).advanced(by: Self.doubtAfterReset)
  }

  /// How many calls of a day are left, those kept for readers included.
  func leftCount(of use: QuotaUse) -> Int {
    use.exhaustedAt == nil ? max(0, dailyCallCountMax - use.usedCount) : 0
  }

  /// What a call at `now` is charged to.
  ///
  /// - Parameter isBulk: Whether it is a sync's, which may not touch the reserve.
  package func charge(at now: Timestamp, isBulk: Bool) -> QuotaCharge {
    QuotaCharge(
      day: day(at: now), callCountMax: isBulk ? dailyCallCountMax - reservedCallCount : dailyCallCountMax,
      dailyCallCountMax: dailyCallCountMax)
  }
}
