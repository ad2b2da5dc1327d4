import CatalogEngine
import Foundation
import SQLiteMovieStore
import Testing

@testable import MatineeCommand

/// The judgements, which are given what is known and ask nobody.
@Suite struct `When a finding is judged` {
  private static let user: uid_t = 1000

  private static func facts(
    _ kind: FileFacts.Kind = .file, mode: mode_t = 0o600, owner: uid_t = user, byteCount: Int64 = 1,
    readRefusal: String? = nil, writeRefusal: String? = nil
  ) -> FilePresence {
    .present(
      FileFacts(
        kind: kind, mode: mode, owner: owner, byteCount: byteCount, readRefusal: readRefusal,
        writeRefusal: writeRefusal))
  }

  @Test(
    arguments: [
      ([], .done), ([.keyRefused], .keyRefused), ([.unavailable, .keyRefused], .keyRefused),
      ([.unavailable, .storage, .keyRefused], .storage),
      ([.keyRefused, .unavailable, .storage, .configuration], .configuration), ([.software], .software),
      ([.software, .unavailable], .unavailable),
    ] as [([CommandStatus], CommandStatus)])
  func `the status is that of what is to be put right first`(statuses: [CommandStatus], worst: CommandStatus)
  {
    var report = CheckReport(results: [
      .ok(.clock, "…"), .warning(.space, "…", remedy: "…"), .skipped(.upstream, "…"),
    ])
    report.results += statuses.map { .problem(.database, "…", remedy: "…", status: $0) }
    #expect(report.status == worst)
    #expect(report.problemCount == statuses.count)
    #expect(report.warningCount == 1)
  }

  @Test(arguments: [
    ("matinee.db", "matinee.db"), ("/var/lib/m/a-b_c.db", "/var/lib/m/a-b_c.db"), ("", "''"),
    ("a b", "'a b'"),
    ("it's", #"'it'\''s'"#), ("$(rm)", "'$(rm)'"), ("-x", "./-x"), ("영화", "'영화'"), ("~", "'~'"),
  ])
  func `what stands in a remedy can be typed`(text: String, word: String) {
    #expect(text.shellWord == word)
  }

  @Test(arguments: [
    ("matinee.db", "."), ("a/matinee.db", "a"), ("/matinee.db", "/"), ("/a/b/c.db", "/a/b"), ("./x", "."),
  ])
  func `a folder is what a path names before its last part`(path: String, folder: String) {
    #expect(path.parentFolder == folder)
  }

  private static let mounts = MountTable(
    """
    21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
    22 21 0:20 / /proc rw - proc proc rw
    30 21 0:30 / /home rw,relatime shared:2 master:3 - nfs4 server:/home rw,vers=4.2
    31 30 0:31 / /home/a\\040b rw - tmpfs tmpfs rw
    32 21 0:32 / /mnt rw - xfs /dev/sdb1 rw
    33 21 0:33 / /mnt rw - fuse.sshfs host:/ rw
    not a line
    40 21 0:34 / /broken rw -
    """)

  @Test(arguments: [
    ("/", "ext4"), ("/var/lib/matinee", "ext4"), ("/home", "nfs4"), ("/home/x", "nfs4"), ("/homes", "ext4"),
    ("/home/a b", "tmpfs"), ("/home/a b/c", "tmpfs"), ("/mnt/x", "fuse.sshfs"), ("/broken", "ext4"),
  ])
  func `a folder lies on the mount that is nearest, the last one of several`(path: String, name: String) {
    #expect(Self.mounts.fileSystem(of: path) == name)
  }

  @Test func `without a table nothing is known, and this process has one`() throws {
    #expect(MountTable("").fileSystem(of: "/") == nil)
    #expect(try #require(MountTable.present).fileSystem(of: "/proc") == "proc")
    let volume = Volume(holding: FileManager.default.temporaryDirectory.path)
    #expect(volume.fileSystem != nil)
    #expect(try #require(volume.freeByteCount) > 0)
    #expect(Volume(holding: "/there/is/no/such/folder") == Volume(fileSystem: nil, freeByteCount: nil))
  }

  @Test(
    arguments: [
      ("ext4", "ok"), ("btrfs", "ok"), ("overlay", "ok"), ("nfs", "warning"), ("nfs4", "warning"),
      ("cifs", "warning"),
      ("9p", "warning"), ("fuse.sshfs", "warning"), ("tmpfs", "warning"), ("ramfs", "warning"),
      (nil, "skipped"),
    ] as [(String?, String)])
  func `a file system is one to keep a database on, or not`(name: String?, state: String) {
    let result = FolderChecks.fileSystem(Volume(fileSystem: name, freeByteCount: nil), of: "/d")
    #expect(result.state.name == state)
    #expect(name.map(result.found.contains) ?? true)
  }

  @Test(
    arguments: [
      (nil, .skipped), (0, .problem(.storage)), (FolderChecks.freeByteCountNeeded - 1, .problem(.storage)),
      (FolderChecks.freeByteCountNeeded, .warning), (FolderChecks.freeByteCountMin - 1, .warning),
      (FolderChecks.freeByteCountMin, .ok), (.max, .ok),
    ] as [(Int64?, CheckResult.State)])
  func `room is judged by two bounds`(count: Int64?, state: CheckResult.State) {
    let result = FolderChecks.space(Volume(fileSystem: nil, freeByteCount: count), of: "/d")
    #expect(result.state == state)
    // A prune needs room itself.
    #expect(result.remedy?.contains("matinee prune") == (result.remedy.map { _ in state == .warning }))
  }

  @Test(
    arguments: [
      (facts(.folder, mode: 0o755), .ok, "belongs to you"),
      (facts(.folder, mode: 0o700, owner: 7), .ok, "belongs to the user 7"),
      (facts(.folder, mode: 0o777), .warning, "by everybody (mode 0777)"),
      (facts(.folder, mode: 0o1777, owner: 0), .ok, "(mode 1777)"),
      (facts(.folder, mode: 0o770), .ok, "(mode 0770)"),
      (
        facts(.folder, owner: 7, writeRefusal: "Permission denied"), .problem(.storage), "(Permission denied)"
      ),
      (facts(.folder, writeRefusal: "Read-only file system"), .problem(.storage), "(Read-only file system)"),
      (facts(.file), .problem(.storage), "/d is no folder"),
      (.hidden("Permission denied"), .problem(.storage), "cannot be looked at: Permission denied"),
    ] as [(FilePresence, CheckResult.State, String)])
  func `a folder is one to write in, or not`(presence: FilePresence, state: CheckResult.State, words: String)
  {
    let result = FolderChecks.folder(
      FolderChecks.Facts(
        path: "/d", presence: presence, isMadeIfMissing: false, ground: "/d", groundPresence: presence,
        user: Self.user))
    #expect(result.state == state)
    #expect(result.found.contains(words), "\(result.found)")
  }

  @Test(
    arguments: [
      (true, facts(.folder, mode: 0o755), .ok), (false, facts(.folder, mode: 0o755), .problem(.storage)),
      (true, facts(.folder, writeRefusal: "Permission denied"), .problem(.storage)),
      (true, facts(.file), .problem(.storage)), (true, .hidden("…"), .problem(.storage)),
    ] as [(Bool, FilePresence, CheckResult.State)])
  func `a folder that is missing is made where it is a default and can be`(
    isDefault: Bool, ground: FilePresence, state: CheckResult.State
  ) {
    let result = FolderChecks.folder(
      FolderChecks.Facts(
        path: "/a/b", presence: .absent, isMadeIfMissing: isDefault, ground: "/a", groundPresence: ground,
        user: Self.user))
    #expect(result.state == state)
  }

  @Test(
    arguments: [
      (facts(), .ok, nil), (facts(owner: 7), .warning, "sudo -u '#7' matinee doctor"),
      (facts(mode: 0o640), .warning, "`chmod 600 /d/m.db`"),
      (facts(readRefusal: "Permission denied"), .problem(.storage), "`chmod 600 /d/m.db`"),
      (facts(owner: 7, readRefusal: "Permission denied"), .problem(.storage), "sudo -u '#7'"),
      (facts(mode: 0o400, writeRefusal: "Permission denied"), .problem(.storage), "`chmod 600 /d/m.db`"),
      (facts(.folder), .problem(.storage), "--database"), (facts(.other), .problem(.storage), "--database"),
      (.hidden("Not a directory"), .problem(.storage), "--database"), (.absent, .ok, nil),
    ] as [(FilePresence, CheckResult.State, String?)])
  func `a database's file is one's own, or not`(
    presence: FilePresence, state: CheckResult.State, remedy: String?
  ) {
    let result = DatabaseChecks.file(
      DatabaseChecks.Facts(path: "/d/m.db", presence: presence, user: Self.user))
    #expect(result.state == state)
    #expect(remedy.map { result.remedy?.contains($0) == true } ?? (result.remedy == nil))
  }

  @Test(
    arguments: [
      // A service's, looked at by root: what root makes there belongs to the service's user.
      (0, 7, 7, .ok, nil), (0, 0, 7, .warning, "`chown --reference=/d /d/m.db`"),
      (7, 0, 7, .warning, "`sudo chown --reference=/d /d/m.db`"), (7, 7, 7, .ok, nil),
      (0, 0, 0, .ok, nil), (user, user, 0, .ok, nil), (user, 7, 0, .warning, "sudo -u '#7' matinee doctor"),
      (user, 7, user, .warning, "`sudo chown --reference=/d /d/m.db`"), (0, 7, 0, .ok, nil),
    ] as [(uid_t, uid_t, uid_t, CheckResult.State, String?)])
  func `a database belongs to whom its folder belongs to`(
    user: uid_t, owner: uid_t, folderOwner: uid_t, state: CheckResult.State, remedy: String?
  ) {
    let result = DatabaseChecks.file(
      DatabaseChecks.Facts(
        path: "/d/m.db", presence: Self.facts(owner: owner), folder: Self.facts(.folder, owner: folderOwner),
        user: user))
    #expect(result.state == state)
    #expect(remedy.map { result.remedy?.contains($0) == true } ?? (result.remedy == nil), "\(result)")
    if user == 0 { #expect(result.remedy?.contains("sudo -u") != true) }
  }

  @Test(
    arguments: [
      (7, 0, 7, .problem(.storage), "`sudo chown --reference=/d/m.db /d/m.db-gate`"),
      (0, 0, 7, .warning, "`chown --reference=/d/m.db /d/m.db-gate`"), (0, 7, 7, .ok, nil),
      (user, 7, 7, .problem(.storage), "sudo -u '#7' matinee doctor"),
    ] as [(uid_t, uid_t, uid_t, CheckResult.State, String?)])
  func `a gate belongs to whom the database belongs to`(
    user: uid_t, owner: uid_t, databaseOwner: uid_t, state: CheckResult.State, remedy: String?
  ) {
    let refusal = user == 0 || user == owner ? nil : "Permission denied"
    let result = DatabaseChecks.gate(
      DatabaseChecks.Facts(
        path: "/d/m.db", presence: Self.facts(owner: databaseOwner),
        gate: Self.facts(owner: owner, writeRefusal: refusal), user: user))
    #expect(result.state == state)
    #expect(remedy.map { result.remedy?.contains($0) == true } ?? (result.remedy == nil), "\(result)")
  }

  @Test(arguments: [
    ("`matinee sync`", "`matinee sync --database 'a b.db' --config c.json`"),
    ("it's `matinee help`; `ls`", "it's `matinee help`; `ls`"),
    (
      "`sudo -u '#7' matinee doctor`, or",
      "`sudo -u '#7' matinee doctor --database 'a b.db' --config c.json`, or"
    ),
    (
      #"`mkdir 'it'\''s'`, `matinee sync`"#,
      #"`mkdir 'it'\''s'`, `matinee sync --database 'a b.db' --config c.json`"#
    ),
    ("`matinee config --config '/x`y'`", "`matinee config --config '/x`y' --database 'a b.db'`"),
  ])
  func `a remedy's commands have the options that doctor was given`(text: String, result: String) {
    let options = RepeatedOptions(options: [
      .init(name: "--database", value: "a b.db"), .init(name: "--config", value: "c.json"),
    ])
    #expect(options.added(to: text) == result)
    #expect(RepeatedOptions().added(to: text) == text)
  }

  @Test(arguments: ["/d/", "/d/.", "/d/.."])
  func `a path that names a folder is no database`(path: String) {
    let result = DatabaseChecks.file(DatabaseChecks.Facts(path: path, presence: .absent, user: Self.user))
    #expect(result.state == .problem(.storage))
  }

  @Test func `a log that others may read is told with its file`() {
    let result = DatabaseChecks.file(
      DatabaseChecks.Facts(
        path: "/d/m.db", presence: Self.facts(), log: Self.facts(mode: 0o644), index: Self.facts(),
        user: Self.user))
    #expect(result.found == "its group or others have rights to /d/m.db-wal (mode 0644)")
    #expect(result.remedy == "`chmod 600 /d/m.db-wal`")
  }

  @Test(
    arguments: [
      (.absent, .ok), (facts(byteCount: 0), .ok), (facts(byteCount: DatabaseChecks.logByteCountMax), .ok),
      (facts(byteCount: DatabaseChecks.logByteCountMax + 1), .warning),
    ] as [(FilePresence, CheckResult.State)])
  func `a log is cut, or a reader keeps it`(log: FilePresence, state: CheckResult.State) {
    let facts = DatabaseChecks.Facts(path: "/d/m.db", presence: Self.facts(), log: log, user: Self.user)
    #expect(DatabaseChecks.log(facts).state == state)
  }

  @Test(
    arguments: [
      (.absent, .ok), (facts(), .ok), (facts(mode: 0o660), .warning), (facts(owner: 7), .warning),
      (facts(owner: 7, writeRefusal: "Permission denied"), .problem(.storage)),
      (facts(.folder), .problem(.storage)), (facts(.link), .problem(.storage)),
      (.hidden("…"), .problem(.storage)),
    ] as [(FilePresence, CheckResult.State)])
  func `a gate can be held, and by nobody else`(gate: FilePresence, state: CheckResult.State) {
    let facts = DatabaseChecks.Facts(path: "/d/m.db", presence: Self.facts(), gate: gate, user: Self.user)
    #expect(DatabaseChecks.gate(facts).state == state)
  }

  @Test(
    arguments: [
      (.own(schemaVersion: 3), .ok), (.own(schemaVersion: 1), .ok), (.own(schemaVersion: 0), .ok),
      (.newer(schemaVersion: 4), .problem(.storage)), (.foreign(applicationID: 0), .problem(.storage)),
    ] as [(StoreExamination.Owner, CheckResult.State)])
  func `a schema is ours to use, or not`(owner: StoreExamination.Owner, state: CheckResult.State) {
    let look = Look.seen(StoreExamination.Identity(owner: owner, byteCount: 4096))
    #expect(DatabaseChecks.schema(look, at: "/d/m.db", latestVersion: 3).state == state)
  }

  @Test(arguments: StoreError.Code.all)
  func `whatever keeps a database from being read is a problem with a remedy`(code: StoreError.Code) {
    let error = StoreError(code, "some reason")
    let schema = DatabaseChecks.schema(.failed(error), at: "/d/m.db")
    #expect(schema.state == .problem(.storage) && schema.remedy != nil)
    let integrity = DatabaseChecks.integrity(.failed(error), of: nil, at: "/d/m.db")
    #expect(integrity.state == .problem(.storage) && integrity.found.contains("some reason"))
  }

  @Test func `of many findings the first are told`() {
    let look = Look.seen((1...5).map { "finding \($0)\nof a page" })
    let result = DatabaseChecks.integrity(look, of: nil, at: "/d/m.db")
    #expect(
      result.found
        == "/d/m.db is damaged: finding 1 of a page; finding 2 of a page; finding 3 of a page; and more, 5 or above "
        + "in all")
  }

  @Test func `a library is new enough, or worked around, or refused`() {
    let new = LibraryCheck.result(.init(version: "3.51.3", hasWALResetBug: false))
    #expect(new == .ok(.sqlite, "SQLite 3.51.3"))
    let old = LibraryCheck.result(.init(version: "3.40.1", hasWALResetBug: true))
    #expect(old.state == .ok && old.found.contains("write gate"))
    let refused = LibraryCheck.result(
      .init(version: "3.7.0", refusal: "SQLite 3.7.0 is too old", hasWALResetBug: true))
    #expect(refused.state == .problem(.storage))
    #expect(StoreExamination.Library.present.refusal == nil)
  }

  @Test(
    arguments: [
      (["TZ": "America/Los_Angeles"], "/none", "America/Los_Angeles", "TZ"),
      (["TZ": ""], "/none", "UTC", "TZ"),
      ([:], "/none", "UTC", "there is no /none"),
    ] as [([String: String], String, String, String)])
  func `a zone is told by whoever sets it`(
    environment: [String: String], localTime: String, name: String, origin: String
  ) {
    let zone = ClockChecks.Zone(environment: environment, localTime: localTime)
    #expect(zone == ClockChecks.Zone(name: name, origin: origin))
    let result = ClockChecks.zone(zone, at: testNoon)
    #expect(result.state == .ok && result.found.contains("2019-07-15 12:00"))
  }

  private static func run(
    endedAfter seconds: Int64? = 60, fetched: Int = 1, failed: Int = 0, because reason: String? = nil
  ) -> StoreSummary.Run {
    StoreSummary.Run(
      id: SyncRunID(rawValue: 1), startedAt: testNoon,
      endedAt: seconds.map { testNoon.advanced(by: .seconds($0)) }, plannedCount: 1, fetchedCount: fetched,
      failedCount: failed, stoppedBecause: reason)
  }

  @Test(
    arguments: [
      (run(), 0, true, "ok"), (run(), 3 * 86_400, true, "ok"), (run(), 3 * 86_400 + 1, true, "warning"),
      (run(), 30 * 86_400, false, "ok"), (run(failed: 3), 0, true, "ok"),
      (run(fetched: 0, failed: 3), 0, true, "warning"), (run(endedAfter: nil), 0, true, "ok"),
      (run(endedAfter: nil), 4 * 86_400, true, "warning"), (run(because: "quota"), 0, true, "ok"),
      (run(because: "budget"), 0, true, "ok"), (run(because: "cancelled"), 0, true, "ok"),
      (run(because: "keyMissing"), 0, true, "warning"), (run(because: "keyRefused"), 0, true, "warning"),
      (run(because: "upstreamUnavailable"), 0, true, "warning"),
      (run(because: "storage"), 0, true, "warning"),
      (nil, 0, false, "warning"),
    ] as [(StoreSummary.Run?, Int64, Bool, String)])
  func `a last sync went well, or not`(run: StoreSummary.Run?, age: Int64, isLive: Bool, state: String) {
    let result = LedgerChecks.lastSync(run, at: testNoon.advanced(by: .seconds(age)), isLive: isLive)
    #expect(result.state.name == state, "\(result.found)")
  }

  @Test(arguments: [
    (0, "ok"), (2799, "ok"), (2800, "ok"), (2999, "ok"), (3000, "warning"), (3001, "warning"),
  ])
  func `calls are left, or none`(usedCount: Int, state: String) {
    let policy = QuotaPolicy()
    let quota = StoreSummary.Quota(
      upstream: UpstreamID("kobis"), day: dayAfterTheWeek, use: QuotaUse(usedCount: usedCount), policy: policy
    )
    let result = LedgerChecks.quota(quota)
    #expect(result.state.name == state)
    #expect(result.found.contains("so that syncs go on then") == (2800..<3000).contains(usedCount))
  }

  @Test(
    arguments: [
      (.offline, .problem(.unavailable)), (.transport, .problem(.unavailable)),
      (.timeout, .problem(.unavailable)),
      (.status, .problem(.unavailable)), (.fault, .problem(.unavailable)),
      (.undecodable, .problem(.unavailable)),
      (.implausible, .problem(.unavailable)), (.tooLarge, .problem(.unavailable)), (.quota, .warning),
      (.keyRefused, .problem(.keyRefused)),
    ] as [(CatalogFailure.Code, CheckResult.State)])
  func `a call that failed says why`(code: CatalogFailure.Code, state: CheckResult.State) {
    let exchange = SessionWitness.Exchange(sentAt: testNoon, elapsed: .milliseconds(1234))
    let result = UpstreamCheck.result(
      .failed(CatalogFailure(code, "some reason")), exchange: exchange, upstream: "kobis.or.kr",
      address: "https://kobis.or.kr/a")
    #expect(result.state == state)
    #expect(result.found.contains("1,234 ms"))
    let unmade = UpstreamCheck.result(
      .failed(CatalogFailure(code, "some reason")), exchange: nil, upstream: "kobis.or.kr",
      address: "https://kobis.or.kr/a")
    #expect(unmade.state == .skipped)
  }

  @Test func `a call that cannot be entered in the ledger is the database's problem`() {
    let result = UpstreamCheck.result(
      .unaccountable(StoreError(.readOnly, "…")), exchange: nil, upstream: "kobis.or.kr",
      address: "https://kobis.or.kr/a")
    #expect(result.state == .problem(.storage))
    #expect(
      UpstreamCheck.result(
        .answered, exchange: nil, upstream: "kobis.or.kr", address: "https://kobis.or.kr/a"
      ).state == .ok)
  }

  @Test func `another user's key file is a warning, root's is not`() {
    func state(owner: uid_t) -> CheckResult.State {
      KeyCheck.result(
        KeyCheck.Facts(
          isWanted: true, place: .file(.init(path: "/k/key", origin: .variable("KOBIS_API_KEY_FILE"))),
          refusal: nil, file: Self.facts(owner: owner), folder: Self.facts(.folder, mode: 0o755),
          mayBeNamedElsewhere: false, user: Self.user)
      ).state
    }
    #expect(state(owner: Self.user) == .ok)
    #expect(state(owner: 0) == .ok)
    #expect(state(owner: 7) == .warning)
  }
}
