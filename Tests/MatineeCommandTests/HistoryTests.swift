import CatalogEngine
import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import KOBIS
import LoopbackServer
import Recordings
import Testing

@testable import MatineeCommand

/// A month of real answers, where the recordings lie beside the project; they are no part of it.
@Suite struct `When a recorded month is synced from a server` {
  @Test(.enabled(if: Recordings.areThere, "the recordings are not here"))
  func `the server may go, and every day is shown from the cache, tied ranks whole`() async throws {
    let bodies = try await History.bodies(year: 2019)
    let server = LoopbackHTTPServer { request, _ in
      guard let call = KOBISCall(request), let day = call["targetDt"], let body = bodies[day] else {
        return HTTPReply(status: .notFound, text: "")
      }
      return HTTPReply(text: body)
    }
    try await server.start()
    try await withDesk { desk in
      desk.environment["MATINEE_UPSTREAM"] = server.origin
      desk.clock.setWallNow(WallTime.startOfDay(year: 2020, month: 1, day: 10))
      let month = ["--from", "2019-07-01", "--to", "2019-07-31", "--only", "daily"]
      let sync = try object(await desk.run(["sync", "--format", "json"] + month).output)
      #expect(sync["fetched"] as? Int == 31)
      await server.stop()

      for number in 1...31 {
        let day = try #require(CalendarDay(year: 2019, month: 7, day: number))
        let outcome = await desk.run("show", day.description, "--policy", "network-first", "--format", "json")
        #expect(outcome.status == 0)
        // After so many refusals in a row the upstream is not even asked.
        let isAsked = number <= BreakerPolicy().consecutiveFailureCountMax
        let reason = isAsked ? "transport: connectionRefused" : "breakerOpen: 127.0.0.1"
        #expect(outcome.errors.contains("served from the cache, less than 1 s old: \(reason)"))
        let why = "could not be reached so often that it is not asked before 2020-01-09T15:00:30Z"
        #expect(outcome.errors.contains(why) == !isAsked)
        let entries = try #require(try object(outcome.output)["entries"] as? [[String: Any]])
        #expect(
          entries.map { $0["rank"] as? Int } == History.ranks(in: try #require(bodies[day.basicFormat])))
        #expect(entries.map { $0["position"] as? Int } == Array(1...entries.count))
      }
    }
  }

  @Test(.enabled(if: Recordings.areThere, "the recordings are not here"))
  func `every day of four years with a tie comes out with every row`() async throws {
    var tiedDayCount = 0
    for year in 2017...2020 {
      let bodies = try await History.bodies(year: year)
      let tied = bodies.filter { Set(History.ranks(in: $0.value)).count < History.ranks(in: $0.value).count }
      tiedDayCount += tied.count
      let session = ClosureSession { call in HTTPReply(text: tied[call["targetDt"] ?? ""] ?? "") }
      try await withDesk(session: session) { desk in
        desk.clock.setWallNow(WallTime.startOfDay(year: 2021, month: 1, day: 10))
        for (day, body) in tied {
          let outcome = await desk.run("show", day, "--format", "json")
          let entries = try #require(try object(outcome.output)["entries"] as? [[String: Any]])
          #expect(entries.map { $0["rank"] as? Int } == History.ranks(in: body))
        }
      }
    }
    #expect(tiedDayCount > 0)
  }
}

/// The recorded daily charts of whole years: one body a line, in gzip.
private enum History {
  static func bodies(year: Int) async throws -> [String: String] {
    var bodies: [String: String] = [:]
    for body in try await Recordings.history(of: year) {
      let line = String(decoding: body, as: UTF8.self)
      guard let range = line.firstMatch(of: /"showRange":"(\d{8})~/) else { continue }
      bodies[String(range.1)] = line
    }
    return bodies
  }

  /// The ranks in a body, in its rows' order.
  static func ranks(in body: String) -> [Int] {
    body.matches(of: /"rank":"(\d+)"/).compactMap { Int($0.1) }
  }
}
