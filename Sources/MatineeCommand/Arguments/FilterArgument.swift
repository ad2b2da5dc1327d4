import ArgumentParser
import CatalogEngine

extension BoxOfficeFilter {
  /// Reads parts joined by `+`, in any order: `korean` or `foreign`, `diversity` or `commercial`, `area-CODE`.
  static func parsed(_ text: String) throws -> BoxOfficeFilter {
    var whole = BoxOfficeFilter.everything
    for name in text.split(separator: "+", omittingEmptySubsequences: false) {
      guard let part = BoxOfficeFilter(name), !part.isEverything else {
        throw ValidationError(
          "there is no filter '\(name)'; there are korean, foreign, diversity, commercial and area-CODE, "
            + "joined by +")
      }
      guard let both = whole.narrowed(by: part) else {
        throw ValidationError("'\(name)' cannot be joined with '\(whole)'; name one")
      }
      whole = both
    }
    return whole
  }

  /// Both filters in one; `nil` if both say something of the same.
  private func narrowed(by other: BoxOfficeFilter) -> BoxOfficeFilter? {
    guard origin == nil || other.origin == nil, filmKind == nil || other.filmKind == nil,
      areaCode == nil || other.areaCode == nil
    else { return nil }
    let (origin, filmKind) = (origin ?? other.origin, filmKind ?? other.filmKind)
    guard let areaCode = areaCode ?? other.areaCode else {
      return BoxOfficeFilter(origin: origin, filmKind: filmKind)
    }
    return BoxOfficeFilter(origin: origin, filmKind: filmKind, areaCode: areaCode)
  }
}
