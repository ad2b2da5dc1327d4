import Glibc

/// Whether the database's folder can hold it: the folder, what it lies on, and how much room is left.
enum FolderChecks {
  /// What is known of the folder.
  struct Facts: Hashable, Sendable {
    /// The folder, as the database's path names it.
    var path: String
    /// What is there, links followed.
    var presence: FilePresence
    /// Whether the command makes it if it is missing.
    var isMadeIfMissing: Bool
    /// The nearest folder above that there is, and what it is; itself, if there is it.
    var ground: String
    var groundPresence: FilePresence
    /// Whom this process acts for.
    var user: uid_t

    init(
      path: String, presence: FilePresence, isMadeIfMissing: Bool, ground: String,
      groundPresence: FilePresence, user: uid_t
    ) {
      self.path = path
      self.presence = presence
      self.isMadeIfMissing = isMadeIfMissing
      self.ground = ground
      self.groundPresence = groundPresence
      self.user = user
    }

    /// Looks at the folder of a database.
    init(of database: DatabaseSetting, user: uid_t) {
      var path = database.path.parentFolder
      // Where it lies is to be told, not only how to get there from here.
      if !path.hasPrefix("/"), let resolved = realpath(path, nil) {
        path = String(cString: resolved)
        free(resolved)
      }
      let presence = FilePresence(at: path, followsLinks: true)
      var (ground, groundPresence) = (path, presence)
      while groundPresence == .absent, ground.parentFolder != ground {
        ground = ground.parentFolder
        groundPresence = FilePresence(at: ground, followsLinks: true)
      }
      self.init(
        path: path, presence: presence, isMadeIfMissing: database.isDefault, ground: ground,
        groundPresence: groundPresence, user: user)
    }
  }

  static func folder(_ facts: Facts) -> CheckResult {
    switch facts.presence {
    case .hidden(let reason):
      return problem("\(facts.path) cannot be looked at: \(reason)", remedy: otherFolder)
    case .absent: return missing(facts)
    case .present(let folder):
      guard folder.kind == .folder else {
        return problem("\(facts.path) is no folder", remedy: otherFolder)
      }
      if let reason = folder.writeRefusal {
        return problem(
          "\(facts.path) cannot be written (\(reason)): what is stored is shown, and nothing is added",
          remedy: [writeRemedy(folder, facts), "name another place with --database"].compactMap(\.self)
            .joined(separator: ", or "))
      }
      if folder.isWritableByEverybody {
        return .warning(
          .folder,
          "\(facts.path) may be written by everybody (mode \(folder.modeShown)), who may put another "
            + "database in this one's place",
          remedy: "`chmod o-w \(facts.path.shellWord)`")
      }
      let owner = folder.owner == facts.user ? "you" : "the user \(folder.owner)"
      return .ok(.folder, "\(facts.path) is writable, and belongs to \(owner) (mode \(folder.modeShown))")
    }
  }

  private static func writeRemedy(_ folder: FileFacts, _ facts: Facts) -> String? {
    if facts.user == 0 { return rootsRemedy(at: facts.path) }
    // To run it as root would change nothing about it.
    if folder.owner == 0 { return nil }
    return folder.owner == facts.user
      ? "let yourself write there: `chmod u+rwx \(facts.path.shellWord)`"
      : "run matinee as the folder's owner (`sudo -u '#\(folder.owner)' matinee doctor`)"
  }

  /// What root does, whom no owner keeps from anything: the file system does, or an attribute of the file.
  static func rootsRemedy(at path: String) -> String {
    "see what keeps root from it (`findmnt -T \(path.shellWord)` tells how it is mounted, `lsattr -d "
      + "\(path.shellWord)` what its attributes are)"
  }

  private static func missing(_ facts: Facts) -> CheckResult {
    guard facts.isMadeIfMissing else {
      return problem(
        "there is no \(facts.path), and only a default folder is made",
        remedy: "`mkdir -p \(facts.path.shellWord)`")
    }
    guard case .present(let ground) = facts.groundPresence, ground.kind == .folder,
      ground.writeRefusal == nil
    else {
      return problem(
        "there is no \(facts.path), and it cannot be made in \(facts.ground)",
        remedy: "make it with the rights that it takes (`mkdir -p \(facts.path.shellWord)`), or name "
          + "another place with --database")
    }
    return .ok(.folder, "there is no \(facts.path) yet; the first sync makes it in \(facts.ground)")
  }

  private static func problem(_ found: String, remedy: String) -> CheckResult {
    .problem(.folder, found, remedy: remedy, status: .storage)
  }

  private static let otherFolder =
    "name a place in a folder that you may write with --database, or set MATINEE_DATABASE to it"

  // MARK: - What it lies on

  /// File systems over a network: other machines' locks and shared memory are not seen there as SQLite needs them.
  static let networkFileSystems: Set<String> = [
    "9p", "afs", "ceph", "cifs", "davfs", "fuse.ceph", "fuse.davfs", "fuse.glusterfs", "fuse.rclone",
    "fuse.s3fs",
    "fuse.sshfs", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "smb3", "smbfs",
  ]

  /// File systems in memory.
  static let volatileFileSystems: Set<String> = ["ramfs", "tmpfs"]

  static func fileSystem(_ volume: Volume, of folder: String) -> CheckResult {
    guard let name = volume.fileSystem else {
      return .skipped(.fileSystem, "the system does not tell what \(folder) lies on")
    }
    let remedy = "keep it on a local disk: `matinee backup FILE` there, and name that file with --database"
    if networkFileSystems.contains(name) {
      return .warning(
        .fileSystem,
        "\(folder) lies on a network file system (\(name)), whose locks and shared memory SQLite's log "
          + "cannot rely on",
        remedy: remedy)
    }
    if volatileFileSystems.contains(name) {
      return .warning(
        .fileSystem,
        "\(folder) lies in memory (\(name)): all that is stored is gone when the machine "
          + "restarts",
        remedy: remedy)
    }
    return .ok(.fileSystem, "\(folder) lies on \(name)")
  }

  // MARK: - How much room is left

  /// Below so much there is a warning: room for the whole of the upstream's data and a second copy of it.
  static let freeByteCountMin: Int64 = 512 * 1024 * 1024
  /// Below so much nothing can be done: a log's first pages do not fit.
  static let freeByteCountNeeded: Int64 = 1024 * 1024

  static func space(_ volume: Volume, of folder: String) -> CheckResult {
    guard let count = volume.freeByteCount else {
      return .skipped(.space, "the system does not tell how much room \(folder) has left")
    }
    let found = "\(count.byteCountShown) are free where \(folder) lies"
    let remedy = "make room (`du -xh --max-depth=1 \(folder.shellWord)` shows what takes it)"
    // To remove something from the database takes room, too, and to write it anew takes more.
    if count < freeByteCountNeeded {
      return .problem(.space, found + ", and nothing more can be stored", remedy: remedy, status: .storage)
    }
    guard count >= freeByteCountMin else {
      return .warning(
        .space, found + ", less than \(freeByteCountMin.byteCountShown)",
        remedy: remedy + "; `matinee prune --keep 365d --vacuum` makes the database smaller")
    }
    return .ok(.space, found)
  }
}
