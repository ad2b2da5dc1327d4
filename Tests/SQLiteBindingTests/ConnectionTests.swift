import Glibc
import SQLiteBinding
import Testing

@Suite struct `When a connection is opened` {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `the settings this layer relies on are in force`() throws {
    let connection = try Connection(location: .file(directory.file("a.db")))
    #expect(try connection.text("PRAGMA journal_mode") == "wal")
    #expect(try connection.integer("PRAGMA synchronous") == 2)
    #expect(try connection.integer("PRAGMA foreign_keys") == 1)
    #expect(try connection.integer("PRAGMA trusted_schema") == 0)
    #expect(try connection.integer("PRAGMA wal_autocheckpoint") == 0)
    #expect(try connection.integer("PRAGMA busy_timeout") == 5_000)
  }

  @Test func `a misspelt identifier in double quotes is an error and not a string`() throws {
    let connection = try Connection(location: .memory)
    let error = failure { () throws(SQLiteError) in _ = try connection.text(#"SELECT "titel""#) }
    #expect(error?.code == .error)
    #expect(error?.message == "no such column: titel")
    let inSchema = failure { () throws(SQLiteError) in
      try connection.execute(#"CREATE TABLE t (a); CREATE INDEX i ON t ("titel")"#)
    }
    #expect(inSchema?.code == .error)
  }

  @Test func `the schema table cannot be written, as the connection is defensive`() throws {
    let connection = try Connection(location: .memory)
    try connection.execute("CREATE TABLE t (a); PRAGMA writable_schema = ON")
    let error = failure { () throws(SQLiteError) in try connection.execute("DELETE FROM sqlite_schema") }
    #expect(error?.code == .error)
    #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") == 1)
  }

  @Test func `closing the last one leaves the log as it is`() throws {
    let path = directory.file("a.db")
    var connection: Connection? = try Connection(location: .file(path))
    try connection?.execute("CREATE TABLE t (a)")
    connection = nil
    #expect(try RawFile.bytes(of: path + "-wal").count > 0)
    #expect(try Connection(location: .file(path)).integer("SELECT count(*) FROM sqlite_schema") == 1)
  }

  @Test func `the database and every file beside it are readable by the owner alone`() throws {
    let path = directory.file("a.db")
    let connection = try Connection(location: .file(path))
    try connection.execute("CREATE TABLE t (a)")
    #expect(try directory.names() == ["a.db", "a.db-gate", "a.db-shm", "a.db-wal"])
    for name in try directory.names() {
      #expect(try RawFile.permissions(of: directory.file(name)) == 0o600, "\(name)")
    }
  }

  @Test func `an empty file made by someone else becomes readable by the owner alone`() throws {
    let path = directory.file("a.db")
    try RawFile.write([], to: path)
    #expect(chmod(path, 0o644) == 0)
    _ = try Connection(location: .file(path))
    #expect(try RawFile.permissions(of: path) == 0o600)
  }

  @Test(arguments: ["per%20cent.db", "what?mode=memory", "a#b &c.db", "영화.db", "file:x", ":memory:"])
  func `a name is taken literally`(name: String) throws {
    let connection = try Connection(location: .file(directory.file(name)))
    try connection.execute("CREATE TABLE t (a)")
    #expect(try directory.names() == [name, name + "-gate", name + "-shm", name + "-wal"])
  }

  @Test func `a directory in its place is refused by name`() throws {
    let path = directory.file("a.db")
    #expect(mkdir(path, 0o755) == 0)
    let error = failure { () throws(SQLiteError) in _ = try Connection(location: .file(path)) }
    #expect(error?.code == .cannotOpenDirectory)
    #expect(error?.path == path)
    #expect(try directory.names() == ["a.db"])
  }

  @Test func `a symbolic link in its place is refused, and its target untouched`() throws {
    let target = directory.file("target.db")
    _ = try Connection(location: .file(target))
    let before = try RawFile.bytes(of: target)
    let link = directory.file("link.db")
    #expect(symlink(target, link) == 0)
    for mode in [ConnectionMode.readWrite, .readOnly, .immutable] {
      let error = failure { () throws(SQLiteError) in
        _ = try Connection(location: .file(link), mode: mode)
      }
      #expect(error?.code == .cannotOpenSymbolicLink)
    }
    #expect(try RawFile.bytes(of: target) == before)
    #expect(!(try directory.names().contains("link.db-gate")))
  }

  @Test func `a symbolic link in its directories is followed`() throws {
    #expect(mkdir(directory.file("real"), 0o755) == 0)
    #expect(symlink(directory.file("real"), directory.file("linked")) == 0)
    let connection = try Connection(location: .file(directory.file("linked/a.db")))
    #expect(connection.path == directory.file("real/a.db"))
  }

  @Test func `a pipe in its place is refused`() throws {
    let path = directory.file("a.db")
    #expect(mkfifo(path, 0o600) == 0)
    let error = failure { () throws(SQLiteError) in _ = try Connection(location: .file(path)) }
    #expect(error?.code == .cannotOpen)
  }

  @Test(arguments: ["", "/", ".", "..", "a/", "a\u{0}b"])
  func `a path that names no file is refused`(path: String) {
    let error = failure { () throws(SQLiteError) in _ = try Connection(location: .file(path)) }
    #expect(error?.code == .cannotOpen)
    #expect(error?.message == "the path names no file")
  }

  @Test func `a directory that does not exist is named`() {
    let path = directory.file("nowhere/a.db")
    let error = failure { () throws(SQLiteError) in _ = try Connection(location: .file(path)) }
    #expect(error?.code == .cannotOpen)
    #expect(
      error?.message
        == "cannot reach the directory \(directory.file("nowhere/")): No such file or directory")
  }

  @Test func `reading does not make a file that is absent`() throws {
    let path = directory.file("a.db")
    let error = failure { () throws(SQLiteError) in
      _ = try Connection(location: .file(path), mode: .readOnly)
    }
    #expect(error?.code.primary == .cannotOpen)
    #expect(try directory.names().isEmpty)
  }

  @Test func `a connection that only reads cannot write`() throws {
    let path = directory.file("a.db")
    try Connection(location: .file(path)).execute("CREATE TABLE t (a)")
    let reader = try Connection(location: .file(path), mode: .readOnly)
    let error = failure { () throws(SQLiteError) in try reader.execute("INSERT INTO t VALUES (1)") }
    #expect(error?.code.primary == .readOnly)
  }

  @Test func `looking at a file as immutable drops no lock that this process has on it`() throws {
    let path = directory.file("a.db")
    let writer = try Connection(location: .file(path))
    try writer.execute("CREATE TABLE t (a); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
    let before = try locks(onFile: path)
    _ = try Connection(location: .file(path), mode: .immutable).integer("PRAGMA user_version")
    #expect(try locks(onFile: path) == before)
    #expect(!before.isEmpty)
    try writer.execute("COMMIT")
  }
}
