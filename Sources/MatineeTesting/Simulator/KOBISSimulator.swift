public import CatalogEngine
public import HTTPTransport
public import HTTPTypes
public import KOBIS

/// A working KOBIS without a network: a fake upstream that answers as the real one does, from a seed.
///
/// Of KOBIS's services it has those that the project knows: `searchDailyBoxOfficeList`, `searchWeeklyBoxOfficeList`
/// and `searchMovieInfo`; lists and details of movies by other searches, companies and people are not among them.
///
/// It has the chart of every day, week and weekend since 2003-11-11 and details of every movie in them, all invented
/// yet coherent: audiences accumulate, ranks sort and now and then tie. A day that has not passed in Korea by its
/// clock is an empty list. Keys are checked, calls counted against a quota of the Korean day, and parameters
/// looked at, with KOBIS's own faults and words, at status 200. Any answer can be replaced by one of the test's own.
///
/// It is a fake, for tests of what happens over many calls. To script one answer after the other, stub the session
/// instead; to have it fail as networks do, wrap it in a session that does.
public final class KOBISSimulator: HTTPSession {
  /// The calls a day that KOBIS grants a key.
  public static let callsPerDayDefault = 3000

  /// The most different answers of the test's own, and the most different subjects of which calls are counted.
  public static let subjectCountMax = 100_000

  private let boxOffice: SimulatedBoxOffice
  private let key: APIKey?
  private let callsPerDayMax: Int
  private let now: @Sendable () -> Timestamp
  private let state = LockedValue(State())

  private struct State {
    var bodies: [KOBISCall: [UInt8]] = [:]
    var callCounts: [KOBISCall: Int] = [:]
    var callCount = 0
    var quotaDay: CalendarDay?
    var quotaCallCount = 0
  }

  /// Makes an upstream.
  ///
  /// - Parameters:
  ///   - seed: What its movies are drawn from; the same seed gives the same answers everywhere.
  ///   - key: The one key it takes; if `nil`, it takes any, and none.
  ///   - callsPerDayMax: The calls it grants in a Korean day; every one with a good key counts, faults included.
  ///   - now: Its clock.
  public init(
    seed: UInt64 = 1, key: APIKey? = nil, callsPerDayMax: Int = KOBISSimulator.callsPerDayDefault,
    now: @escaping @Sendable () -> Timestamp
  ) {
    boxOffice = SimulatedBoxOffice(seed: seed)
    self.key = key
    self.callsPerDayMax = callsPerDayMax
    self.now = now
  }

  // MARK: What it knows

  /// The chart that it answers: of `period`, or without rows if the period has not passed in Korea, or lies before
  /// 2003-11-11.
  ///
  /// It knows nothing of bodies the test has put in its place.
  public func chart(of period: BoxOfficePeriod) -> BoxOffice {
    let today = CalendarDay(inKoreaAt: now())
    guard period.day >= KOBISSource.firstDay, period.through < today else {
      return BoxOffice(period: period, entries: [])
    }
    return boxOffice.chart(of: period)
  }

  /// The details that it answers; `nil` if it has invented no movie of the code.
  public func details(of code: MovieCode) -> MovieDetails? { boxOffice.movie(code)?.details }

  /// Answers `subject` with `body` from now on, whatever its bytes; with its own answer again if `body` is `nil`.
  ///
  /// - Precondition: No more than ``subjectCountMax`` subjects are answered so.
  public func answer(_ subject: ResourceID.Subject, with body: [UInt8]?) {
    state.withLock { state in
      state.bodies[KOBISCall(for: subject)] = body
      precondition(state.bodies.count <= Self.subjectCountMax, "too many answers of the test's own")
    }
  }

  /// Answers the chart's period with `chart` from now on, as when KOBIS corrects a day.
  public func answer(with chart: BoxOffice) { answer(.boxOffice(chart.period), with: KOBISBody.chart(chart)) }

  /// Answers the movie's code with `details` from now on.
  public func answer(with details: MovieDetails) {
    answer(.movieDetails(details.code), with: KOBISBody.details(details))
  }

  // MARK: What was asked

  /// How many calls were made, faults included.
  public var callCount: Int { state.withLock { $0.callCount } }

  /// How many calls asked for `subject`, faults included.
  public func callCount(for subject: ResourceID.Subject) -> Int {
    state.withLock { $0.callCounts[KOBISCall(for: subject)] ?? 0 }
  }

  /// How many calls of the present Korean day are left.
  public var callsLeft: Int {
    let today = CalendarDay(inKoreaAt: now())
    return state.withLock {
      $0.quotaDay == today ? max(0, callsPerDayMax - $0.quotaCallCount) : callsPerDayMax
    }
  }

  // MARK: Answering

  /// KOBIS's answer to `request`: status 200 for all it has a word for, 404 for other paths, 405 for other methods,
  /// and 501 for what is not simulated: charts of a part of the films
  /// or of the country (`multiMovieYn`, `repNationCd`, `wideAreaCd`), and an `itemPerPage` that is not 1 to 10.
  ///
  /// - Throws: `TransportError` of code `cancelled` if the calling task was cancelled, and of code `tooLarge` if the
  ///   body is larger than `limits` allow.
  public func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
    if Task.isCancelled {
      throw TransportError(.cancelled, for: request, detail: "the calling task was cancelled")
    }
    let reply = reply(to: request)
    guard reply.body.count <= min(limits.responseByteCountMax, limits.decodedByteCountMax) else {
      throw TransportError(.tooLarge, for: request, detail: "the body has \(reply.body.count) bytes")
    }
    return reply
  }

  /// The answer that ``send(_:body:limits:)`` gives, for those who serve it over a connection of their own.
  public func reply(to request: HTTPRequest) -> HTTPReply {
    guard request.method == .get else { return Self.reply(.methodNotAllowed, page: "405 Method Not Allowed") }
    guard let call = KOBISCall(request) else { return Self.reply(.notFound, page: "404 Not Found") }
    guard Self.isSimulated(call) else {
      return Self.reply(.notImplemented, page: "501 Not Implemented")
    }
    let now = now()
    let isRefused = key.map { call["key"] != $0.secret } ?? false
    let isSpent = count(call, isRefused: isRefused, on: CalendarDay(inKoreaAt: now))
    let body: [UInt8] =
      if isRefused {
        KOBISBody.fault(KOBISFault.keyRefused, "유효하지않은 키값입니다.")
      } else if isSpent {
        KOBISBody.fault(KOBISFault.quotaSpent, "키의 하루 이용량을 초과하였습니다.")
      } else {
        self.body(for: call)
      }
    var head = HTTPResponse(status: .ok)
    head.headerFields[.contentType] = "application/json;charset=UTF-8"
    return HTTPReply(head: head, body: body)
  }

  /// The parameters that choose among films by what the simulator does not invent.
  private static let filterNames = ["multiMovieYn", "repNationCd", "wideAreaCd"]

  private static func isSimulated(_ call: KOBISCall) -> Bool {
    switch call.service {
    case .movieInfo: return true
    case .dailyBoxOffice, .weeklyBoxOffice: break
    case .codeList, .movieList, .companyList, .companyInfo, .peopleList, .peopleInfo: return false
    }
    let rowCount = call["itemPerPage"].map { Int($0) ?? 0 } ?? rowCountMax
    return [nil, "0", "1", "2"].contains(call["weekGb"]) && (1...rowCountMax).contains(rowCount)
      && filterNames.allSatisfy { (call[$0] ?? "").isEmpty }
  }

  /// The rows of a chart, and the most that a call may ask for (KOBIS `itemPerPage`).
  private static let rowCountMax = 10

  /// Counts a call; true if the day's calls were used up before it.
  private func count(_ call: KOBISCall, isRefused: Bool, on today: CalendarDay) -> Bool {
    state.withLock { state in
      let asked = call.withoutKey
      state.callCount += 1
      if state.callCounts[asked] != nil || state.callCounts.count < Self.subjectCountMax {
        state.callCounts[asked, default: 0] += 1
      }
      if state.quotaDay != today {
        state.quotaDay = today
        state.quotaCallCount = 0
      }
      guard !isRefused else { return false }
      guard state.quotaCallCount < callsPerDayMax else { return true }
      state.quotaCallCount += 1
      return false
    }
  }

  private func body(for call: KOBISCall) -> [UInt8] {
    let name = call.service == .movieInfo ? "movieCd" : "targetDt"
    guard let value = call[name], !value.isEmpty else {
      let what = call.service == .movieInfo ? "영화코드는" : "날짜는"
      return KOBISBody.fault(
        KOBISFault.parameterMissing, "\(what) 필수항목입니다.[parameterName=\(name),parameterValue=null]")
    }
    if call.service == .movieInfo {
      guard let code = MovieCode(value) else { return KOBISBody.details(nil) }
      return state.withLock { $0.bodies[KOBISCall(for: .movieDetails(code))] }
        ?? KOBISBody.details(details(of: code))
    }
    guard value.utf8.count == 8, let day = CalendarDay(value) else {
      return KOBISBody.fault(
        KOBISFault.dateMalformed,
        "날싸형식에 맞게 입력하십시요.(YYYYMMDD)[parameterName=\(name),parameterValue=\(value)]")
    }
    let kind: BoxOfficePeriod.Kind =
      switch (call.service, call["weekGb"]) {
      case (.dailyBoxOffice, _): .daily
      case (_, "0"): .weekly
      case (_, "2"): .weekdays
      default: .weekend
      }
    let period = BoxOfficePeriod(kind, containing: day)
    return state.withLock { $0.bodies[KOBISCall(for: .boxOffice(period))] }
      ?? KOBISBody.chart(chart(of: period), rowCount: call["itemPerPage"].flatMap { Int($0) })
  }

  private static func reply(_ status: HTTPResponse.Status, page: String) -> HTTPReply {
    var head = HTTPResponse(status: status)
    head.headerFields[.contentType] = "text/html;charset=UTF-8"
    return HTTPReply(head: head, body: Array("<html><body><h1>\(page)</h1></body></html>\n".utf8))
  }
}

extension KOBISCall {
  /// The call with its parameters but the key, by which calls are counted.
  fileprivate var withoutKey: KOBISCall { KOBISCall(service, parameters.filter { $0.name != "key" }) }
}
