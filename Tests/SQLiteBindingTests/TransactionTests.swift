import SQLiteBinding
import Testing

@Suite struct `When a transaction ends` {
  let directory: TemporaryDirectory
  let connection: Connection

  init() throws {
    directory = try TemporaryDirectory()
    connection = try Connection(location: .file(directory.file("a.db")))
    try connection.execute("CREATE TABLE film (code INTEGER PRIMARY KEY) STRICT")
  }

  private var codes: [Int] {
    get throws(SQLiteError) { try connection.integers("SELECT code FROM film ORDER BY code") }
  }

  @Test func `it is committed when its closure returns`() throws {
    let value = try connection.transaction(.immediate) { () throws(SQLiteError) in
      #expect(connection.isInTransaction)
      try connection.execute("INSERT INTO film VALUES (1)")
      return 5
    }
    #expect(value == 5)
    #expect(!connection.isInTransaction)
    #expect(try codes == [1])
  }

  @Test(arguments: [TransactionKind.deferred, .immediate])
  func `it is rolled back when its closure throws`(kind: TransactionKind) throws {
    let error = failure { () throws(SQLiteError) in
      try connection.transaction(kind) { () throws(SQLiteError) in
        try connection.execute("INSERT INTO film VALUES (1)")
        throw SQLiteError(code: .abort, message: "enough")
      }
    }
    #expect(error?.code == .abort)
    #expect(!connection.isInTransaction)
    #expect(try codes == [])
  }

  @Test func `a commit that is refused stores nothing`() throws {
    try connection.execute(
      "CREATE TABLE chart (film INTEGER REFERENCES film DEFERRABLE INITIALLY DEFERRED) STRICT")
    let error = failure { () throws(SQLiteError) in
      try connection.transaction(.immediate) { () throws(SQLiteError) in
        try connection.execute("INSERT INTO film VALUES (1); INSERT INTO chart VALUES (9)")
      }
    }
    #expect(error?.code == .constraintForeignKey)
    #expect(error?.sql == "COMMIT")
    #expect(!connection.isInTransaction)
    #expect(try codes == [])
  }

  @Test func `a part that throws is undone alone`() throws {
    try connection.transaction(.immediate) { () throws(SQLiteError) in
      try connection.execute("INSERT INTO film VALUES (1)")
      let error = failure { () throws(SQLiteError) in
        try connection.savepoint { () throws(SQLiteError) in
          try connection.execute("INSERT INTO film VALUES (2)")
          try connection.savepoint { () throws(SQLiteError) in
            try connection.execute("INSERT INTO film VALUES (3)")
          }
          throw SQLiteError(code: .abort, message: "enough")
        }
      }
      #expect(error?.code == .abort)
      try connection.savepoint { () throws(SQLiteError) in
        try connection.execute("INSERT INTO film VALUES (4)")
      }
    }
    #expect(try codes == [1, 4])
  }

  @Test func `transactions do not nest`() throws {
    let error = failure { () throws(SQLiteError) in
      try connection.transaction(.immediate) { () throws(SQLiteError) in
        try connection.transaction(.immediate) { () throws(SQLiteError) in }
      }
    }
    #expect(error?.code == .error)
    #expect(error?.message == "cannot start a transaction within a transaction")
    #expect(!connection.isInTransaction)
  }

  @Test func `a full disk is a typed error, reads go on, and so does writing once there is room`() throws {
    let pageCount = try connection.integer("PRAGMA page_count") ?? 0
    try connection.execute("CREATE TABLE page (bytes BLOB); PRAGMA max_page_count = \(pageCount + 10)")
    let error = failure { () throws(SQLiteError) in
      try connection.transaction(.immediate) { () throws(SQLiteError) in
        try connection.execute("INSERT INTO film VALUES (1)")
        try connection.execute("INSERT INTO page VALUES (zeroblob(1000000))")
      }
    }
    #expect(error?.code == .full)
    #expect(!connection.isInTransaction)
    #expect(try codes == [])
    try connection.execute("PRAGMA max_page_count = 100000; INSERT INTO page VALUES (zeroblob(1000000))")
    #expect(try connection.integer("SELECT count(*) FROM page") == 1)
  }

  @Test func `a reader sees one moment, whatever commits meanwhile`() throws {
    let reader = try Connection(location: .file(directory.file("a.db")), mode: .readOnly)
    try reader.transaction(.deferred) { () throws(SQLiteError) in
      #expect(try reader.integer("SELECT count(*) FROM film") == 0)
      try connection.execute("INSERT INTO film VALUES (1)")
      #expect(try reader.integer("SELECT count(*) FROM film") == 0)
    }
    #expect(try reader.integer("SELECT count(*) FROM film") == 1)
  }

  @Test func `a snapshot that fell behind cannot be written from`() throws {
    let late = try Connection(location: .file(directory.file("a.db")))
    let error = failure { () throws(SQLiteError) in
      try late.transaction(.deferred) { () throws(SQLiteError) in
        _ = try late.integer("SELECT count(*) FROM film")
        try connection.execute("INSERT INTO film VALUES (1)")
        try late.execute("INSERT INTO film VALUES (2)")
      }
    }
    #expect(error?.code == .busySnapshot)
    #expect(error?.code.primary == .busy)
    #expect(try codes == [1])
  }
}
