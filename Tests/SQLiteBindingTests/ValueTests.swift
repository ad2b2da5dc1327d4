import SQLiteBinding
import Testing

@Suite struct `When a value is stored` {
  let connection: Connection

  init() throws {
    connection = try Connection(location: .memory)
  }

  /// Sends a value through SQLite.
  private func roundTrip<Value>(
    _ bind: (inout Statement) throws(SQLiteError) -> Void,
    _ read: (borrowing Row) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value? {
    try connection.withStatement("SELECT ?1 AS given") { statement throws(SQLiteError) in
      try bind(&statement)
      return try statement.firstRow(read)
    }
  }

  @Test(arguments: [.min, -1, 0, 1, .max] as [Int64])
  func `an integer comes back`(value: Int64) throws {
    let back = try roundTrip { statement throws(SQLiteError) in
      try statement.bind(value, at: 1)
    } _: { row throws(SQLiteError) in
      try row.int64(at: 0)
    }
    #expect(back == value)
  }

  @Test(arguments: [0, -0.5, .pi, .infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude] as [Double])
  func `a real comes back`(value: Double) throws {
    let back = try roundTrip { statement throws(SQLiteError) in
      try statement.bind(value, at: 1)
    } _: { row throws(SQLiteError) in
      try row.double(at: 0)
    }
    #expect(back == value)
  }

  @Test func `not a number becomes null`() throws {
    let isNull = try roundTrip { statement throws(SQLiteError) in
      try statement.bind(Double.nan, at: 1)
    } _: { row throws(SQLiteError) in
      row.isNull(at: 0)
    }
    #expect(isNull == true)
  }

  @Test(arguments: ["", "a", "스파이더맨: 노 웨이 홈", "a\u{0}b", "👩‍👩‍👧", String(repeating: "긴 ", count: 10_000)])
  func `a text comes back`(text: String) throws {
    let back = try roundTrip { statement throws(SQLiteError) in
      try statement.bind(text, at: 1)
    } _: { row throws(SQLiteError) in
      try row.optionalString(at: 0)
    }
    #expect(back == .some(.some(text)))
    #expect(back??.utf8.count == text.utf8.count)
  }

  @Test func `a text in UTF-8 already is bound from its bytes`() throws {
    for text in ["", "극장"] {
      let bytes = Array(text.utf8)
      let back = try roundTrip { statement throws(SQLiteError) in
        try statement.bind(utf8: bytes.span, at: 1)
      } _: { row throws(SQLiteError) in
        try row.string(at: 0)
      }
      #expect(back == text)
    }
  }

  @Test func `a text is looked at in place`() throws {
    let sum = try roundTrip { statement throws(SQLiteError) in
      try statement.bind("abc", at: 1)
    } _: { row throws(SQLiteError) in
      try row.withText(at: 0) { bytes throws(SQLiteError) in
        var sum = 0
        for index in bytes.indices { sum += Int(bytes[index]) }
        return sum
      }
    }
    #expect(sum == 97 + 98 + 99)
  }

  @Test(arguments: [[], [0], [1, 2, 3], Array(repeating: 255, count: 100_000)] as [[UInt8]])
  func `a blob comes back`(bytes: [UInt8]) throws {
    let back = try roundTrip { statement throws(SQLiteError) in
      try statement.bind(blob: bytes, at: 1)
    } _: { row throws(SQLiteError) in
      try row.optionalBlob(at: 0)
    }
    #expect(back == .some(.some(bytes)))
    let count = try roundTrip { statement throws(SQLiteError) in
      try statement.bind(blob: bytes.span, at: 1)
    } _: { row throws(SQLiteError) in
      try row.withBlob(at: 0) { bytes throws(SQLiteError) in bytes.count }
    }
    #expect(count == bytes.count)
  }

  @Test func `nothing comes back as nothing, in every form`() throws {
    let nulls = try connection.withStatement("SELECT ?1, ?2, ?3, ?4, ?5, ?6") {
      statement throws(SQLiteError) in
      try statement.bind(nil as Int64?, at: 1)
      try statement.bind(nil as Int?, at: 2)
      try statement.bind(nil as Double?, at: 3)
      try statement.bind(nil as String?, at: 4)
      try statement.bind(nil as Bool?, at: 5)
      return try statement.firstRow { row throws(SQLiteError) in
        [
          try row.optionalInt64(at: 0) == nil, try row.optionalInt(at: 1) == nil,
          try row.optionalDouble(at: 2) == nil, try row.optionalString(at: 3) == nil,
          try row.optionalBool(at: 4) == nil, try row.optionalBlob(at: 5) == nil,
        ]
      }
    }
    #expect(nulls == Array(repeating: true, count: 6))
  }

  @Test func `a truth value is one or zero`() throws {
    for value in [true, false] {
      let back = try roundTrip { statement throws(SQLiteError) in
        try statement.bind(value, at: 1)
      } _: { row throws(SQLiteError) in
        (try row.bool(at: 0), try row.int(at: 0))
      }
      #expect(back?.0 == value)
      #expect(back?.1 == (value ? 1 : 0))
    }
  }
}

@Suite struct `When a column holds another form than is asked for` {
  let connection: Connection

  init() throws {
    connection = try Connection(location: .memory)
  }

  @Test func `a text is no integer, not even one of digits`() {
    let error = failure { () throws(SQLiteError) in _ = try connection.integer("SELECT '12' AS rank") }
    #expect(error?.code == .mismatch)
    #expect(error?.message == "column 0 (rank) should hold an integer and holds text")
    #expect(error?.sql == "SELECT '12' AS rank")
  }

  @Test func `a real is no integer`() {
    let error = failure { () throws(SQLiteError) in _ = try connection.integer("SELECT 1.5") }
    #expect(error?.code == .mismatch)
  }

  @Test func `an integer is a real`() throws {
    let value = try connection.firstValue("SELECT 2") { row throws(SQLiteError) in try row.double(at: 0) }
    #expect(value == 2.0)
  }

  @Test(arguments: ["1", "1.5", "x'61'", "NULL"])
  func `only a text is a text`(literal: String) {
    let error = failure { () throws(SQLiteError) in _ = try connection.text("SELECT \(literal)") }
    #expect(error?.code == .mismatch)
  }

  @Test func `only a blob is a blob`() {
    let error = failure { () throws(SQLiteError) in
      _ = try connection.firstValue("SELECT 'a'") { row throws(SQLiteError) in try row.blob(at: 0) }
    }
    #expect(error?.code == .mismatch)
  }

  @Test func `null is none of them`() {
    let error = failure { () throws(SQLiteError) in _ = try connection.integer("SELECT NULL") }
    #expect(error?.code == .mismatch)
    #expect(error?.message.hasSuffix("holds null") == true)
  }

  @Test func `bytes that are not UTF-8 are no text, and can be repaired`() throws {
    let sql = "SELECT CAST(x'61ff62' AS TEXT)"
    let error = failure { () throws(SQLiteError) in _ = try connection.text(sql) }
    #expect(error?.code == .mismatch)
    #expect(error?.message.contains("UTF-8") == true)
    let repaired = try connection.firstValue(sql) { row throws(SQLiteError) in
      try row.repairedString(at: 0)
    }
    #expect(repaired == "a\u{FFFD}b")
    let count = try connection.firstValue(sql) { row throws(SQLiteError) in
      try row.withText(at: 0) { bytes throws(SQLiteError) in bytes.count }
    }
    #expect(count == 3)
  }

  @Test func `the form can be asked for`() throws {
    let forms = try connection.firstValue("SELECT 1, 1.5, 'a', x'61', NULL") { row throws(SQLiteError) in
      (0..<row.columnCount).map { row.storageClass(at: $0) }
    }
    #expect(forms == [.integer, .real, .text, .blob, .null])
  }
}
