import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Matinee

/// Answers that arrive whole and are of no use: what a transport's faults do not make.
final class MangledAnswers: HTTPSession {
  /// The ways in which an answer is of no use.
  private enum Damage: CaseIterable {
    case page, cut, fault, emptyList, anotherDay, unavailable, tooManyRequests, notFound
  }

  private let wrapped: any HTTPSession
  private let probability: Double
  private let random: LockedValue<SeededRandom>

  init(wrapping wrapped: any HTTPSession, probability: Double, seed: UInt64) {
    self.wrapped = wrapped
    self.probability = probability
    random = LockedValue(SeededRandom(seed: seed ^ 0xD00D))
  }

  func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
    let reply = try await wrapped.send(request, body: body, limits: limits)
    let damage = random.withLock { random -> Damage? in
      let (chance, choice) = (random.nextUnit(), random.next())
      return chance < probability ? Damage.allCases[Int(choice % UInt64(Damage.allCases.count))] : nil
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
