import Glibc

/// Where the database lies.
struct DatabaseSetting: Hashable {
  /// The variable that names the file.
  static let variable = "MATINEE_DATABASE"
  /// The file's name in a default folder.
  static let fileName = "matinee.db"

  /// The file.
  var path: String
  /// Whether the path is a default, whose folder the command makes.
  var isDefault: Bool

  /// The file that is meant: the option's, the variable's, or the first default that the environment allows:
  /// systemd's `$STATE_DIRECTORY`, `$XDG_DATA_HOME/matinee`, `~/.local/share/matinee`.
  init(option: String?, environment: [String: String]) throws(CommandError) {
    if let option {
      guard !option.isEmpty else { throw CommandError(.usage, "--database names no file") }
      self.init(path: option, isDefault: false)
      return
    }
    func setting(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let path = setting(Self.variable) {
      self.init(path: path, isDefault: false)
    } else if let folder = setting("STATE_DIRECTORY")?.split(separator: ":").first {
      // systemd lists several folders if the unit asks for several; the first is the one for the state.
      self.init(path: "\(folder)/\(Self.fileName)", isDefault: true)
    } else if let folder = setting("XDG_DATA_HOME"), folder.hasPrefix("/") {
      // The XDG Base Directory Specification has relative paths ignored.
      self.init(path: "\(folder)/matinee/\(Self.fileName)", isDefault: true)
    } else if let home = setting("HOME") {
      self.init(path: "\(home)/.local/share/matinee/\(Self.fileName)", isDefault: true)
    } else {
      throw CommandError(
        .configuration, "there is no HOME to keep a database in; name one with --database or \(Self.variable)"
      )
    }
  }

  private init(path: String, isDefault: Bool) {
    self.path = path
    self.isDefault = isDefault
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
