import HTTPSessionTesting
package import HTTPTransport
package import HTTPTypes

/// Answers of KOBIS that arrive whole and are of no use: what a transport's faults do not make.
package final class MangledAnswers: HTTPSession {
  /// The ways in which an answer is of no use.
  package enum Damage: String, CaseIterable, Sendable {
    case page, cut, fault, emptyList, anotherDay, unavailable, tooManyRequests, notFound
  }

  private struct State {
    var random: SeededRandom
    var done: Set<Damage> = []
  }

  private let wrapped: any HTTPSession
  private let probability: Double
  private let state: LockedValue<State>

  /// Makes a session that damages an answer of `wrapped` with a probability, each way equally likely.
  package init(wrapping wrapped: any HTTPSession, probability: Double, seed: UInt64) {
    self.wrapped = wrapped
    self.probability = probability
    state = LockedValue(State(random: SeededRandom(seed: seed ^ 0xD00D)))
  }

  /// The ways in which answers were damaged so far.
  package var done: Set<Damage> { state.withLock { $0.done } }

  package func send(
    _ request: HTTPRequest, body: [UInt8], limits: TransportLimits
  ) async throws -> HTTPReply {
    let reply = try await wrapped.send(request, body: body, limits: limits)
    let damage = state.withLock { state -> Damage? in
      let (chance, choice) = (state.random.nextUnit(), state.random.next())
      guard chance < probability else { return nil }
      let damage = Damage.allCases[Int(choice % UInt64(Damage.allCases.count))]
      state.done.insert(damage)
      return damage
    }
    return damage.map { Self.damaged(reply, $0) } ?? reply
  }

  private static func damaged(_ reply: HTTPReply, _ damage: Damage) -> HTTPReply {
    func body(_ text: String) -> HTTPReply { HTTPReply(head: reply.head, body: Array(text.utf8)) }
    func status(_ status: HTTPResponse.Status, _ fields: HTTPFields = [:]) -> HTTPReply {
      HTTPReply(head: HTTPResponse(status: status, headerFields: fields))
    }
    switch damage {
    case .page: return body("<html><body>점검 중입니다</body></html>")
    case .cut: return HTTPReply(head: reply.head, body: Array(reply.body.dropLast(reply.body.count / 3)))
    case .fault: return body(#"{"faultInfo":{"message":"알 수 없는 오류","errorCode":"390000"}}"#)
    case .emptyList: return body(#"{"boxOfficeResult":{}}"#)
    case .anotherDay:
      return body(
        #"{"boxOfficeResult":{"boxofficeType":"일별 박스오피스","showRange":"20150101~20150101","dailyBoxOfficeList":[]}}"#
      )
    case .unavailable: return status(.serviceUnavailable, [.retryAfter: "2"])
    case .tooManyRequests: return status(.tooManyRequests, [.retryAfter: "5"])
    case .notFound: return status(.notFound)
    }
  }
}
