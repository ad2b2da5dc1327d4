import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import KOBIS
import Matinee
import MatineeTesting

/// KOBIS as an acceptance run sees it: a simulator whose answers are made once, and which keeps its own books of what it
/// was asked on which Korean day.
final class SimulatedUpstream: HTTPSession {
  /// What was invented so far; to invent it anew for each run would take longer than the runs.
  private struct Inventions {
    var replies: [String: HTTPReply] = [:]
    var charts: [BoxOfficePeriod: BoxOffice] = [:]
    var details: [MovieCode: MovieDetails] = [:]
  }

  private struct Books {
    var countByPath: [String: Int] = [:]
    var countByDay: [CalendarDay: Int] = [:]
  }

  private let simulator: KOBISSimulator
  private let inventions: LockedValue<Inventions>
  private let callsPerDayMax: Int
  private let clock: any CatalogClock
  private let books = LockedValue(Books())

  /// Makes an upstream.
  ///
  /// - Parameters:
  ///   - answers: One whose answers it shares, so that they are not invented anew for each run.
  init(callsPerDayMax: Int, clock: any CatalogClock, sharing answers: SimulatedUpstream? = nil) {
    // Its films are as of a fixed day: what is long past answers the same on whatever day it is asked.
    simulator = answers?.simulator ?? KOBISSimulator(seed: 7, callsPerDayMax: .max) { Self.frozenNow }
    inventions = answers?.inventions ?? LockedValue(Inventions())
    self.callsPerDayMax = callsPerDayMax
    self.clock = clock
  }

  static let frozenNow = Timestamp(millisecondsSinceEpoch: 1_640_962_800_000)

  /// How many calls it counted.
  var callCount: Int { books.withLock { $0.countByDay.values.reduce(0, +) } }

  /// How many calls it counted on each Korean day.
  var callCounts: [CalendarDay: Int] { books.withLock { $0.countByDay } }

  /// How often it was asked for each thing.
  var callCountsByPath: [String: Int] { books.withLock { $0.countByPath } }

  static let key = "a-test-key-of-no-use"

  /// The chart that it answers.
  func chart(of period: BoxOfficePeriod) -> BoxOffice {
    if let chart = inventions.withLock({ $0.charts[period] }) { return chart }
    let chart = simulator.chart(of: period)
    inventions.withLock { $0.charts[period] = chart }
    return chart
  }

  /// The details that it answers; `nil` for a code that no movie has.
  func details(of code: MovieCode) -> MovieDetails? {
    if let details = inventions.withLock({ $0.details[code] }) { return details }
    guard let details = simulator.details(of: code) else { return nil }
    inventions.withLock { $0.details[code] = details }
    return details
  }

  func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
    let path = request.path ?? ""
    let day = CalendarDay(inKoreaAt: clock.wallTime)
    let isSpent = books.withLock { books in
      books.countByDay[day, default: 0] += 1
      books.countByPath[path, default: 0] += 1
      return (books.countByDay[day] ?? 0) > callsPerDayMax
    }
    if isSpent { return Self.spent }
    if let reply = inventions.withLock({ $0.replies[path] }) { return reply }
    // Whether or not the call was given up meanwhile: so the faults that come after it are the same with every run.
    let reply = simulator.reply(to: request)
    inventions.withLock { $0.replies[path] = reply }
    return reply
  }

  private static let spent = HTTPReply(
    head: HTTPResponse(status: .ok),
    body: Array(#"{"faultInfo":{"message":"키의 하루 이용량을 초과하였습니다.","errorCode":"320011"}}"#.utf8))
}
