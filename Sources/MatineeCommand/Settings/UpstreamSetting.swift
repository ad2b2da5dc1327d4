import CatalogEngine
import HTTPTransport
import HTTPTypes
import KOBIS
import KOBISRecorded
import Matinee

/// Whom the command asks.
enum UpstreamSetting: Hashable {
  /// The recorded week that is embedded in the program.
  case recorded
  /// KOBIS, or what stands in for it, under a base address.
  case kobis(KOBISBase)

  /// The variable that names the upstream.
  static let variable = "MATINEE_UPSTREAM"

  /// The upstream that is meant: the option's, the variable's, or KOBIS itself.
  ///
  /// - Throws: ``CommandError`` of status 78 for an address that is malformed, or that may not be asked: plain http
  ///   to another machine, or a link-local address.
  init(option: String?, environment: [String: String]) throws(CommandError) {
    if let option {
      self = try Self.upstream(option, from: "--upstream")
    } else if let text = environment[Self.variable], !text.isEmpty {
      self = try Self.upstream(text, from: Self.variable)
    } else {
      self = .kobis(.official)
    }
  }

  private static func upstream(_ text: String, from place: String) throws(CommandError) -> UpstreamSetting {
    if text == "recorded" { return .recorded }
    let base: KOBISBase
    do throws(KOBISError) { base = try KOBISBase(text) } catch {
      throw CommandError(.configuration, "\(place): \(error.detail), or `recorded`")
    }
    let request = HTTPRequest(method: .get, scheme: base.scheme, authority: base.authority, path: "/")
    do throws(TransportError) { _ = try Destination(of: request, allowsPlainHTTP: false) } catch {
      throw CommandError(.configuration, "\(place), \(base.authority): \(error.detail)")
    }
    return .kobis(base)
  }

  /// The upstream as a source of a catalogue.
  func source(key: APIKey?) -> CatalogSource {
    switch self {
    case .recorded: .recorded
    case .kobis(let base): .kobis(key: key, base: base)
    }
  }

  /// The days of which it can have charts.
  func availableDays(at now: Timestamp) -> ClosedRange<CalendarDay> {
    switch self {
    case .recorded: RecordedSession.recordedDays
    case .kobis(let base): KOBISSource(base: base).availableDays(at: now)
    }
  }

  /// The upstream in a sentence.
  var shown: String {
    switch self {
    case .recorded: "the recorded sample"
    case .kobis(let base): base.authority
    }
  }
}
