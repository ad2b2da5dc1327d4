public import CatalogEngine
public import HTTPTypes

/// KOBIS, the box office of the Korean Film Council, as a source: its requests and its answers, and no network.
///
/// It speaks to all nine services: charts of days, weeks and parts of them, narrowed down or not; details of movies,
/// people and companies; pages of their lists; lists of codes. KOBIS sends its faults with status 200; here they
/// become failures of code `keyRefused` (320010), `quota` (320011) and `fault`, and never values.
public struct KOBISSource: MovieSource {
  /// The key to ask with; `nil` if there is none yet.
  public let key: APIKey?

  /// Where KOBIS, or what stands in for it, is asked.
  public let base: KOBISBase

  /// The base's host and port, unless another provenance was given.
  public let provenance: Provenance

  /// `kobis`.
  public var upstream: UpstreamID { UpstreamID("kobis") }

  /// The days that were recorded; `nil` if the upstream is live.
  private let recordedDays: ClosedRange<CalendarDay>?

  /// The first day that KOBIS has a chart of, 2003-11-11.
  public static let firstDay = CalendarDay(daysSinceEpoch: 12_367)

  /// Makes a source that asks a live KOBIS.
  ///
  /// - Parameters:
  ///   - key: The key to ask with; without one, every request fails with `keyMissing`.
  ///   - base: Where to ask; KOBIS itself if not given.
  ///   - provenance: Where the answers come from; the base's host and port if not given.
  public init(key: APIKey? = nil, base: KOBISBase = .official, provenance: Provenance? = nil) {
    self.key = key
    self.base = base
    self.provenance = provenance ?? .host(base.authority)
    recordedDays = nil
  }

  /// Makes a source of recorded answers, which are asked for without a key and of provenance `recorded`.
  ///
  /// - Parameter days: The Korean days of which charts were recorded.
  public init(recorded days: ClosedRange<CalendarDay>) {
    key = nil
    base = .official
    provenance = .recorded
    recordedDays = days
  }

  /// The recorded days, or those from ``firstDay`` to the day before the Korean day that it is at `now`.
  public func availableDays(at now: Timestamp) -> ClosedRange<CalendarDay> {
    recordedDays ?? Self.firstDay...max(Self.firstDay, CalendarDay(inKoreaAt: now).advanced(by: -1))
  }

  /// Everything, or of recorded answers the whole charts of days, weeks and weekends and the movies in them.
  public func canAnswer(_ subject: ResourceID.Subject) -> Bool {
    guard recordedDays != nil else { return true }
    switch subject {
    case .boxOffice(let period, let filter): return period.kind != .weekdays && filter.isEverything
    case .movieDetails: return true
    case .personDetails, .companyDetails, .codes, .page: return false
    }
  }

  /// The request that asks KOBIS for `subject`; its query holds the key.
  ///
  /// - Throws: `CatalogFailure` of code `keyMissing` if there is no key to ask with.
  public func request(for subject: ResourceID.Subject) throws(CatalogFailure) -> HTTPRequest {
    guard key != nil || recordedDays != nil else {
      throw CatalogFailure(
        .keyMissing,
        "KOBIS answers nothing without an API key; set KOBIS_API_KEY to the one that kobis.or.kr issued",
        detail: KOBISError.Code.keyMissing.rawValue)
    }
    return KOBISCall(for: subject).request(under: base, key: key)
  }

  /// The chart, the details, the page or the codes in `body`.
  ///
  /// - Throws: `CatalogFailure` of code `keyRefused`, `quota` or `fault` if KOBIS answered a fault or knows no such
  ///   code; `implausible` if the answer is to another question, or repeats a code; `undecodable` if it is not
  ///   what the service answers. `detail` is the name of a ``KOBISError/Code``, or the fault's number.
  public func value(from body: [UInt8], for subject: ResourceID.Subject) throws(CatalogFailure)
    -> CatalogValue
  {
    do throws(KOBISError) {
      return try Self.decoded(body, as: subject)
    } catch {
      throw failure(error, from: body, for: subject)
    }
  }

  /// The failure that `error` is, in which no part of the key stands, whatever of it the body repeats.
  ///
  /// Errors quote what they refuse and cut it short, and half of a key is not found by looking for the whole one. So
  /// the key is taken out of the body, and what the body earns without it is told.
  private func failure(
    _ error: KOBISError, from body: [UInt8], for subject: ResourceID.Subject
  ) -> CatalogFailure {
    guard let keyless = key?.hidden(in: body) else { return error.failure(of: subject, hiding: key) }
    do throws(KOBISError) {
      _ = try Self.decoded(keyless, as: subject)
    } catch {
      return error.failure(of: subject, hiding: key)
    }
    return KOBISError(.malformedValue, "the answer repeats the API key").failure(of: subject, hiding: key)
  }

  private static func decoded(
    _ body: [UInt8], as subject: ResourceID.Subject
  ) throws(KOBISError) -> CatalogValue {
    switch subject {
    case .boxOffice(let period, let filter):
      .boxOffice(try BoxOfficeAnswer(body, for: period, filter: filter).chart)
    case .movieDetails(let code): .movieDetails(try MovieInfoAnswer(body, for: code).details)
    case .personDetails(let code): .personDetails(try PeopleInfoAnswer(body, for: code).details)
    case .companyDetails(let code): .companyDetails(try CompanyInfoAnswer(body, for: code).details)
    case .codes(let list): .codes(try CodeListAnswer(body, for: list).table)
    case .page(.movies, let number): .moviePage(try MovieListAnswer(body, number: number).page)
    case .page(.companies, let number): .companyPage(try CompanyListAnswer(body, number: number).page)
    case .page(.people, let number): .peoplePage(try PeopleListAnswer(body, number: number).page)
    }
  }
}
