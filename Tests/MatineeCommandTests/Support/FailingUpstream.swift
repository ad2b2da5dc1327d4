import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import KOBIS
import LoopbackServer
import UpstreamFaults

/// An upstream for a loopback server that counts what arrives, and fails some of it: connections that close before an
/// answer or in the middle of one, and answers that are of no use.
///
/// A cut connection is what most of a network's faults come to where a server has them; those that a server cannot have
/// (a name that does not resolve, say) are no part of it, and neither are the slow ones, which would be waited for.
final class FailingUpstream: Sendable {
  private static let faults: [Fault] = [.emptyReply, .truncatedBody]

  private struct State {
    var callCount = 0
    var callCounts: [String: Int] = [:]
  }

  private let working = PathSession()
  private let failing: FaultySession
  private let mangled: MangledAnswers
  private let state = LockedValue(State())

  /// Makes an upstream of which a part of the calls fails, half of them on the connection.
  init(failureShare: Double, seed: UInt64) {
    mangled = MangledAnswers(wrapping: working, probability: failureShare / 2, seed: seed)
    failing = FaultySession(
      wrapping: mangled, plan: .random(probability: failureShare / 2, faults: Self.faults, seed: seed))
  }

  /// How many calls arrived.
  var callCount: Int { state.withLock { $0.callCount } }

  /// How often the daily chart or the details of a resource's name were asked for.
  func callCount(of resource: String) -> Int { state.withLock { $0.callCounts[resource] ?? 0 } }

  /// Whether connections were cut before and in an answer, and answers mangled.
  var hasFailed: Bool {
    Set(failing.injected.compactMap(\.self)) == Set(Self.faults) && !mangled.done.isEmpty
  }

  /// Answers a request, or fails.
  @Sendable func reply(to request: HTTPRequest, _ body: [UInt8]) async throws -> HTTPReply {
    let call = KOBISCall(request)
    let day = call?["targetDt"].map { "kobis/daily-box-office/\($0)" }
    let movie = call?["movieCd"].map { "kobis/movie-details/\($0)" }
    state.withLock { state in
      state.callCount += 1
      state.callCounts[day ?? movie ?? "", default: 0] += 1
    }
    do {
      return try await failing.send(request, body: body, limits: .default)
    } catch let error as TransportError where error.code == .truncatedBody {
      throw BrokenOffReply(try await working.send(request, body: body, limits: .default))
    }
  }
}
