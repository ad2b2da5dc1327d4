import CatalogEngine
import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import LoopbackServer
import Matinee
import MatineeTesting
import SQLiteBinding
import Testing

@testable import MatineeCommand

/// The program itself, spawned, against a server on loopback.
@Suite struct `When the program runs by itself` {
  private func environment(_ desk: Desk, upstream: String) -> [String: String] {
    desk.environment.merging(["MATINEE_UPSTREAM": upstream]) { _, new in new }
  }

  /// The arguments of a sync of 30 days in 2019, and what it comes to.
  private static let month = [
    "sync", "--from", "2019-06-15", "--to", "2019-07-14", "--only", "daily,details",
  ]

  @Test func `SIGTERM in a sync ends it in good order with 75`() async throws {
    let gate = LoopbackServer.Gate()
    let arrived = LoopbackServer.Gate()
    try await withServer { request, _ in
      if request.path?.contains("targetDt=20190714") == true {
        return try await PathSession().send(request, body: [], limits: .default)
      }
      arrived.open()
      try await gate.wait()
      return HTTPReply(status: .notFound, text: "")
    } _: { server in
      try await withDesk { desk in
        let command = try SpawnedCommand(
          Self.month + ["--format", "ndjson"], environment: environment(desk, upstream: server.origin))
        let first = await command.readLines(count: 1)
        try await arrived.wait()
        let begin = ContinuousClock.now
        command.send(SIGTERM)
        let end = await command.finish()
        #expect(begin.duration(to: .now) < .seconds(5))
        #expect(end.status == 75)
        #expect(first.contains(#""outcome":"fetched""#))
        #expect(end.output.contains(#"{"summary":{"fetched":1,"#))
        #expect(end.output.contains(#""stoppedBecause":"cancelled""#))
        #expect(end.errors.contains("SIGTERM: stopping"))
        gate.open()
      }
    }
  }

  @Test func `a closed stdout ends it without a word`() async throws {
    let gate = LoopbackServer.Gate()
    let arrived = LoopbackServer.Gate()
    try await withServer { request, body in
      arrived.open()
      try await gate.wait()
      return try await PathSession().send(request, body: body, limits: .default)
    } _: { server in
      try await withDesk { desk in
        let command = try SpawnedCommand(
          ["show", "2019-07-08"], environment: environment(desk, upstream: server.origin))
        try await arrived.wait()
        command.closeOutput()
        gate.open()
        let end = await command.finish(readsOutput: false)
        #expect(end.status == 0)
        #expect(end.errors.isEmpty)
      }
    }
  }

  @Test func `the key is in no argument, output, error, log or file, at the most verbose level`() async throws
  {
    let key = "canary-key-0123456789"
    let gate = LoopbackServer.Gate()
    let arrived = LoopbackServer.Gate()
    let mode = LockedValue(0)
    try await withServer { request, body in
      // The requests do carry it: what follows looks for something that is there.
      guard request.path?.contains("key=\(key)&") == true else {
        return HTTPReply(status: .badRequest, text: "")
      }
      switch mode.withLock({ $0 }) {
      case 0:
        arrived.open()
        try await gate.wait()
        return try await PathSession().send(request, body: body, limits: .default)
      // An upstream that repeats the key in its own words.
      case 1: return HTTPReply(text: #"{"faultInfo":{"message":"bad key \#(key)","errorCode":"320010"}}"#)
      case 2: return HTTPReply(text: "<html>\(key)</html>")
      case 3: return HTTPReply(text: #"{"boxOfficeResult":{"\#(key)":"\#(key)"}}"#)
      default: return HTTPReply(status: .serviceUnavailable, text: key)
      }
    } _: { server in
      try await withDesk { desk in
        desk.environment["KOBIS_API_KEY"] = key
        desk.environment["MATINEE_LOG_LEVEL"] = "trace"
        var told = ""
        func note(_ end: (status: Int32, output: String, errors: String)) { told += end.output + end.errors }

        let sync = try SpawnedCommand(
          Self.month + ["--budget", "5", "--format", "ndjson"],
          environment: environment(desk, upstream: server.origin))
        try await arrived.wait()
        told += String(
          decoding: try Data(contentsOf: URL(filePath: "/proc/\(sync.id)/cmdline")), as: UTF8.self)
        #expect(told.contains("--budget"))
        gate.open()
        note(await sync.finish())
        for number in 1...4 {
          mode.withLock { $0 = number }
          for arguments in [
            ["show", "2019-07-14", "--policy", "network-only"], ["movie", "20196309"],
            ["sync", "--days", "7", "--format", "json"], ["status"],
          ] {
            note(
              try await SpawnedCommand(arguments, environment: environment(desk, upstream: server.origin))
                .finish())
          }
        }
        let refusing = RefusingPort()
        for upstream in [
          "http://\(refusing.authority)", "http://\(refusing.authority)/?key=\(key)", "nonsense",
        ] {
          note(
            try await SpawnedCommand(
              ["show", "2019-07-14", "--policy", "network-only"],
              environment: environment(desk, upstream: upstream)
            ).finish())
        }
        // The loudest level had something to say, and the failures were told.
        #expect(told.contains(" debug ") && told.contains("keyRefused") && told.contains("undecodable"))
        #expect(!told.contains(key))
        let files = try FileManager.default.contentsOfDirectory(
          at: desk.folder, includingPropertiesForKeys: nil)
        #expect(files.count >= 2)
        for file in files where !file.hasDirectoryPath {
          #expect(try Data(contentsOf: file).range(of: Data(key.utf8)) == nil, "\(file.lastPathComponent)")
        }
      }
    }
  }
}

@Suite struct `When a sync is killed` {
  /// The seed of the moments, so that a failure can be had again.
  static let seed: UInt64 = 0x4D61_7469_6E65_6521
  static let killCount =
    (ProcessInfo.processInfo.environment["MATINEE_ACCEPTANCE"] ?? "").isEmpty ? 50 : 100
  /// After so many kills a database is synced to its end, and a new one begun.
  static let killCountPerDatabase = 5
  /// The most databases that are begun, should kills come too late.
  static let databaseCountMax = 40
  static let arguments = [
    "sync", "--from", "2019-04-16", "--to", "2019-07-14", "--only", "daily,details", "--format", "ndjson",
  ]

  @Test
  func `again and again at random moments, what was acknowledged is there whole, and the next completes`()
    async throws
  {
    let reference = try await Self.reference()
    let callCount = LockedValue(0)
    let session = PathSession()
    try await withServer { request, _ in
      callCount.withLock { $0 += 1 }
      return try await session.send(request, body: [], limits: .default)
    } _: { server in
      var moments = RandomMoments(seed: Self.seed)
      var cutCount = 0
      for _ in 0..<Self.databaseCountMax where cutCount < Self.killCount {
        try await withDesk { desk in
          desk.environment["MATINEE_UPSTREAM"] = server.origin
          var acknowledged: Set<String> = []
          let earlierCallCount = callCount.withLock { $0 }
          for _ in 0..<Self.killCountPerDatabase {
            let told = try await Self.killed(desk, at: &moments)
            // A kill behind the summary shows nothing, and does not count.
            if !told.contains("summary") { cutCount += 1 }
            acknowledged.formUnion(Self.acknowledged(in: told))
            try await Self.check(desk.database, holds: acknowledged, as: reference)
          }
          let end = try await SpawnedCommand(Self.arguments, environment: desk.environment).finish()
          #expect(end.status == 0, "\(end.errors)")
          #expect(acknowledged.isSubset(of: reference.keys))
          try await Self.check(desk.database, holds: Set(reference.keys), as: reference)
          // A call is in the ledger before it is made; one that a kill kept from being made stays there.
          let ledger = try Self.ledgerCount(desk.database)
          #expect(ledger >= callCount.withLock { $0 } - earlierCallCount)
        }
      }
      #expect(cutCount >= Self.killCount)
    }
  }

  /// Runs a sync and kills it, while it starts or some lines and moments later; what it had told by then.
  private static func killed(_ desk: Desk, at moments: inout RandomMoments) async throws -> String {
    let command = try SpawnedCommand(Self.arguments, environment: desk.environment)
    let lineCount = moments.next(below: 12)
    let told = lineCount > 0 ? await command.readLines(count: lineCount) : ""
    usleep(UInt32(moments.next(below: lineCount > 0 ? 8000 : 60_000)))
    command.send(SIGKILL)
    return told + (await command.finish().output)
  }

  /// The whole lines of an ndjson output that acknowledge a resource.
  private static func acknowledged(in output: String) -> [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap { line in
      guard let object = try? object(String(line)), object["outcome"] as? String != "failed" else {
        return nil
      }
      return object["resource"] as? String
    }
  }

  /// Everything the sync comes to when nobody kills it.
  private static func reference() async throws -> [String: CatalogValue] {
    try await MovieCatalog.withCatalog(
      database: .inMemory, source: .kobis(key: "a-test-key-of-no-use"), session: PathSession(),
      clock: ManualClock(inKorea: dayAfterTheWeek)
    ) { catalog in
      let first = try #require(CalendarDay("2019-04-16"))
      let last = try #require(CalendarDay("2019-07-14"))
      let resources = LockedValue<[ResourceID]>([])
      let report = await SyncEngine(catalog).run(
        SyncRequest(days: first...last, streams: [.daily, .details])
      ) { event in
        resources.withLock { $0.append(event.resource) }
      }
      #expect(report.failedCount == 0)
      return try await values(of: resources.withLock { $0 }, in: catalog)
    }
  }

  private static func values(
    of resources: [ResourceID], in catalog: MovieCatalog
  ) async throws -> [String: CatalogValue] {
    var values: [String: CatalogValue] = [:]
    for resource in resources {
      switch resource.subject {
      case .boxOffice(let period, let filter):
        let chart = try await catalog.read(
          .boxOffice(period.kind, containing: .day(period.day), filter: filter), policy: .cacheOnly)
        values[resource.description] = .boxOffice(chart.value)
      case .movieDetails(let code):
        values[resource.description] = .movieDetails(
          try await catalog.read(.movieDetails(code), policy: .cacheOnly).value)
      case .personDetails, .companyDetails, .codes, .page:
        Issue.record("\(resource) is in none of the streams that were synced")
      }
    }
    return values
  }

  /// The calls that are in the ledger of a database, on whatever days.
  private static func ledgerCount(_ database: URL) throws -> Int {
    let connection = try Connection(location: .file(database.path))
    let sql = "SELECT coalesce(sum(used_count), 0) FROM quota_day"
    return try connection.firstValue(sql) { row throws(SQLiteError) in try row.int(at: 0) } ?? 0
  }

  private static func check(
    _ database: URL, holds acknowledged: Set<String>, as reference: [String: CatalogValue]
  ) async throws {
    // Killed before it could make one: then nothing was acknowledged either.
    guard FileManager.default.fileExists(atPath: database.path) else { return #expect(acknowledged.isEmpty) }
    try await MovieCatalog.withCatalog(
      database: .file(database.path), source: .kobis(key: nil), clock: ManualClock(inKorea: dayAfterTheWeek)
    ) { catalog in
      let resources = reference.values.map { ResourceID(upstream: UpstreamID("kobis"), subject: $0.subject) }
        .filter { acknowledged.contains($0.description) }
      #expect(resources.count == acknowledged.count)
      let stored = try await values(of: resources, in: catalog)
      for resource in acknowledged { #expect(stored[resource] == reference[resource], "\(resource)") }
    }
    let connection = try Connection(location: .file(database.path))
    let verdict = try connection.firstValue("PRAGMA integrity_check") { row throws(SQLiteError) in
      try row.string(at: 0)
    }
    #expect(verdict == "ok")
  }
}

/// Random numbers that a seed replays (SplitMix64, by Steele, Lea and Flood).
struct RandomMoments {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }
}
