import ArgumentParser
import CatalogEngine

extension DayReference {
  /// Reads `YYYY-MM-DD`, `YYYYMMDD` or `yesterday`.
  static func parsed(_ text: String) throws -> DayReference {
    if text == "yesterday" { return .yesterday }
    guard let day = CalendarDay(text) else {
      throw ValidationError("there is no such day; write YYYY-MM-DD, YYYYMMDD or yesterday")
    }
    return .day(day)
  }
}
