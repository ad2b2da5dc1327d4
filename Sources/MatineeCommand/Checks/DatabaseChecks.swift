import CatalogEngine
import Glibc
import SQLiteMovieStore

/// What came of a look into the database.
enum Look<Value: Sendable>: Sendable {
  /// There is nothing to look at yet.
  case absent
  /// It was not looked at, because of what another check says.
  case barred(by: CheckResult.Name)
  /// It could not be seen as it is without changing it.
  case unsettled
  case failed(StoreError)
  case seen(Value)

  /// What was seen; `nil` if nothing was.
  var value: Value? {
    if case .seen(let value) = self { value } else { nil }
  }

  /// The result of a check that needs what could not be seen; `nil` if it was.
  func skipped(_ name: CheckResult.Name) -> CheckResult? {
    switch self {
    case .absent: .skipped(name, "there is nothing in the database yet")
    case .barred(let other): .skipped(name, "it was not looked at: see \(other.rawValue)")
    case .unsettled: .skipped(name, "the database kept changing, or waits to be rolled back: see schema")
    case .failed(let error): .skipped(name, "it could not be read: \(error)")
    case .seen: nil
    }
  }
}

/// Whether the database is there, whose it is, and whether it is whole.
enum DatabaseChecks {
  /// What lies at the database's path and beside it.
  struct Facts: Hashable, Sendable {
    var path: String
    var presence: FilePresence
    /// The log, its index and the gate, as far as they are there.
    var log: FilePresence
    var index: FilePresence
    var gate: FilePresence
    /// The folder that holds them.
    var folder: FilePresence
    /// Whom this process acts for.
    var user: uid_t

    init(
      path: String, presence: FilePresence, log: FilePresence = .absent, index: FilePresence = .absent,
      gate: FilePresence = .absent, folder: FilePresence = .absent, user: uid_t
    ) {
      self.path = path
      self.presence = presence
      self.folder = folder
      self.log = log
      self.index = index
      self.gate = gate
      self.user = user
    }

    /// Looks at a database's files.
    init(of path: String, user: uid_t) {
      self.init(
        path: path, presence: FilePresence(at: path), log: FilePresence(at: path + "-wal"),
        index: FilePresence(at: path + "-shm"), gate: FilePresence(at: path + "-gate"),
        folder: FilePresence(at: path.parentFolder, followsLinks: true), user: user)
    }

    /// Whether nothing is stored: no file, or an empty one.
    var isEmpty: Bool {
      guard case .present(let file) = presence else { return presence == .absent }
      return file.kind == .file && file.byteCount == 0
    }

    /// The folder, where it belongs to another user than the database's `file`, and not to root: as a service's, which
    /// systemd gives to the service's user.
    func folder(unlike file: FileFacts) -> String? {
      guard let owner = folder.facts?.owner, owner != 0, owner != file.owner else { return nil }
      return path.parentFolder
    }

    /// Whether the path names a folder, and no file in it.
    var namesNoFile: Bool { path.hasSuffix("/") || path.hasSuffix("/.") || path.hasSuffix("/..") }
  }

  /// - Parameter isOthers: Whether what is there is not matinee's, so that who may read it is no concern of matinee's.
  static func file(_ facts: Facts, isOthers: Bool = false) -> CheckResult {
    if let obstacle = obstacle(facts) { return obstacle }
    guard let file = facts.presence.facts else {
      return .ok(.database, "there is no \(facts.path) yet; the first sync makes it")
    }
    if let reason = file.writeRefusal {
      return refusal(
        of: file, "written (\(reason)): what is stored is shown, and nothing is added", facts)
    }
    let found = "\(facts.path) has \(file.byteCount.byteCountShown)"
    if isOthers { return .ok(.database, found) }
    return exposure(of: file, facts)
      ?? .ok(
        .database,
        "\(found), and is \(owner(file, facts)) alone (mode \(file.modeShown))")
  }

  /// What keeps the file from being looked into; `nil` if nothing does.
  static func obstacle(_ facts: Facts) -> CheckResult? {
    if facts.namesNoFile { return problem("\(facts.path) names no file", remedy: otherFile) }
    switch facts.presence {
    case .absent: return nil
    case .hidden(let reason):
      return problem("\(facts.path) cannot be looked at: \(reason)", remedy: otherFile)
    case .present(let file):
      if let kind = file.kind.inPlaceOfFile {
        return problem("\(kind) is in the place of the database \(facts.path)", remedy: otherFile)
      }
      return file.readRefusal.map { refusal(of: file, "read (\($0))", facts) }
    }
  }

  private static func refusal(of file: FileFacts, _ deed: String, _ facts: Facts) -> CheckResult {
    let remedy =
      file.owner == facts.user
      ? "`chmod 600 \(facts.path.shellWord)`"
      : Self.remedy(forOwnerOf: facts.path, file, as: facts.folder(unlike: file), facts.user)
    return problem("\(facts.path) cannot be \(deed)", remedy: remedy)
  }

  private static func exposure(of file: FileFacts, _ facts: Facts) -> CheckResult? {
    if let folder = facts.folder(unlike: file), file.owner != facts.user || facts.user == 0 {
      return .warning(
        .database,
        "\(facts.path) belongs to the user \(file.owner), and \(folder) does not: who owns the folder may not "
          + "be able to use it",
        remedy: remedy(forOwnerOf: facts.path, file, as: folder, facts.user))
    }
    // What root makes beside it belongs to its owner.
    if file.owner != facts.user, facts.user != 0 {
      return .warning(
        .database,
        "\(facts.path) belongs to the user \(file.owner), and you are \(facts.user): what you make beside "
          + "it, its owner may not be able to use",
        remedy: remedy(forOwnerOf: facts.path, file, as: nil, facts.user))
    }
    let files =
      [(facts.path, file)]
      + [
        (facts.path + "-wal", facts.log.facts), (facts.path + "-shm", facts.index.facts),
      ].compactMap { path, file in file.map { (path, $0) } }
    let open = files.filter { $0.1.isOpenToOthers }
    guard !open.isEmpty else { return nil }
    let shown = open.map { "\($0.0) (mode \($0.1.modeShown))" }.joined(separator: ", ")
    return .warning(
      .database, "its group or others have rights to \(shown)",
      remedy: "`chmod 600 \(open.map(\.0.shellWord).joined(separator: " "))`")
  }

  // MARK: - Whose it is

  static func schema(
    _ look: Look<StoreExamination.Identity>, at path: String,
    latestVersion: Int = StoreExamination.latestSchemaVersion
  ) -> CheckResult {
    switch look {
    case .seen(let identity): return schema(of: identity, at: path, latestVersion: latestVersion)
    case .failed(let error): return unreadable(error, at: path)
    case .unsettled:
      return .warning(
        .schema,
        "\(path) kept changing, or its rollback journal waits to be applied, which only a writer can do",
        remedy: "`matinee status` opens it for writing, and brings it in order; then `matinee doctor` again")
    case .absent, .barred: return look.skipped(.schema) ?? .ok(.schema, "")
    }
  }

  private static func schema(
    of identity: StoreExamination.Identity, at path: String, latestVersion: Int
  ) -> CheckResult {
    switch identity.owner {
    case .own(latestVersion): .ok(.schema, "\(path) is matinee's, of schema \(latestVersion), the newest")
    case .own(0): .ok(.schema, "\(path) is empty; the first sync makes schema \(latestVersion) in it")
    case .own(let version):
      .ok(
        .schema,
        "\(path) is matinee's, of schema \(version); what opens it next brings it to \(latestVersion)")
    case .newer(let version):
      .problem(
        .schema, "\(path) has schema \(version), and this build knows none after \(latestVersion)",
        remedy: "install the version of matinee that wrote it (this is \(CommandVersion.current)), or name "
          + "another file with --database",
        status: .storage)
    case .foreign(let id):
      .problem(
        .schema,
        "\(path) is another program's database (application_id \(id)), and is left alone",
        remedy: otherFile, status: .storage)
    }
  }

  private static func unreadable(_ error: StoreError, at path: String) -> CheckResult {
    switch error.code {
    case .notADatabase:
      .problem(.schema, "\(path) is no database, and is left alone", remedy: otherFile, status: .storage)
    case .corrupt:
      .problem(
        .schema, "\(path) is damaged: \(error.message)", remedy: replacement(of: path), status: .storage)
    case .busy:
      .problem(
        .schema, "another program keeps \(path) locked: \(error.message)",
        remedy: "`fuser -v \(path.shellWord)` names it; end it", status: .storage)
    default:
      .problem(
        .schema, "\(path) cannot be read: \(error.message)",
        remedy: "make sure that you may read it, and the files beside it: `ls -l \(path.shellWord)*`",
        status: .storage)
    }
  }

  // MARK: - Whether it is whole

  /// The most findings that are told.
  static let findingCountMax = 3

  static func integrity(_ look: Look<[String]>, of identity: StoreExamination.Identity?, at path: String)
    -> CheckResult
  {
    switch look {
    case .seen(let findings) where findings.isEmpty:
      let size = identity.map { ", all \($0.byteCount.byteCountShown) of it," } ?? ""
      return .ok(.integrity, "\(path) was read through\(size) and is sound")
    case .seen(let findings):
      let more = findings.count > findingCountMax ? "; and more, \(findings.count) or above in all" : ""
      let shown = findings.prefix(findingCountMax).map { $0.replacing("\n", with: " ") }
      return .problem(
        .integrity, "\(path) is damaged: \(shown.joined(separator: "; "))\(more)",
        remedy: replacement(of: path), status: .storage)
    case .failed(let error):
      return .problem(
        .integrity, "\(path) could not be read through: \(error.message)",
        remedy: replacement(of: path), status: .storage)
    case .absent, .barred, .unsettled: return look.skipped(.integrity) ?? .ok(.integrity, "")
    }
  }

  /// What to do with a database that is damaged.
  private static func replacement(of path: String) -> String {
    let (file, aside) = (path.shellWord, (path + ".damaged").shellWord)
    return "end what uses it, put it aside (`mkdir \(aside) && mv \(file) \(file)-* \(aside)`), and put a "
      + "copy of a backup in its place, or have `matinee sync` fetch all anew; today's calls so far then "
      + "count as not made"
  }

  // MARK: - What lies beside it

  /// Above so much there is a warning: a log is cut at 4 MiB unless a reader needs it.
  static let logByteCountMax: Int64 = 64 * 1024 * 1024

  static func log(_ facts: Facts) -> CheckResult {
    guard let log = facts.log.facts, log.byteCount > 0 else {
      return .ok(.writeAheadLog, "there is none, or an empty one: everything is in the database itself")
    }
    let found = "\(facts.path)-wal has \(log.byteCount.byteCountShown)"
    guard log.byteCount > logByteCountMax else { return .ok(.writeAheadLog, found) }
    return .warning(
      .writeAheadLog,
      "\(found), more than \(logByteCountMax.byteCountShown): a reader that stays keeps it from being cut",
      remedy: "`fuser -v \(facts.path.shellWord)` names who has the database open; end what reads for so "
        + "long, and `matinee sync` cuts it")
  }

  static func gate(_ facts: Facts) -> CheckResult {
    let path = facts.path + "-gate"
    switch facts.gate {
    case .absent: return .ok(.gate, "there is no \(path) yet; the next writer makes it")
    case .hidden(let reason):
      return .problem(
        .gate, "\(path) cannot be looked at: \(reason)", remedy: "`ls -ld \(path.shellWord)`",
        status: .storage)
    case .present(let gate):
      if let kind = gate.kind.inPlaceOfFile {
        return .problem(
          .gate, "\(kind) is in the place of the write gate \(path)",
          remedy: "`mv \(path.shellWord) \((path + ".aside").shellWord)`", status: .storage)
      }
      // Whoever owns the database must be able to hold it.
      let model = facts.presence.facts.flatMap { $0.owner == gate.owner ? nil : facts.path }
      if let reason = gate.writeRefusal ?? gate.readRefusal {
        return .problem(
          .gate, "the write gate \(path) of the user \(gate.owner) cannot be used: \(reason)",
          remedy: gate.owner == facts.user && model == nil
            ? "`chmod 600 \(path.shellWord)`" : remedy(forOwnerOf: path, gate, as: model, facts.user),
          status: .storage)
      }
      if let model {
        return .warning(
          .gate, "the write gate \(path) belongs to the user \(gate.owner), and \(model) does not",
          remedy: remedy(forOwnerOf: path, gate, as: model, facts.user))
      }
      if gate.owner != facts.user, facts.user != 0 {
        return .warning(
          .gate, "the write gate \(path) belongs to the user \(gate.owner), and you are \(facts.user)",
          remedy: remedy(forOwnerOf: path, gate, as: nil, facts.user))
      }
      if gate.isOpenToOthers {
        return .warning(
          .gate,
          "others may hold up every writer at the write gate \(path) (mode \(gate.modeShown))",
          remedy: "`chmod 600 \(path.shellWord)`")
      }
      return .ok(.gate, "\(path) is there, and \(owner(gate, facts)) alone (mode \(gate.modeShown))")
    }
  }

  // MARK: - Who is to own it

  /// What to do about a file of another user.
  ///
  /// - Parameter model: What it should belong to the same user as; `nil` if it belongs to whom it should.
  private static func remedy(
    forOwnerOf path: String, _ file: FileFacts, as model: String?, _ user: uid_t
  ) -> String {
    if let model {
      let sudo = user == 0 ? "" : "sudo "
      return "`\(sudo)chown --reference=\(model.shellWord) \(path.shellWord)` gives it to the owner of "
        + model
    }
    return user == 0
      ? FolderChecks.rootsRemedy(at: path)
      : "run matinee as its owner: `sudo -u '#\(file.owner)' matinee doctor`"
  }

  /// Whose a file is, in a sentence.
  private static func owner(_ file: FileFacts, _ facts: Facts) -> String {
    file.owner == facts.user ? "yours" : "the user \(file.owner)'s"
  }

  private static func problem(_ found: String, remedy: String) -> CheckResult {
    .problem(.database, found, remedy: remedy, status: .storage)
  }

  private static let otherFile = "name another file with --database, or set MATINEE_DATABASE to it"
}

extension FileFacts.Kind {
  /// What is in a file's place; `nil` if it is a file.
  fileprivate var inPlaceOfFile: String? {
    switch self {
    case .file: nil
    case .folder: "a folder"
    case .link: "a symbolic link"
    case .other: "what is no regular file"
    }
  }
}
