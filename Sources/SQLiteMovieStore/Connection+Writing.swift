import CatalogEngine
import SQLiteBinding

// Writing one row by hand; the statements of the hot paths bind their columns themselves.

/// A value for a column; the small array around it costs nobody anything where a write is rare.
enum ColumnValue {
  case text(String?)
  case integer(Int?)

  static func instant(_ instant: Timestamp?) -> ColumnValue {
    .integer(instant.map { Int($0.millisecondsSinceEpoch) })
  }
}

extension Statement {
  mutating func bind(_ values: [ColumnValue]) throws(SQLiteError) {
    for (index, value) in values.enumerated() {
      switch value {
      case .text(let text): try bind(text, at: index + 1)
      case .integer(let number): try bind(number, at: index + 1)
      }
    }
  }
}

extension Connection {
  /// Runs a statement that gives no rows.
  func write(_ sql: String, _ values: [ColumnValue]) throws(StoreError) {
    try withStatement(sql) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(values)
        try statement.run()
      }
    }
  }

  /// The first row of a statement; `nil` if it gives none.
  func firstRow<Value>(
    _ sql: String, _ values: [ColumnValue], _ decode: (borrowing Row) throws(SQLiteError) -> Value
  ) throws(StoreError) -> Value? {
    try withStatement(sql) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(values)
        return try statement.firstRow(decode)
      }
    }
  }

  /// Runs a statement once with what `bind` binds.
  func run(
    _ sql: String, _ bind: (inout Statement) throws(SQLiteError) -> Void
  ) throws(StoreError) {
    try withStatement(sql) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try bind(&statement)
        try statement.run()
      }
    }
  }

  /// Runs a statement for each element, with what `bind` binds of it.
  func runEach<Element>(
    _ sql: String, _ elements: some Sequence<Element>,
    _ bind: (Element, inout Statement) throws(SQLiteError) -> Void
  ) throws(StoreError) {
    try withStatement(sql) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        for element in elements {
          try bind(element, &statement)
          try statement.run()
        }
      }
    }
  }
}
