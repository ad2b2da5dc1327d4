import ArgumentParser
import CatalogEngine

extension DayReference {
  /// The days that have names.
  static let names = ["yesterday"]

  /// Reads the value of an argument once the parser is content: what follows a mistyped option is taken for an
  /// argument first, and must not be told as a mistyped day.
  static func parsed(_ text: String?, of argument: String) throws(CommandError) -> DayReference? {
    do { return try text.map(parsed) } catch {
      throw CommandError(.usage, "The value '\(text ?? "")' is invalid for '\(argument)': \(error)")
    }
  }

  /// Reads `YYYY-MM-DD`, `YYYYMMDD` or `yesterday`.
  static func parsed(_ text: String) throws -> DayReference {
    if text == "yesterday" { return .yesterday }
    guard let day = CalendarDay(text) else {
      throw ValidationError("there is no such day; write YYYY-MM-DD, YYYYMMDD or yesterday")
    }
    return .day(day)
  }
}
