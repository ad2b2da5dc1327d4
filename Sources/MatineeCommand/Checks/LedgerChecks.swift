import CatalogEngine
import SQLiteMovieStore

/// What the rows say: the calls left, whether the upstream is taken to be down, and how syncs went of late.
enum LedgerChecks {
  static func quota(_ quota: StoreSummary.Quota) -> CheckResult {
    let used =
      "\(quota.usedCount.grouped) of the \(quota.dailyCallCountMax.grouped) calls of \(quota.day) are used"
    let reset = "\(quota.resetsAt.shownInKorea) in Korea"
    guard quota.leftCount > 0 else {
      return .warning(
        .quota, "\(used), and none is left before \(reset)",
        remedy: "wait until then: what is stored is shown, and `matinee sync` goes on where it was")
    }
    let reserve =
      quota.reservedCount == quota.leftCount
      ? "all of them kept for readers, so that syncs go on then"
      : "\(quota.reservedCount.grouped) of them kept for readers"
    return .ok(.quota, "\(used), \(quota.leftCount.grouped) left until \(reset), \(reserve)")
  }

  static func breaker(_ state: BreakerState, of upstream: String, at now: Timestamp) -> CheckResult {
    guard let openedAt = state.openedAt else {
      let count = state.consecutiveFailureCount
      return .ok(
        .breaker,
        count == 0
          ? "\(upstream) is not taken to be down"
          : "\(upstream) is not taken to be down, after \(count.grouped) failures in a row to reach it")
    }
    let next: String
    if state.isProbing(at: now) {
      next = "a call is finding out whether it is back"
    } else if let refusedUntil = state.refusal(at: now) {
      next = "it is not asked before \(refusedUntil.shownInKorea)"
    } else {
      next = "the next call finds out whether it is back"
    }
    return .warning(
      .breaker,
      "\(upstream) is taken to be down since \(openedAt.shownInKorea) in Korea, after "
        + "\(state.consecutiveFailureCount.grouped) failures in a row to reach it; \(next)",
      remedy: "see what keeps it from being reached: `matinee status` tells the last failures, `matinee "
        + "doctor --online` tries it once it may be asked")
  }

  /// How long ago the last sync may be.
  static let syncAgeMax: Duration = .seconds(3 * 86_400)

  /// Why a sync stopped that will not go better by itself.
  private static let failingReasons = [
    SyncReport.StopReason.keyMissing, .keyRefused, .upstreamUnavailable, .storage,
  ].map(\.rawValue)

  /// - Parameter isLive: Whether there is something new every day: samples stay what they are.
  static func lastSync(_ run: StoreSummary.Run?, at now: Timestamp, isLive: Bool) -> CheckResult {
    guard let run else {
      return .warning(.lastSync, "no sync has run on this database yet", remedy: "`matinee sync`")
    }
    let age = now.duration(since: run.startedAt)
    let begun = "the last sync began \(age.ago)"
    if let reason = run.stoppedBecause, failingReasons.contains(reason) {
      return .warning(
        .lastSync, "\(begun), and stopped because of \(reason)",
        remedy: "`matinee status` tells what failed; then `matinee sync`")
    }
    let succeededCount = run.fetchedCount + run.unchangedCount + run.revisedCount
    if run.failedCount > 0, succeededCount == 0 {
      return .warning(
        .lastSync, "\(begun), and got nothing but failures, \(run.failedCount.grouped) of them",
        remedy: "`matinee status` tells what failed; then `matinee sync`")
    }
    if isLive, age > syncAgeMax {
      return .warning(
        .lastSync, "\(begun): for more than \(syncAgeMax.spoken) nothing new has been looked for",
        remedy: "`matinee sync`, and see to its timer: `systemctl list-timers matinee-sync.timer`")
    }
    guard run.endedAt != nil else { return .ok(.lastSync, "\(begun), and is running, or was killed") }
    let end = run.stoppedBecause.map { "stopped early with all saved (\($0))" } ?? "came to its end"
    return .ok(
      .lastSync,
      "\(begun), and \(end): \(succeededCount.grouped) answers, \(run.failedCount.grouped) failures")
  }

  /// Above so many there is a warning: one or the other resource is of no use for long, many are a fault of a service.
  static let setAsideCountMax = 20

  static func setAside(_ count: Int) -> CheckResult {
    guard count > 0 else { return .ok(.setAside, "syncs leave no resource alone") }
    let found =
      count == 1
      ? "syncs leave 1 resource alone for a while, as its answer was of no use"
      : "syncs leave \(count.grouped) resources alone for a while, as their answers were of no use"
    guard count > setAsideCountMax else { return .ok(.setAside, found) }
    return .warning(.setAside, found, remedy: "`matinee export failures` tells which, and why")
  }
}
