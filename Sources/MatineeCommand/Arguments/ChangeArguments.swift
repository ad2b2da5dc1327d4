import ArgumentParser
import CatalogEngine

/// From when on changes are asked for.
enum SinceArgument: Hashable {
  /// Since a Korean day began.
  case day(DayReference)
  /// Since so long ago.
  case ago(Duration)

  /// Reads a day or a duration.
  static func parsed(_ text: String) throws -> SinceArgument {
    if let last = text.last, "smhd".contains(last) { return .ago(try Duration.parsed(text)) }
    do { return .day(try DayReference.parsed(text)) } catch {
      throw ValidationError(
        "there is no such day; write YYYY-MM-DD, YYYYMMDD or yesterday, or a duration, as 90s, 15m, 1h or 7d")
    }
  }

  /// The instant that is meant.
  func instant(at now: Timestamp) -> Timestamp {
    switch self {
    case .day(let day): day.resolved(at: now).startInKorea
    case .ago(let duration): now.advanced(by: .zero - duration)
    }
  }
}

extension Set<CatalogChange.Kind> {
  /// Reads names of kinds, parted by commas.
  static func parsed(_ text: String) throws -> Set<CatalogChange.Kind> {
    let all = CatalogChange.Kind.allCases.map(\.rawValue).joined(separator: ", ")
    var kinds: Set<CatalogChange.Kind> = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let kind = CatalogChange.Kind(rawValue: String(name)) else {
        throw ValidationError("there is no kind '\(name)'; there are \(all)")
      }
      kinds.insert(kind)
    }
    return kinds
  }
}
