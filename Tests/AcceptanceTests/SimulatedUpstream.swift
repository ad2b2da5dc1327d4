import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import KOBIS
import Matinee
import MatineeTesting

/// KOBIS as an acceptance run sees it: a simulator whose answers are made once, and which keeps its own books of what it
/// was asked on which Korean day.
final class SimulatedUpstream: HTTPSession {
  private struct State {
    var replies: [String: HTTPReply] = [:]
    var countByPath: [String: Int] = [:]
    var countByDay: [CalendarDay: Int] = [:]
  }

  let simulator: KOBISSimulator
  private let replies: LockedValue<[String: HTTPReply]>
  private let callsPerDayMax: Int
  private let clock: any CatalogClock
  private let books = LockedValue(State())

  /// Makes an upstream.
  ///
  /// - Parameters:
  ///   - answers: One whose answers it shares, so that they are not invented anew for each run.
  init(callsPerDayMax: Int, clock: any CatalogClock, sharing answers: SimulatedUpstream? = nil) {
    // Its films are as of a fixed day: what is long past answers the same on whatever day it is asked.
    simulator = answers?.simulator ?? KOBISSimulator(seed: 7, callsPerDayMax: .max) { Self.frozenNow }
    replies = answers?.replies ?? LockedValue([:])
    self.callsPerDayMax = callsPerDayMax
    self.clock = clock
  }

  static let frozenNow = Timestamp(millisecondsSinceEpoch: 1_640_962_800_000)

  /// How many calls it counted.
  var callCount: Int { books.withLock { $0.countByDay.values.reduce(0, +) } }

  /// How many calls it counted on each Korean day.
  var callCounts: [CalendarDay: Int] { books.withLock { $0.countByDay } }

  /// How often it was asked for `subject`.
  func callCount(for subject: ResourceID.Subject) -> Int {
    let path = Self.source.map { try? $0.request(for: subject).path } ?? nil
    return books.withLock { $0.countByPath[path ?? ""] ?? 0 }
  }

  /// How often it was asked for each thing.
  var callCountsByPath: [String: Int] { books.withLock { $0.countByPath } }

  static let key = "a-test-key-of-no-use"
  private static let source = try? KOBISSource(key: APIKey(key))

  func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
    let path = request.path ?? ""
    let day = CalendarDay(inKoreaAt: clock.wallTime)
    let isSpent = books.withLock { books in
      books.countByDay[day, default: 0] += 1
      books.countByPath[path, default: 0] += 1
      return (books.countByDay[day] ?? 0) > callsPerDayMax
    }
    if isSpent { return Self.spent }
    if let reply = replies.withLock({ $0[path] }) { return reply }
    let reply = try await simulator.send(request, body: body, limits: limits)
    replies.withLock { $0[path] = reply }
    return reply
  }

  private static let spent = HTTPReply(
    head: HTTPResponse(status: .ok),
    body: Array(#"{"faultInfo":{"message":"키의 하루 이용량을 초과하였습니다.","errorCode":"320011"}}"#.utf8))
}
