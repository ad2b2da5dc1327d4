import CatalogEngine
import KOBIS
import Testing

/// Shorthand for what the tests ask for.
enum Sample {
  static func day(_ number: Int) throws -> CalendarDay { try #require(CalendarDay(number: number)) }

  static func daily(_ number: Int) throws -> ResourceID.Subject { .boxOffice(.daily(try day(number))) }

  static func movie(_ code: String) throws -> ResourceID.Subject {
    .movieDetails(try #require(MovieCode(code)))
  }

  /// The chart of 2019-07-08 in a file of answers.
  static func chart(_ file: String, on number: Int = 20_190_708) throws -> BoxOffice {
    try chart(FixtureFile.answer(file), on: number)
  }

  static func chart(_ body: [UInt8], on number: Int = 20_190_708) throws -> BoxOffice {
    try BoxOfficeAnswer(body, for: .daily(day(number))).chart
  }

  /// The error that a file of answers earns as the chart of 2019-07-08.
  static func chartError(_ file: String) throws -> KOBISError {
    let body = try FixtureFile.answer(file)
    let day = try day(20_190_708)
    return try #require(throws: KOBISError.self) { try BoxOfficeAnswer(body, for: .daily(day)) }
  }

  /// The details in a file of answers.
  static func details(_ file: String, of code: String = "20230001") throws -> MovieDetails {
    try MovieInfoAnswer(FixtureFile.answer(file), for: #require(MovieCode(code))).details
  }

  /// The error that a file of answers earns as details.
  static func detailsError(_ file: String, of code: String = "20230001") throws -> KOBISError {
    let body = try FixtureFile.answer(file)
    let code = try #require(MovieCode(code))
    return try #require(throws: KOBISError.self) { try MovieInfoAnswer(body, for: code) }
  }
}
