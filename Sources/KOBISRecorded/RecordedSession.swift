public import CatalogEngine
public import HTTPTransport
public import HTTPTypes
public import KOBIS
import KOBISFixtures

/// A session that answers KOBIS's requests from one recorded week, 2019-07-08 to 2019-07-14, and dials nowhere.
///
/// It knows the charts of these seven days, of their week and of their weekend, and the details of every movie in
/// them. Asked for anything else it throws a `TransportError` of code ``notRecorded``: an empty chart in answer
/// would be a lie, for KOBIS does have those days.
public struct RecordedSession: HTTPSession {
  /// The days of which charts are recorded, Monday to Sunday.
  public static let recordedDays: ClosedRange<CalendarDay> = {
    guard let first = CalendarDay(number: RecordedWeek.firstDay),
      let last = CalendarDay(number: RecordedWeek.lastDay)
    else { preconditionFailure("the recorded week's bounds are no days") }
    return first...last
  }()

  /// The code of the error for what was not recorded.
  public static let notRecorded = TransportError.Code(rawValue: "notRecorded")

  /// Makes a session.
  public init() {}

  /// The recorded answer to `request`, with status 200.
  ///
  /// - Throws: `TransportError` of code ``notRecorded`` for what was not recorded, of code `tooLarge` if the body is
  ///   larger than `limits` allow, and of code `cancelled` if the calling task was cancelled.
  public func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
    if Task.isCancelled {
      throw TransportError(.cancelled, for: request, detail: "the calling task was cancelled")
    }
    guard let call = KOBISCall(request), let body = Self.body(for: call) else {
      throw TransportError(
        Self.notRecorded, for: request,
        detail:
          "only the charts of \(Self.recordedDays.lowerBound) to \(Self.recordedDays.upperBound) and the "
          + "movies in them are recorded; ask for one of those, or ask KOBIS itself with an API key")
    }
    guard body.count <= min(limits.responseByteCountMax, limits.decodedByteCountMax) else {
      throw TransportError(.tooLarge, for: request, detail: "the recorded body has \(body.count) bytes")
    }
    var head = HTTPResponse(status: .ok)
    head.headerFields[.contentType] = "application/json;charset=UTF-8"
    return HTTPReply(head: head, body: body)
  }

  private static func body(for call: KOBISCall) -> [UInt8]? {
    guard ["multiMovieYn", "repNationCd", "wideAreaCd"].allSatisfy({ call[$0] == nil }) else { return nil }
    switch call.service {
    case .dailyBoxOffice:
      return call["targetDt"].flatMap { RecordedWeek.dailyBodies[$0] }
    case .weeklyBoxOffice:
      // KOBIS answers the week that holds the day, and the weekend if it is not told otherwise.
      guard let day = call["targetDt"].flatMap({ CalendarDay($0) }), recordedDays.contains(day) else {
        return nil
      }
      switch call["weekGb"] {
      case "0": return RecordedWeek.weeklyBody
      case "1", nil: return RecordedWeek.weekendBody
      default: return nil
      }
    case .movieInfo:
      return call["movieCd"].flatMap { RecordedWeek.movieBodies[$0] }
    case .codeList, .movieList, .companyList, .companyInfo, .peopleList, .peopleInfo:
      return nil
    }
  }
}

extension KOBISSource {
  /// The source that goes with a ``RecordedSession``: needs no key, and says that its answers are recorded.
  public static var recorded: KOBISSource { KOBISSource(recorded: RecordedSession.recordedDays) }
}
