public import HTTPTypes

/// An upstream's language: how to ask it, and how to read what it answers.
///
/// A source is pure. It builds requests and decodes bodies, and leaves the sending, the waiting and the storing to
/// the engine.
public protocol MovieSource: Sendable {
  /// The upstream's short name, the first part of every ``ResourceID``.
  var upstream: UpstreamID { get }

  /// Where its answers come from, kept beside every one of them.
  var provenance: Provenance { get }

  /// The days it can have charts of at `now`: for a live upstream from the first day of its history to yesterday in
  /// Korea, for a recorded one the days that were recorded.
  func availableDays(at now: Timestamp) -> ClosedRange<CalendarDay>

  /// Whether it can be asked for `subject` at all; a sync leaves out what it cannot.
  func canAnswer(_ subject: ResourceID.Subject) -> Bool

  /// The request that asks for `subject`.
  ///
  /// - Throws: ``CatalogFailure`` of code `keyMissing` if there is no key to ask with.
  func request(for subject: ResourceID.Subject) throws(CatalogFailure) -> HTTPRequest

  /// The answer to `subject` in the body of a response of status 200.
  ///
  /// - Throws: ``CatalogFailure`` of code `fault`, `quota`, `keyRefused`, `undecodable` or `implausible`.
  func value(from body: [UInt8], for subject: ResourceID.Subject) throws(CatalogFailure) -> CatalogValue
}

extension MovieSource {
  /// Every subject, unless a source says otherwise.
  public func canAnswer(_ subject: ResourceID.Subject) -> Bool { true }
}

/// Where an answer came from.
public enum Provenance: Hashable, Sendable, CustomStringConvertible {
  /// A live upstream, by host (and port, if one was given).
  case host(String)
  /// A recorded sample: never fresh to a live upstream, and never put in the place of live data.
  case recorded

  /// The host, or `recorded`.
  public var description: String {
    switch self {
    case .host(let host): host
    case .recorded: "recorded"
    }
  }

  /// Makes a provenance from its description.
  public init(_ description: String) { self = description == "recorded" ? .recorded : .host(description) }
}
