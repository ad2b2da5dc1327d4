import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Matinee
import MatineeTesting
import Testing

@Suite struct `An answer that must not be stored` {
  static let body = String(decoding: Upstream.freshBody, as: UTF8.self)

  static func replacing(_ old: String, _ new: String) -> String {
    guard let range = body.range(of: old) else { return "\(old) is not in the body" }
    return body.replacingCharacters(in: range, with: new)
  }

  /// The body, the failure's code and its detail.
  static let bodies: [(name: String, body: String, code: CatalogFailure.Code, detail: String)] = [
    (
      "another day's chart", body.replacingOccurrences(of: "20190708~20190708", with: "20190709~20190709"),
      .implausible, "wrongPeriod"
    ),
    (
      "a movie twice", body.replacingOccurrences(of: "20183867", with: "20196309"), .implausible,
      "repeatedMovie"
    ),
    (
      "a position twice", replacing(#""rnum":"2""#, #""rnum":"1""#), .implausible, "repeatedPosition"
    ),
    (
      "a position missing", replacing(#""rnum":"10""#, #""rnum":"11""#), .implausible, "missingPosition"
    ),
    (
      "a number out of range", replacing(#""salesAmt":"2029335770""#, #""salesAmt":"99999999999999999999""#),
      .undecodable, "outOfRange"
    ),
    ("a field missing", replacing(#""audiCnt":"242112","#, ""), .undecodable, "fieldMissing"),
    (
      "a field of another type", replacing(#""audiCnt":"242112""#, #""audiCnt":242112"#), .undecodable,
      "wrongType"
    ),
    ("HTML", "<!DOCTYPE html><html><body>점검 중입니다</body></html>", .undecodable, "markup"),
    ("half a document", String(body.prefix(body.count / 2)), .undecodable, "truncated"),
    ("nothing", "", .undecodable, "empty"),
    ("a fault", #"{"faultInfo":{"message":"m","errorCode":"320102"}}"#, .fault, "320102"),
  ]

  @Test(arguments: bodies.indices)
  func `is refused by name, and what was stored is served`(index: Int) async throws {
    let (name, body, code, detail) = Self.bodies[index]
    let session = StubSession(Stub(.any, Upstream.answer(Array(body.utf8))).repeatingLast())
    try await Upstream.withRig(session, stored: .seconds(400 * 86_400)) { rig async throws in
      let reading = try await rig.catalog.read(Upstream.resource)
      #expect(reading.servedBecause?.code == code, "\(name)")
      #expect(reading.servedBecause?.detail == detail, "\(name)")
      #expect(reading.value == (try Upstream.storedChart()))
      await rig.catalog.waitForRefreshes()
      let entry = try #require(try await rig.store.entry(for: Upstream.id))
      #expect(entry.value == .boxOffice(try Upstream.storedChart()))
      #expect(entry.record.revision == 1)
      #expect(entry.record.lastFailure?.code == code)
    }
  }

  @Test func `is refused for its size`() async throws {
    let configuration = CatalogConfiguration(
      transportLimits: TransportLimits(responseByteCountMax: 1000, decodedByteCountMax: 1000))
    let session = StubSession(Stub(.any, Outcome.success.answer))
    let age = Duration.seconds(400 * 86_400)
    try await Upstream.withRig(session, stored: age, configuration: configuration) { rig async throws in
      let reading = try await rig.catalog.read(Upstream.resource)
      #expect(reading.servedBecause?.code == .tooLarge)
      #expect(reading.value == (try Upstream.storedChart()))
    }
  }

  @Test func `ends a sync that gets nothing else before it has spent the day's calls`() async throws {
    let page = Upstream.answer(Array("<html>점검 중</html>".utf8))
    try await Upstream.withRig(StubSession(Stub(.any, page).repeatingLast())) { rig async throws in
      let days = Upstream.day...Upstream.day.advanced(by: 200)
      let report = await SyncEngine(rig.catalog).run(
        SyncRequest(days: days, streams: [.daily], concurrentCallCountMax: 1))
      #expect(report.stoppedBecause == .upstreamUnavailable)
      #expect(report.callCount == SyncEngine.consecutiveUnusableAnswerCountMax)
    }
  }

  @Test func `makes no row for a movie that nobody knows`() async throws {
    let unknown = Upstream.answer(Array(#"{"movieInfoResult":{"movieInfo":null,"source":"KOBIS"}}"#.utf8))
    try await Upstream.withRig(StubSession(Stub(.any, unknown))) { rig async throws in
      let code = try #require(MovieCode("nobody"))
      let failure = await #expect(throws: CatalogFailure.self) {
        try await rig.catalog.read(.movieDetails(code))
      }
      #expect(failure?.detail == CatalogFailure.unknownMovieDetail)
      await rig.catalog.waitForRefreshes()
      #expect(try await rig.catalog.summary().failureCount == 0)
    }
  }
}

@Suite struct `When the clock jumps` {
  @Test(arguments: [-86_400, 86_400, -40 * 86_400])
  func `no reader hammers the upstream, and nothing becomes immortal`(seconds: Int) async throws {
    let session = StubSession(Stub(.any, Outcome.success.answer).repeatingLast())
    try await Upstream.withRig(session) { rig async throws in
      _ = try await rig.catalog.read(Upstream.resource)
      rig.clock.setWallTime(rig.clock.wallTime.advanced(by: .seconds(seconds)))
      for _ in 0..<10 { _ = try await rig.catalog.read(Upstream.resource) }
      // Back in time the answer is from the future and is fetched once more; ahead it is fresh still.
      #expect(session.journal.count == (seconds < 0 ? 2 : 1))
      rig.clock.setWallTime(rig.clock.wallTime.advanced(by: .seconds(400 * 86_400)))
      #expect(try await rig.catalog.read(Upstream.resource).origin == .network)
    }
  }

  @Test func `midnight in Korea during a sync moves no day`() async throws {
    let gate = Gate()
    let lastDay = RecordedSession.recordedDays.upperBound
    let callCount = LockedValue(0)
    let stubs = StubSession(
      Stub(
        .any,
        .computed { request in
          let number = callCount.withLock { count in
            count += 1
            return count
          }
          // The first call goes alone.
          if number > 1 { try await gate.pass() }
          return try await RecordedSession().send(request.request, body: [], limits: .default)
        }
      ).repeatingLast())
    try await Upstream.withRig(stubs) { rig async throws in
      // One minute to midnight of the day after the last recorded one: yesterday is that last day.
      rig.clock.setWallTime(lastDay.advanced(by: 2).startInKorea.advanced(by: .seconds(-60)))
      let yesterday = rig.catalog.availableDays.upperBound
      #expect(yesterday == lastDay)
      let request = SyncRequest(days: yesterday.advanced(by: -2)...yesterday, streams: [.daily])
      let sync = Task { await SyncEngine(rig.catalog).run(request) }
      try await gate.waitForWaiting(count: 2)
      rig.clock.advance(by: .seconds(120))
      #expect(rig.catalog.availableDays.upperBound == lastDay.advanced(by: 1))
      gate.open()
      let report = await sync.value
      #expect(report.fetchedCount == 3 && report.failedCount == 0)
      let keys = try await rig.store.records(
        of: .dailyBoxOffice, upstream: Upstream.id.upstream, keys: "2019"..."2020"
      ).keys.map(\.subject.key).sorted()
      #expect(keys == ["20190712", "20190713", "20190714"])
    }
  }
}
