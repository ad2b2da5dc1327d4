import CatalogEngine
import SQLiteBinding

// Binding and reading in the model's types, and in the store's error type.

extension Statement {
  /// Binds upstream, kind and key as parameters 1, 2 and 3.
  mutating func bind(_ resource: ResourceID) throws(StoreError) {
    try withSQLite { statement throws(SQLiteError) in
      try statement.bind(resource.upstream.name, at: 1)
      try statement.bind(resource.subject.kind.rawValue, at: 2)
      try statement.bind(resource.subject.key, at: 3)
    }
  }

  /// Runs calls that throw SQLite's error, in a place that throws the store's.
  mutating func withSQLite<Result>(
    _ body: (inout Statement) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    do throws(SQLiteError) { return try body(&self) } catch { throw StoreError(error) }
  }
}

extension Row {
  /// Reads with calls that throw SQLite's error, in a place that throws the store's.
  func read<Result>(_ body: (borrowing Row) throws(SQLiteError) -> Result) throws(StoreError) -> Result {
    do throws(SQLiteError) { return try body(self) } catch { throw StoreError(error) }
  }

  func optionalTimestamp(at column: Int) throws(SQLiteError) -> Timestamp? {
    try optionalInt64(at: column).map { Timestamp(millisecondsSinceEpoch: $0) }
  }

  func day(at column: Int) throws(SQLiteError) -> CalendarDay {
    let number = try int(at: column)
    guard let day = CalendarDay(number: number) else { throw .unreadable("the day \(number)") }
    return day
  }

  func optionalDay(at column: Int) throws(SQLiteError) -> CalendarDay? {
    isNull(at: column) ? nil : try day(at: column)
  }

  /// Reads a code straight from SQLite's buffer: every row of a chart has one.
  func movieCode(at column: Int) throws(SQLiteError) -> MovieCode {
    let code = try withText(at: column) { text throws(SQLiteError) in
      text.withUnsafeBufferPointer { MovieCode(utf8: $0) }
    }
    if let code { return code }
    throw .unreadable("the movie code '\(try repairedString(at: column).prefix(40))'")
  }

  func personCode(at column: Int) throws(SQLiteError) -> PersonCode {
    let text = try string(at: column)
    guard let code = PersonCode(text) else { throw .unreadable("the person code '\(text.prefix(40))'") }
    return code
  }

  func companyCode(at column: Int) throws(SQLiteError) -> CompanyCode {
    let text = try string(at: column)
    guard let code = CompanyCode(text) else { throw .unreadable("the company code '\(text.prefix(40))'") }
    return code
  }

  func percentage(at column: Int) throws(SQLiteError) -> Percentage {
    let percent = try double(at: column)
    guard let percentage = Percentage(percent: percent) else {
      throw .unreadable("the percentage \(percent)")
    }
    return percentage
  }
}

extension SQLiteError {
  /// The database holds a value that this version could not have written.
  static func unreadable(_ what: String) -> SQLiteError {
    SQLiteError(code: .corrupt, message: "the store holds \(what), which cannot be read")
  }
}
