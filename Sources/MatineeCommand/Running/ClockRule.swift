package import CatalogEngine

/// Whether a sync can believe the machine's clock.
///
/// A machine without a battery, or before its first contact with a time server, may begin in 1970 or in the year its
/// system was built. By such a clock yesterday is another day: calls would be spent on days that nobody asked for, in
/// a day of the ledger that is not today, and what they bring would bear a wrong age.
package struct ClockRule: Hashable, Sendable {
  /// The instants between which the clock of a machine that runs this version stands: none was built before the
  /// first, the begin of 2024, and by the last, the begin of 2050, it will have been replaced.
  package static let plausibleTimes = midnight(daysSinceEpoch: 19_723)..<midnight(daysSinceEpoch: 29_220)

  private static func midnight(daysSinceEpoch: Int64) -> Timestamp {
    Timestamp(millisecondsSinceEpoch: daysSinceEpoch * 86_400_000)
  }

  /// How far the clock may be behind the last sync: a jump of a day either way is none of a wrong year.
  static let setbackMax: Duration = .seconds(86_400)
  /// How far it may be ahead of the last sync: a machine that rested so long is rarer than a clock in another year, and
  /// can be told to go on.
  static let restMax: Duration = .seconds(300 * 86_400)

  /// The instants between which the clock is believed; `nil` for all.
  var plausibleTimes: Range<Timestamp>?

  /// Why a clock is not believed.
  enum Doubt: Hashable, Sendable {
    /// It stands before the first instant that can be.
    case tooEarly(than: Timestamp)
    /// It stands behind the last instant that can be.
    case tooLate(than: Timestamp)
    /// It stands before the last sync.
    case behindLastSync(at: Timestamp)
    /// It stands so long after the last sync that it may be in another year.
    case farAfterLastSync(at: Timestamp)

    /// Where the clock stands, in a sentence.
    var reason: String {
      switch self {
      case .tooEarly(let earliest): "before \(earliest), when this program did not exist"
      case .tooLate(let latest): "after \(latest), farther ahead than can be"
      case .behindLastSync(let last): "before the last sync in the database, at \(last)"
      case .farAfterLastSync(let last):
        "more than \(ClockRule.restMax.wholeSeconds / 86_400) days after the last sync in the database, at \(last)"
      }
    }
  }

  /// Why a clock that says `now` is not believed; `nil` if it is.
  ///
  /// - Parameter lastSyncAt: When the last sync began, by the clock as it was then.
  func doubt(at now: Timestamp, lastSyncAt: Timestamp?) -> Doubt? {
    if let plausibleTimes {
      if now < plausibleTimes.lowerBound { return .tooEarly(than: plausibleTimes.lowerBound) }
      if now >= plausibleTimes.upperBound { return .tooLate(than: plausibleTimes.upperBound) }
    }
    guard let lastSyncAt else { return nil }
    if lastSyncAt.duration(since: now) > Self.setbackMax { return .behindLastSync(at: lastSyncAt) }
    if now.duration(since: lastSyncAt) > Self.restMax { return .farAfterLastSync(at: lastSyncAt) }
    return nil
  }

  /// Refuses a clock that is not believed.
  ///
  /// - Throws: ``CommandError`` of status 78 that names the clock's time and what to do.
  func check(at now: Timestamp, lastSyncAt: Timestamp? = nil) throws(CommandError) {
    guard let doubt = doubt(at: now, lastSyncAt: lastSyncAt) else { return }
    throw CommandError(
      .configuration,
      "the machine's clock says \(now), which is \(doubt.reason); no call was made. Set the clock (`timedatectl set-ntp "
        + "true` where there is systemd), or sync with --trust-clock if it is right")
  }

  /// Refuses a clock that does not go with the last sync in a catalogue's store.
  ///
  /// The last sync counts, not the newest answer: one sync by a clock that is right again takes the place of a sync by
  /// one that was ahead, while what that one fetched may stay for years.
  ///
  /// - Throws: ``CommandError`` as ``check(at:lastSyncAt:)``, or what the store throws.
  func check(at now: Timestamp, against catalog: MovieCatalog) async throws {
    if let lastRun = try await catalog.runs(limit: 1).first {
      return try check(at: now, lastSyncAt: lastRun.startedAt)
    }
    // Readers may have filled a store that no sync has seen; to look through it whole is for such a store alone.
    let newestAt = try await catalog.summary(failureLimit: 0).kinds.compactMap(\.newestFetchedAt).max()
    try check(at: now, lastSyncAt: newestAt)
  }
}
