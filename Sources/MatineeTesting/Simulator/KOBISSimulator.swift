public import CatalogEngine
public import HTTPTransport
public import HTTPTypes
public import KOBIS

/// A working KOBIS without a network: a fake upstream that answers as the real one does, from a seed.
///
/// It has all nine of KOBIS's services; of their parameters only those are missing by which the lists are searched.
///
/// It has the chart of every day, week, weekend and the days before it since 2003-11-11, of the whole or narrowed down by
/// origin, kind of film and area; the list of all movies up to those that are announced, of some thousand people and some
/// hundred companies; details of all of them; and the lists of codes. All is invented yet coherent: audiences accumulate,
/// ranks sort and now and then tie, and who is in a movie's details has that movie in their own. A day that has not
/// passed in Korea by its clock is an empty list. Keys are checked, calls counted against a quota of the Korean day, and
/// parameters looked at, with KOBIS's own faults and words, at status 200.
///
/// Any answer can be replaced by one of the test's own (``answer(_:with:)``), and rows of the lists added, changed and
/// withdrawn (``list(_:)-(ListedMovie)``, ``withdraw(_:)-(MovieCode)``).
///
/// It is a fake, for tests of what happens over many calls. To script one answer after the other, stub the session
/// instead; to have it fail as networks do, wrap it in a session that does.
public final class KOBISSimulator: HTTPSession {
  /// The calls a day that KOBIS grants a key.
  public static let callsPerDayDefault = 3000

  /// The most different answers of the test's own, and the most different subjects of which calls are counted.
  public static let subjectCountMax = 100_000

  let catalog: SimulatedCatalog
  private let key: APIKey?
  private let callsPerDayMax: Int
  private let now: @Sendable () -> Timestamp
  private let state = LockedValue(State())

  private struct State {
    var bodies: [KOBISCall: [UInt8]] = [:]
    var edits = Edits()
    var callCounts: [KOBISCall: Int] = [:]
    var callCount = 0
    var quotaDay: CalendarDay?
    var quotaCallCount = 0
  }

  /// What a test has changed in the long lists.
  struct Edits: Sendable {
    var movies = ListEdits<MovieCode, ListedMovie>()
    var companies = ListEdits<CompanyCode, ListedCompany>()
    var people = ListEdits<PersonCode, ListedPerson>()
  }

  /// What a test has changed in the long lists by now.
  var edits: Edits { state.withLock { $0.edits } }

  /// The Korean day it is by the simulator's clock.
  var today: CalendarDay { CalendarDay(inKoreaAt: now()) }

  /// Changes the long lists.
  ///
  /// - Precondition: No list has more than ``subjectCountMax`` changes.
  func edit(_ change: (inout Edits) -> Void) {
    state.withLock { state in
      change(&state.edits)
      let count = max(state.edits.movies.count, state.edits.companies.count, state.edits.people.count)
      precondition(count <= Self.subjectCountMax, "too many changes of the test's own")
    }
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
    catalog = SimulatedCatalog(seed: seed)
    self.key = key
    self.callsPerDayMax = callsPerDayMax
    self.now = now
  }

  // MARK: What it knows

  /// The chart that it answers: of `period`, for what `filter` leaves of it; without rows if the period has not passed in
  /// Korea, or lies before 2003-11-11.
  ///
  /// A chart of a part is ranked anew. It knows nothing of bodies the test has put in its place.
  public func chart(of period: BoxOfficePeriod, filter: BoxOfficeFilter = .everything) -> BoxOffice {
    guard period.day >= KOBISSource.firstDay, period.through < today else {
      return BoxOffice(period: period, filter: filter, entries: [])
    }
    return catalog.boxOffice.chart(of: period, filter: filter)
  }

  /// The codes that it answers.
  public func codes(_ list: CodeList) -> CodeTable { SimulatedCodes.table(list) }

  /// Answers `subject` with `body` from now on, whatever its bytes; with its own answer again if `body` is `nil`.
  ///
  /// - Precondition: No more than ``subjectCountMax`` subjects are answered so.
  public func answer(_ subject: ResourceID.Subject, with body: [UInt8]?) {
    state.withLock { state in
      state.bodies[KOBISCall(for: subject)] = body
      precondition(state.bodies.count <= Self.subjectCountMax, "too many answers of the test's own")
    }
  }

  /// Answers the value's subject with `value` from now on, as when KOBIS corrects a day or renames a movie.
  ///
  /// - Precondition: No more than ``subjectCountMax`` subjects are answered so.
  public func answer(with value: CatalogValue) { answer(value.subject, with: KOBISBody.value(value)) }

  /// Answers the chart's period and filter with `chart` from now on.
  public func answer(with chart: BoxOffice) { answer(with: .boxOffice(chart)) }

  /// Answers the movie's code with `details` from now on.
  public func answer(with details: MovieDetails) { answer(with: .movieDetails(details)) }

  // MARK: What was asked

  /// How many calls were made, faults included.
  public var callCount: Int { state.withLock { $0.callCount } }

  /// How many calls asked for `subject`, faults included.
  public func callCount(for subject: ResourceID.Subject) -> Int {
    state.withLock { $0.callCounts[KOBISCall(for: subject)] ?? 0 }
  }

  /// How many calls of the present Korean day are left.
  public var callsLeft: Int {
    let today = today
    return state.withLock {
      $0.quotaDay == today ? max(0, callsPerDayMax - $0.quotaCallCount) : callsPerDayMax
    }
  }

  // MARK: Answering

  /// KOBIS's answer to `request`: status 200 for all it has a word for, 404 for other paths, 405 for other methods,
  /// and 501 for what is not simulated: lists that are searched (by `movieNm`, `openStartDt`, `peopleNm` and such), an
  /// `itemPerPage` that is not 1 to 10 for charts or 1 to 100 for lists, and values that KOBIS does not know, either.
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
    guard let asked = SimulatedCall(call) else {
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
        self.body(for: asked)
      }
    var head = HTTPResponse(status: .ok)
    head.headerFields[.contentType] = "application/json;charset=UTF-8"
    return HTTPReply(head: head, body: body)
  }

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

  private func body(for call: SimulatedCall) -> [UInt8] {
    let own = call.subject.flatMap { subject in state.withLock { $0.bodies[KOBISCall(for: subject)] } }
    if let own { return own }
    switch call {
    case .chart(let period, let filter, let rowCount):
      return KOBISBody.chart(chart(of: period, filter: filter), rowCount: rowCount)
    case .movie(let code): return KOBISBody.details(code.flatMap { details(of: $0) })
    case .person(let code): return KOBISBody.details(code.flatMap { details(of: $0) })
    case .company(let code): return KOBISBody.details(code.flatMap { details(of: $0) })
    case .codes(let list): return KOBISBody.codes(list.map { codes($0) })
    case .page(.movies, let number, let rowCount):
      return KOBISBody.page(moviePage(number, rowCount: rowCount))
    case .page(.companies, let number, let rowCount):
      return KOBISBody.page(companyPage(number, rowCount: rowCount))
    case .page(.people, let number, let rowCount):
      return KOBISBody.page(peoplePage(number, rowCount: rowCount))
    case .fault(let number, let message): return KOBISBody.fault(number, message)
    }
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
