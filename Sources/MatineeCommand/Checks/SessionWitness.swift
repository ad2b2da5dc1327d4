import CatalogEngine
import HTTPTransport
import HTTPTypes

/// Sees when a call was made, how long it took, and what time it was at the server.
final class SessionWitness: Sendable {
  /// One call.
  struct Exchange: Hashable, Sendable {
    var sentAt: Timestamp
    /// From the request to the last byte, or to the failure.
    var elapsed: Duration
    /// What the reply's `Date` says; `nil` if there is none, or no reply.
    var serverTime: Timestamp?

    /// How far this machine's clock is ahead of the server's; `nil` where the server does not say.
    ///
    /// The date was written some time while the call was under way, and cut to the second.
    var clockLead: Duration? {
      serverTime.map { server in
        sentAt.advanced(by: elapsed / 2).duration(since: server.advanced(by: .milliseconds(500)))
      }
    }
  }

  private let clock: any CatalogClock
  private let latest = LockedValue<Exchange?>(nil)

  init(clock: any CatalogClock) { self.clock = clock }

  /// The call that ended last; `nil` if there was none.
  var exchange: Exchange? { latest.withLock { $0 } }

  /// The same session, its calls seen.
  func watching(_ session: any HTTPSession) -> any HTTPSession {
    WatchedSession(session: session, witness: self)
  }

  private func note(_ sentAt: Timestamp, _ head: HTTPResponse?) {
    let now = clock.wallTime
    let serverTime = head?.headerFields[.date].flatMap { RetryAfter.date($0[...], at: now) }
    // Wall time may have jumped.
    let elapsed = max(.zero, now.duration(since: sentAt))
    latest.withLock { $0 = Exchange(sentAt: sentAt, elapsed: elapsed, serverTime: serverTime) }
  }

  private struct WatchedSession: HTTPSession {
    let session: any HTTPSession
    let witness: SessionWitness

    func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
      let sentAt = witness.clock.wallTime
      do {
        let reply = try await session.send(request, body: body, limits: limits)
        witness.note(sentAt, reply.head)
        return reply
      } catch {
        witness.note(sentAt, nil)
        throw error
      }
    }
  }
}
