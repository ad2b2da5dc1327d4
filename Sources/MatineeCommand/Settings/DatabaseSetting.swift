import Glibc

/// Where the database lies.
struct DatabaseSetting: Hashable {
  /// The file's name in a default folder.
  static let fileName = "matinee.db"

  /// The file.
  var path: String
  /// Whether the path is a default, whose folder the command makes.
  var isDefault: Bool

  /// The first default path that the environment allows: in systemd's `$STATE_DIRECTORY`, `$XDG_DATA_HOME/matinee`,
  /// `~/.local/share/matinee`.
  static func defaultPath(in environment: [String: String]) throws(CommandError) -> String {
    func setting(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    // systemd lists several folders if the unit asks for several; the first is the one for the state.
    if let folder = setting("STATE_DIRECTORY")?.split(separator: ":").first { return "\(folder)/\(fileName)" }
    // The XDG Base Directory Specification has relative paths ignored.
    if let folder = setting("XDG_DATA_HOME"), folder.hasPrefix("/") { return "\(folder)/matinee/\(fileName)" }
    if let home = setting("HOME") { return "\(home)/.local/share/matinee/\(fileName)" }
    throw CommandError(
      .configuration,
      "there is no HOME to keep a database in; name one with --database or "
        + KnownSettings.database.description.variable)
  }

  /// Whether there is something at the path, a database or not.
  var exists: Bool {
    var status = stat()
    return lstat(path, &status) == 0 || errno != ENOENT
  }

  /// Makes the folder of a default path, for its owner alone.
  func makeFolder() throws(CommandError) {
    guard isDefault, let slash = path.lastIndex(of: "/") else { return }
    var index = path.startIndex
    while index < slash {
      index = path[path.index(after: index)...].firstIndex(of: "/") ?? slash
      let folder = String(path[..<index])
      if mkdir(folder, 0o700) != 0, errno != EEXIST, index == slash {
        throw CommandError(
          .storage, "the database's folder \(folder) cannot be made: \(String(cString: strerror(errno)))")
      }
    }
  }
}
