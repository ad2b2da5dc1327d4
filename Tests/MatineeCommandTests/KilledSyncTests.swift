import CatalogEngine
import Foundation
import HTTPSessionTesting
import HTTPTransport
import LoopbackServer
import Matinee
import MatineeTesting
import SQLiteBinding
import Testing

@testable import MatineeCommand

/// How much is synced while syncs are killed, and how often they are: a share in every test run, and all of it where
/// `MATINEE_ACCEPTANCE` is set, as `make acceptance` does.
private enum KillScale {
  static let isWhole = !(ProcessInfo.processInfo.environment["MATINEE_ACCEPTANCE"] ?? "").isEmpty
  static let killCount = isWhole ? 100 : 25
  /// After so many kills a database is synced to its end, and a new one begun.
  static let killCountPerDatabase = isWhole ? 100 : 5
  /// The most databases that are begun, should kills come too late.
  static let databaseCountMax = 40
  static let first = isWhole ? "2017-01-01" : "2019-04-16"
  static let last = isWhole ? "2020-12-31" : "2019-07-14"
  /// Before a kill less than so many lines are read, so that the kills are spread over the whole.
  static let lineCountMax = isWhole ? 30 : 12
}

@Suite struct `When a sync is killed` {
  /// The seed of the moments and faults, so that a failure can be had again.
  static let seed: UInt64 = 0x4D61_7469_6E65_6521
  static let arguments = [
    "sync", "--from", KillScale.first, "--to", KillScale.last, "--only", "daily,details", "--format",
    "ndjson",
  ]
  /// The most days on which what was set aside is tried again.
  static let dayCountMax = 400

  @Test(arguments: [0, 0.1])
  func `again and again at random moments, what was acknowledged is there whole, and the next completes`(
    failureShare: Double
  ) async throws {
    let reference = try await Self.reference()
    let upstream = FailingUpstream(failureShare: failureShare, seed: Self.seed)
    try await withServer(respond: upstream.reply) { server in
      var moments = RandomMoments(seed: Self.seed)
      var cutCount = 0
      var acknowledgedCount = 0
      for _ in 0..<KillScale.databaseCountMax where cutCount < KillScale.killCount {
        try await withDesk { desk in
          desk.environment["MATINEE_UPSTREAM"] = server.origin
          var database = KilledDatabase(desk: desk, upstream: upstream, reference: reference)
          for _ in 0..<KillScale.killCountPerDatabase where cutCount < KillScale.killCount {
            let told = try await Self.killed(desk, at: &moments)
            try await database.check(told)
            // A kill behind the summary shows nothing, and does not count.
            if told.contains("summary") { break }
            cutCount += 1
          }
          if failureShare > 0 {
            try await Self.complete(desk, resourceCount: reference.count)
          } else {
            let end = try await SpawnedCommand(Self.arguments, environment: desk.environment).finish()
            #expect(end.status == 0, "\(end.errors)")
          }
          try await database.checkCompletion()
          acknowledgedCount += database.acknowledgedCount
        }
      }
      #expect(cutCount >= KillScale.killCount)
      #expect(acknowledgedCount > KillScale.killCount)
    }
    #expect(upstream.hasFailed == (failureShare > 0))
  }

  /// Runs a sync and kills it, while it starts or some lines and moments later; what it had told by then.
  private static func killed(_ desk: Desk, at moments: inout RandomMoments) async throws -> String {
    let command = try SpawnedCommand(arguments, environment: desk.environment)
    let lineCount = moments.next(below: KillScale.lineCountMax)
    let told = lineCount > 0 ? await command.readLines(count: lineCount) : ""
    try await Task.sleep(for: .microseconds(moments.next(below: lineCount > 0 ? 8000 : 60_000)))
    command.send(SIGKILL)
    return told + (await command.finish().output)
  }

  /// Syncs day after day by a clock of the desk's until nothing is missing: what failed was set aside for hours.
  private static func complete(_ desk: Desk, resourceCount: Int) async throws {
    let now = SystemClock().wallTime
    for dayCount in 0..<dayCountMax {
      let instant = now.advanced(by: .seconds(dayCount * 86_400))
      desk.clock.setWallNow(instant.millisecondsSinceEpoch)
      let end = await desk.run(arguments)
      let status = ExitStatus(rawValue: end.status)
      try #require([.done, .unavailable, .stoppedEarly].contains(status), "\(end.errors)")
      if try desk.number("SELECT count(*) FROM resource WHERE fetched_at IS NOT NULL") == resourceCount {
        return
      }
    }
    Issue.record("the sync did not complete within \(dayCountMax) days")
  }

  /// Everything the sync comes to when nobody kills it.
  private static func reference() async throws -> [String: CatalogValue] {
    let first = try #require(CalendarDay(KillScale.first))
    let last = try #require(CalendarDay(KillScale.last))
    return try await MovieCatalog.withCatalog(
      database: .inMemory, source: .kobis(key: "a-test-key-of-no-use"), session: PathSession(),
      clock: ManualClock(inKorea: last.advanced(by: 30))
    ) { catalog in
      let resources = LockedValue<[ResourceID]>([])
      let report = await SyncEngine(catalog).run(
        SyncRequest(days: first...last, streams: [.daily, .details])
      ) { event in
        resources.withLock { $0.append(event.resource) }
      }
      #expect(report.failedCount == 0 && report.stoppedBecause == nil)
      return try await catalog.storedValues(of: resources.withLock { $0 })
    }
  }
}

/// A database whose syncs are killed, and what they have acknowledged.
private struct KilledDatabase {
  let desk: Desk
  let upstream: FailingUpstream
  let reference: [String: CatalogValue]
  private let earlierCallCount: Int
  private var killCount = 0
  /// How often the upstream had been asked for what was acknowledged by then.
  private var acknowledged: [String: Int] = [:]

  /// How many resources the killed syncs have acknowledged.
  var acknowledgedCount: Int { acknowledged.count }

  init(desk: Desk, upstream: FailingUpstream, reference: [String: CatalogValue]) {
    self.desk = desk
    self.upstream = upstream
    self.reference = reference
    earlierCallCount = upstream.callCount
  }

  /// Holds the database to what a killed sync has told.
  mutating func check(_ told: String) async throws {
    killCount += 1
    let new = Self.acknowledged(in: told)
    for resource in new { acknowledged[resource] = upstream.callCount(of: resource) }
    #expect(Set(new).isSubset(of: reference.keys))
    // Killed before it could make one: then nothing was acknowledged either.
    guard FileManager.default.fileExists(atPath: desk.database.path) else {
      return #expect(acknowledged.isEmpty)
    }
    try await checkValues(of: Set(new))
    try checkLedger()
  }

  /// Holds the database to the reference, now that a sync went through.
  func checkCompletion() async throws {
    try await checkValues(of: Set(reference.keys))
    try checkLedger()
    // What was acknowledged was never asked for again.
    #expect(!acknowledged.values.contains(0))
    for (resource, count) in acknowledged {
      #expect(upstream.callCount(of: resource) == count, "\(resource)")
    }
  }

  private func checkValues(of names: Set<String>) async throws {
    try await MovieCatalog.withCatalog(
      database: .file(desk.database.path), source: .kobis(key: nil),
      clock: ManualClock(inKorea: dayAfterTheWeek)
    ) { catalog in
      let expected = reference.filter { names.contains($0.key) }
      let resources = expected.values.map { ResourceID(upstream: UpstreamID("kobis"), subject: $0.subject) }
      let stored = try await catalog.storedValues(of: resources)
      for (name, value) in expected { #expect(stored[name] == value, "\(name)") }
    }
    let connection = try Connection(location: .file(desk.database.path), mode: .readOnly)
    #expect(try connection.integrityCheck() == [])
    #expect(try connection.foreignKeyViolations(limit: 1) == [])
  }

  /// A call is in the ledger before it is made; one that a kill kept from being made stays there.
  private func checkLedger() throws {
    let connection = try Connection(location: .file(desk.database.path), mode: .readOnly)
    guard try connection.tables().contains(where: { $0.name == "quota_day" }) else {
      return #expect(upstream.callCount == earlierCallCount)
    }
    let ledger = try desk.number("SELECT coalesce(sum(used_count), 0) FROM quota_day")
    let callCount = upstream.callCount - earlierCallCount
    #expect(ledger >= callCount)
    #expect(ledger <= callCount + killCount * SyncRequest.concurrentCallCountDefault)
  }

  /// The resources that the whole lines of an ndjson output acknowledge.
  private static func acknowledged(in output: String) -> [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap { line in
      guard let object = try? object(String(line)), object["outcome"] as? String != "failed" else {
        return nil
      }
      return object["resource"] as? String
    }
  }
}

extension MovieCatalog {
  /// What is stored of some charts and movies, by their resources' names.
  fileprivate func storedValues(of resources: [ResourceID]) async throws -> [String: CatalogValue] {
    var values: [String: CatalogValue] = [:]
    for resource in resources {
      switch resource.subject {
      case .boxOffice(let period, let filter):
        let chart = try await read(
          .boxOffice(period.kind, containing: .day(period.day), filter: filter), policy: .cacheOnly)
        values[resource.description] = .boxOffice(chart.value)
      case .movieDetails(let code):
        values[resource.description] = .movieDetails(
          try await read(.movieDetails(code), policy: .cacheOnly).value)
      case .personDetails, .companyDetails, .codes, .page:
        Issue.record("\(resource) is in none of the streams that were synced")
      }
    }
    return values
  }
}
