import CatalogEngine
import Foundation
import HTTPSessionTesting
import MatineeTesting
import Testing

@testable import MatineeCommand

@Suite struct `When the clock stands in another year` {
  /// The begin of a day in UTC.
  private static func day(_ text: String) -> Timestamp {
    let day = CalendarDay(text) ?? CalendarDay(daysSinceEpoch: 0)
    return day.startInKorea.advanced(by: .seconds(9 * 3600))
  }

  @Test(
    arguments: [
      ("1970-01-01", nil, .tooEarly(than: earliest)), ("2000-01-01", "2026-11-20", .tooEarly(than: earliest)),
      ("2023-12-31", nil, .tooEarly(than: earliest)), ("2024-01-01", nil, nil),
      ("2026-11-21", "2026-11-20", nil),
      ("2026-11-21", "2026-11-21", nil), ("2026-11-21", "2026-11-22", nil),
      ("2026-11-21", "2026-11-23", .behindLastSync(at: day("2026-11-23"))),
      ("2025-11-21", "2026-11-20", .behindLastSync(at: day("2026-11-20"))),
      ("2027-09-17", "2026-11-21", nil),
      ("2027-09-18", "2026-11-21", .farAfterLastSync(at: day("2026-11-21"))),
      ("2030-11-21", "2026-11-21", .farAfterLastSync(at: day("2026-11-21"))),
      ("2049-12-31", nil, nil), ("2050-01-01", nil, .tooLate(than: latest)),
      ("2106-02-07", "2026-11-21", .tooLate(than: latest)),
    ] as [(String, String?, ClockRule.Doubt?)])
  func `it is doubted`(now: String, lastSyncOn: String?, doubt: ClockRule.Doubt?) {
    let rule = ClockRule(plausibleTimes: ClockRule.plausibleTimes)
    #expect(rule.doubt(at: Self.day(now), lastSyncAt: lastSyncOn.map(Self.day)) == doubt)
  }

  private static let earliest = ClockRule.plausibleTimes.lowerBound
  private static let latest = ClockRule.plausibleTimes.upperBound

  @Test func `a clock that somebody else answers for is held to the last sync alone`() {
    let rule = ClockRule(plausibleTimes: nil)
    #expect(rule.doubt(at: Self.day("1970-01-01"), lastSyncAt: nil) == nil)
    #expect(
      rule.doubt(at: Self.day("1970-01-01"), lastSyncAt: Self.day("1970-01-03"))
        == .behindLastSync(at: Self.day("1970-01-03")))
    // A day to the millisecond is allowed.
    let last = Self.day("1970-01-02")
    #expect(rule.doubt(at: last.advanced(by: .seconds(-86_400)), lastSyncAt: last) == nil)
    #expect(rule.doubt(at: last.advanced(by: .milliseconds(-86_400_001)), lastSyncAt: last) != nil)
  }

  @Test(arguments: [["sync"], ["sync", "--dry-run"], ["sync", "--days", "1", "--format", "json"]])
  func `a sync is refused before any call and anything written`(arguments: [String]) async throws {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      desk.plausibleTimes = ClockRule.plausibleTimes
      let outcome = await desk.run(arguments)
      #expect(outcome.status == 78)
      #expect(
        outcome.errors
          == "matinee: the machine's clock says 2019-07-15T03:00:00Z, which is before 2024-01-01T00:00:00Z, when "
          + "this program did not exist; no call was made. Set the clock (`timedatectl set-ntp true` where there is "
          + "systemd), or sync with --trust-clock if it is right\n")
      #expect(outcome.output.isEmpty)
      #expect(session.callCount == 0)
      #expect(!FileManager.default.fileExists(atPath: desk.database.path))
    }
  }

  @Test func `readers get what is stored, samples need no clock, and --trust-clock goes on`() async throws {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      desk.plausibleTimes = ClockRule.plausibleTimes
      #expect(await desk.run("sync", "--days", "1", "--only", "daily", "--trust-clock").status == 0)
      #expect(session.callCount == 1)
      #expect(await desk.run("sync").status == 78)
      #expect(await desk.run("show", "2019-07-14").status == 0)
      #expect(await desk.run("status").status == 0)
      #expect(session.callCount == 1)
      desk.session = nil
      desk.environment["MATINEE_DATABASE"] = desk.folder.appending(path: "samples.db").path
      #expect(await desk.run("sync", "--upstream", "recorded").status == 0)
    }
  }

  @Test func `one that is behind the last sync by more than a day is refused, until a sync trusts it`()
    async throws
  {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      let first = desk.clock.wallTime
      #expect(await desk.run("sync", "--days", "1", "--only", "daily").status == 0)
      desk.clock.setWallTime(first.advanced(by: .seconds(-86_400)))
      #expect(await desk.run("sync", "--days", "1", "--only", "daily").status == 0)

      desk.clock.setWallTime(first)
      #expect(await desk.run("sync", "--days", "1", "--only", "daily").status == 0)
      let callCount = session.callCount
      desk.clock.setWallTime(first.advanced(by: .seconds(-365 * 86_400)))
      for arguments in [["sync"], ["sync", "--dry-run"]] {
        let outcome = await desk.run(arguments)
        #expect(outcome.status == 78)
        #expect(
          outcome.errors.hasPrefix(
            "matinee: the machine's clock says 2018-07-15T03:00:00Z, which is before the last sync in the database, "
              + "at 2019-07-15T03:00:00Z; no call was made. Set the clock"))
        #expect(outcome.output.isEmpty)
      }
      #expect(session.callCount == callCount)
      #expect(await desk.run("show", "2019-07-14", "--offline").status == 0)

      #expect(await desk.run("sync", "--days", "1", "--only", "daily", "--trust-clock").status == 0)
      #expect(session.callCount == callCount + 1)
      #expect(await desk.run("sync", "--days", "1", "--only", "daily").status == 0)
    }
  }
}
