import Glibc
import Testing

@testable import SQLiteBinding

@Suite(.enabled(if: geteuid() == 0, "only root can give files away")) struct `When root opens a database` {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.db")
    try give(directory.file(""), to: 61_184)
  }

  private func give(_ path: String, to user: uid_t) throws {
    try #require(chown(path, user, user) == 0, "\(String(cString: strerror(errno)))")
  }

  private func owner(of path: String) -> uid_t? {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_gid == status.st_uid ? status.st_uid : nil
  }

  @Test func `a new one, its gate and its log belong to the owner of the folder`() async throws {
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    try await database.addFilm(1)
    for suffix in ["", "-gate", "-wal", "-shm"] { #expect(owner(of: path + suffix) == 61_184, "\(suffix)") }
  }

  @Test func `a gate that is missing is made for the owner of the database`() async throws {
    try await Database.open(.file(path), migrator: filmMigrator).close()
    try #require(unlink(path + "-gate") == 0)
    try give(path, to: 61_185)
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    try await database.addFilm(1)
    #expect(owner(of: path) == 61_185)
    #expect(owner(of: path + "-gate") == 61_185)
  }

  @Test func `what is there already stays whose it is`() async throws {
    try await Database.open(.file(path), migrator: filmMigrator).close()
    try give(path, to: 0)
    try give(path + "-gate", to: 61_186)
    let database = try await Database.open(.file(path), migrator: filmMigrator)
    try await database.addFilm(1)
    #expect(owner(of: path) == 0)
    #expect(owner(of: path + "-gate") == 61_186)
  }

  @Test func `a file that was put in its place is not given away`() throws {
    let file = try DatabaseFile(resolving: path)
    for make in [
      { link(self.directory.file("other"), self.path) }, { symlink("other", self.path) },
    ] {
      close(open(directory.file("other"), O_CREAT | O_WRONLY, 0o600))
      try #require(make() == 0)
      RootOwnership.hand(newDatabase: file.path)
      #expect(owner(of: directory.file("other")) == 0)
      unlink(path)
    }
    let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
    #expect(write(descriptor, "x", 1) == 1)
    close(descriptor)
    RootOwnership.hand(newDatabase: file.path)
    #expect(owner(of: path) == 0)
  }
}
