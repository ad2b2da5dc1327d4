import HTTPTransport
import HTTPTypes
import Matinee

/// Counts the calls that leave the catalogue on each Korean day, whatever becomes of them on the way.
final class CallWitness: HTTPSession {
  private let wrapped: any HTTPSession
  private let clock: any CatalogClock
  private let counts = LockedValue<[CalendarDay: Int]>([:])

  init(wrapping wrapped: any HTTPSession, clock: any CatalogClock) {
    self.wrapped = wrapped
    self.clock = clock
  }

  /// The calls of each Korean day.
  var callCounts: [CalendarDay: Int] { counts.withLock { $0 } }

  func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
    let day = CalendarDay(inKoreaAt: clock.wallTime)
    counts.withLock { $0[day, default: 0] += 1 }
    return try await wrapped.send(request, body: body, limits: limits)
  }
}
