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

  /// Reads an upstream's address, or `recorded`.
  ///
  /// - Throws: ``SettingRefusal`` for an address that is malformed, or that may not be asked: plain http to another
  ///   machine, or a link-local address. It does not hold the text, which might hold a key.
  static func parsed(_ text: String) throws(SettingRefusal) -> UpstreamSetting {
    if text == "recorded" { return .recorded }
    let base: KOBISBase
    do throws(KOBISError) { base = try KOBISBase(text) } catch {
      throw SettingRefusal(reason: "\(error.detail), or `recorded`")
    }
    let request = HTTPRequest(method: .get, scheme: base.scheme, authority: base.authority, path: "/")
    do throws(TransportError) { _ = try Destination(of: request, allowsPlainHTTP: false) } catch {
      throw SettingRefusal(reason: "\(base.authority): \(error.detail)")
    }
    return .kobis(base)
  }

  /// The upstream as ``parsed(_:)`` reads it.
  var spelled: String {
    switch self {
    case .recorded: "recorded"
    case .kobis(let base): base.description
    }
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
