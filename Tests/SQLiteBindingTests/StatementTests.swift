import Testing

@testable import SQLiteBinding

@Suite struct `When a statement is lent` {
  let connection: Connection

  init() throws {
    connection = try Connection(location: .memory)
    try connection.execute("CREATE TABLE film (code INTEGER PRIMARY KEY, title TEXT UNIQUE NOT NULL) STRICT")
  }

  @Test func `the same text is prepared once`() throws {
    for _ in 0..<3 { _ = try connection.integer("SELECT 1") }
    #expect(connection.cachedStatementCount == 1)
    _ = try connection.integer("SELECT 2")
    #expect(connection.cachedStatementCount == 2)
  }

  @Test func `the cache keeps no more than its bound, and those used last`() throws {
    var configuration = ConnectionConfiguration()
    configuration.cachedStatementCountMax = 3
    let connection = try Connection(location: .memory, configuration: configuration)
    for number in 0..<10 { #expect(try connection.integer("SELECT \(number)") == number) }
    #expect(connection.cachedStatementCount == 3)
  }

  @Test func `a cache of none still serves`() throws {
    var configuration = ConnectionConfiguration()
    configuration.cachedStatementCountMax = 0
    let connection = try Connection(location: .memory, configuration: configuration)
    #expect(try connection.integer("SELECT 1") == 1)
    #expect(try connection.integer("SELECT 1") == 1)
    #expect(connection.cachedStatementCount == 0)
  }

  @Test func `its bindings do not reach the next lease`() throws {
    try connection.withStatement("SELECT ?1") { statement throws(SQLiteError) in
      try statement.bind(7, at: 1)
      _ = try statement.step()
    }
    let isNull = try connection.firstValue("SELECT ?1") { row throws(SQLiteError) in row.isNull(at: 0) }
    #expect(isNull == true)
  }

  @Test func `the same text may be lent again inside`() throws {
    try connection.execute("INSERT INTO film VALUES (1, 'a'), (2, 'b'), (3, 'c')")
    let sql = "SELECT code FROM film ORDER BY code"
    var pairs: [[Int]] = []
    try connection.withStatement(sql) { outer throws(SQLiteError) in
      try outer.forEachRow { row throws(SQLiteError) in
        pairs.append([try row.int(at: 0)] + (try connection.integers(sql)))
      }
    }
    #expect(pairs == [[1, 1, 2, 3], [2, 1, 2, 3], [3, 1, 2, 3]])
    #expect(connection.cachedStatementCount == 1)
  }

  @Test func `a throw from its closure ends the lease`() throws {
    try connection.execute("INSERT INTO film VALUES (1, 'a')")
    let sql = "SELECT code FROM film"
    let error = failure { () throws(SQLiteError) in
      try connection.withStatement(sql) { statement throws(SQLiteError) in
        _ = try statement.step()
        throw SQLiteError(code: .abort, message: "enough")
      }
    }
    #expect(error?.code == .abort)
    // An open cursor would make this fail: the table would be locked.
    try connection.execute("DROP TABLE film")
  }

  @Test func `a row in use does not keep the table when its closure throws`() throws {
    try connection.execute("INSERT INTO film VALUES (1, 'a'), (2, 'b')")
    try connection.withStatement("SELECT code FROM film") { statement throws(SQLiteError) in
      let error = failure { () throws(SQLiteError) in _ = statement.columnCount }
      #expect(error == nil)
      do throws(SQLiteError) {
        try statement.forEachRow { _ throws(SQLiteError) in
          throw SQLiteError(code: .abort, message: "enough")
        }
      } catch {
        #expect(error.code == .abort)
      }
      try connection.execute("DROP TABLE film")
    }
  }

  @Test func `it may be bound and run many times`() throws {
    try connection.withStatement("INSERT INTO film VALUES (?1, ?2)") { statement throws(SQLiteError) in
      for code in 1...3 {
        try statement.bind(code, at: 1)
        try statement.bind("title \(code)", at: 2)
        try statement.run()
      }
    }
    #expect(try connection.integers("SELECT code FROM film ORDER BY code") == [1, 2, 3])
    #expect(connection.changedRowCount == 1)
    #expect(connection.lastInsertedRowID == 3)
  }

  @Test func `a parameter it does not have is out of range`() throws {
    let error = failure { () throws(SQLiteError) in
      try connection.withStatement("SELECT ?1") { statement throws(SQLiteError) in
        #expect(statement.parameterCount == 1)
        try statement.bind(1, at: 2)
      }
    }
    #expect(error?.code == .range)
    #expect(error?.sql == "SELECT ?1")
  }

  @Test(arguments: [
    "", "  -- nothing\n", "SELECT 1; SELECT 2", "SELECT 1; nonsense", "SELECT 1\u{0}; SELECT 2",
  ])
  func `anything but one statement is misuse`(sql: String) {
    let error = failure { () throws(SQLiteError) in _ = try connection.integer(sql) }
    #expect(error?.code == .misuse)
    #expect(error?.sql == sql)
  }

  @Test func `blanks, semicolons and comments may follow it`() throws {
    #expect(try connection.integer("SELECT 1 ; -- the end\n /* indeed */ ") == 1)
  }

  @Test func `SQL that is not understood is an error that shows it`() {
    let error = failure { () throws(SQLiteError) in _ = try connection.integer("SELEC 1") }
    #expect(error == SQLiteError(code: .error, message: #"near "SELEC": syntax error"#, sql: "SELEC 1"))
  }

  @Test func `a broken constraint says which, with the SQL and without the values`() throws {
    try connection.execute("INSERT INTO film VALUES (1, 'secret title')")
    let sql = "INSERT INTO film VALUES (?1, ?2)"
    let error = failure { () throws(SQLiteError) in
      try connection.withStatement(sql) { statement throws(SQLiteError) in
        try statement.bind(2, at: 1)
        try statement.bind("secret title", at: 2)
        try statement.run()
      }
    }
    #expect(error?.code == .constraintUnique)
    #expect(error?.code.primary == .constraint)
    #expect(error?.message == "UNIQUE constraint failed: film.title")
    #expect(error?.sql == sql)
    #expect(error?.description.contains("secret") == false)
  }

  @Test func `a failure leaves it fit for use`() throws {
    try connection.withStatement("INSERT INTO film VALUES (?1, ?2)") { statement throws(SQLiteError) in
      try statement.bind(1, at: 1)
      let error: SQLiteError?
      do throws(SQLiteError) {
        try statement.run()
        error = nil
      } catch let caught {
        error = caught
      }
      #expect(error?.code == .constraintNotNull)
      try statement.bind("a", at: 2)
      try statement.run()
    }
    #expect(try connection.integer("SELECT count(*) FROM film") == 1)
  }

  @Test func `it follows a change of the schema`() throws {
    #expect(try connection.integer("SELECT count(*) FROM film") == 0)
    try connection.execute("ALTER TABLE film ADD COLUMN year INTEGER")
    #expect(try connection.integer("SELECT count(*) FROM film") == 0)
  }

  @Test func `an error keeps only the beginning of a long script`() {
    let error = SQLiteError(code: .error, message: "", sql: String(repeating: "영", count: 5_000))
    #expect((error.sql?.utf8.count ?? 0) <= SQLiteError.sqlByteCountMax + 6)
  }

  @Test(arguments: [true, false])
  func `one that is lent outlives the closing of its connection`(isCached: Bool) throws {
    var configuration = ConnectionConfiguration()
    configuration.cachedStatementCountMax = isCached ? 10 : 0
    let connection = try Connection(location: .memory, configuration: configuration)
    try connection.execute("CREATE TABLE film (code INTEGER); INSERT INTO film VALUES (1), (2)")
    let codes = try connection.withStatement("SELECT code FROM film ORDER BY code") {
      statement throws(SQLiteError) in
      var codes: [Int] = []
      try statement.forEachRow { row throws(SQLiteError) in
        connection.close()
        codes.append(try row.int(at: 0))
      }
      return codes
    }
    #expect(codes == [1, 2])
    #expect(connection.cachedStatementCount == 0)
  }

  @Test func `closing with one lent keeps the file until the loan ends`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a.db")
    let connection = try Connection(location: .file(path))
    try connection.execute("CREATE TABLE film (code INTEGER); INSERT INTO film VALUES (1)")
    try connection.withStatement("SELECT code FROM film") { statement throws(SQLiteError) in
      #expect(try statement.step())
      connection.close()
      #expect(directory.openFileCount() > 0)
      #expect(try !statement.step())
    }
    #expect(directory.openFileCount() == 0)
  }

  @Test func `a script runs to its first failure`() throws {
    let error = failure { () throws(SQLiteError) in
      try connection.execute(
        """
        -- a comment first
        INSERT INTO film VALUES (1, 'a');;
        INSERT INTO film VALUES (1, 'b');
        INSERT INTO film VALUES (2, 'c');
        """)
    }
    #expect(error?.code == .constraintPrimaryKey)
    #expect(error?.sql == "INSERT INTO film VALUES (1, 'b');")
    #expect(try connection.integers("SELECT code FROM film") == [1])
  }
}
