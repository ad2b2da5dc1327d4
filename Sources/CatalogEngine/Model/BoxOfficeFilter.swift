/// What a chart is narrowed down to: by where films come from, by their kind, by where they are shown.
///
/// A chart of a part is a chart of its own, with ranks of its own, and is asked for, stored and synced beside the whole
/// one.
public struct BoxOfficeFilter: Hashable, Sendable {
  /// The origins that the upstream tells apart (KOBIS `repNationCd`).
  public enum Origin: String, CaseIterable, Hashable, Sendable {
    /// Korean films (KOBIS `K`).
    case korean
    /// Foreign films (KOBIS `F`).
    case foreign
  }

  /// The kinds of films that the upstream tells apart (KOBIS `multiMovieYn`).
  public enum FilmKind: String, CaseIterable, Hashable, Sendable {
    /// Diversity films: art house and independent (KOBIS `Y`).
    case diversity
    /// Commercial films (KOBIS `N`).
    case commercial
  }

  /// Where films come from; `nil` for anywhere.
  public let origin: Origin?

  /// The kind of films; `nil` for all.
  public let filmKind: FilmKind?

  /// The code of the area that they are shown in, one of ``CodeList/areas`` (KOBIS `wideAreaCd`); `nil` for the whole
  /// country.
  public let areaCode: String?

  /// No filter: every film, in the whole country.
  public static let everything = BoxOfficeFilter(origin: nil, filmKind: nil, unchecked: nil)

  /// Makes a filter of origin and kind.
  public init(origin: Origin? = nil, filmKind: FilmKind? = nil) {
    self.init(origin: origin, filmKind: filmKind, unchecked: nil)
  }

  /// Makes a filter with an area; `nil` unless `areaCode` is 1 to ``MovieCode/characterCountMax`` ASCII letters and
  /// digits.
  public init?(origin: Origin? = nil, filmKind: FilmKind? = nil, areaCode: String) {
    guard MovieCode.isCode(areaCode.utf8) else { return nil }
    self.init(origin: origin, filmKind: filmKind, unchecked: areaCode)
  }

  private init(origin: Origin?, filmKind: FilmKind?, unchecked areaCode: String?) {
    self.origin = origin
    self.filmKind = filmKind
    self.areaCode = areaCode
  }

  /// Whether nothing is left out.
  public var isEverything: Bool { self == .everything }
}

extension BoxOfficeFilter: CustomStringConvertible {
  /// The filter's stable name, as `korean+diversity+area-0105001`; empty for everything. It stands in resources' names
  /// and in streams'.
  public var description: String {
    [origin?.rawValue, filmKind?.rawValue, areaCode.map { "\(Self.areaPrefix)\($0)" }]
      .compactMap(\.self).joined(separator: "+")
  }

  /// Makes a filter from its stable name, whose parts stand in the order of ``description``; `nil` if it is none.
  public init?(_ name: some StringProtocol) {
    var origin: Origin?
    var filmKind: FilmKind?
    var areaCode: String?
    for part in name.split(separator: "+", omittingEmptySubsequences: name.isEmpty) {
      if let value = Origin(rawValue: String(part)) {
        origin = value
      } else if let value = FilmKind(rawValue: String(part)) {
        filmKind = value
      } else if part.hasPrefix(Self.areaPrefix) {
        areaCode = String(part.dropFirst(Self.areaPrefix.count))
      } else {
        return nil
      }
    }
    guard areaCode.map({ MovieCode.isCode($0.utf8) }) ?? true else { return nil }
    self.init(origin: origin, filmKind: filmKind, unchecked: areaCode)
    guard description == name else { return nil }
  }

  private static let areaPrefix = "area-"
}
