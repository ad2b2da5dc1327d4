import Glibc

/// The settings that a file of JSON holds.
///
/// What is in it is checked whole before a single setting is used: a key that nobody knows, a value of the wrong type,
/// a key given twice and an API key are refused, each by its name and line. Values are kept as text; what they mean is
/// read where the settings of all places are.
struct ConfigurationFile: Hashable, Sendable {
  /// The variable that names the file.
  static let variable = "MATINEE_CONFIG"
  /// The file's name in a default folder.
  static let fileName = "config.json"
  /// The most bytes that a file may have.
  static let byteCountMax = 65_536

  /// One setting in the file.
  struct Entry: Hashable, Sendable {
    /// The value as text.
    var text: String
    /// The line on which its key stands, from 1.
    var line: Int
  }

  /// Where the file lies.
  var path: String
  /// What it sets, by the settings' keys.
  var entries: [String: Entry]
}

extension ConfigurationFile {
  /// Where a configuration file lies, or would lie.
  struct Location: Hashable, Sendable {
    /// The file.
    var path: String
    /// Whether the path is a default, where there need be no file.
    var isDefault: Bool
    /// Whether the default is a person's, into whose folders another user, as whom a command is run, may not look.
    var isPersonal = false

    /// The file that is meant: the option's, the variable's, or the first default that the environment allows:
    /// systemd's `$CONFIGURATION_DIRECTORY`, `$XDG_CONFIG_HOME/matinee`, `~/.config/matinee`. `nil` if it allows none.
    init?(option: String?, environment: [String: String]) {
      func setting(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
      if let path = option ?? setting(ConfigurationFile.variable) {
        self.init(path: path, isDefault: false)
      } else if let folder = setting("CONFIGURATION_DIRECTORY")?.split(separator: ":").first {
        // systemd lists several folders if the unit asks for several.
        self.init(path: "\(folder)/\(ConfigurationFile.fileName)", isDefault: true)
      } else if let folder = setting("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
        // The XDG Base Directory Specification has relative paths ignored.
        self.init(path: "\(folder)/matinee/\(ConfigurationFile.fileName)", isDefault: true)
        isPersonal = true
      } else if let home = setting("HOME") {
        self.init(path: "\(home)/.config/matinee/\(ConfigurationFile.fileName)", isDefault: true)
        isPersonal = true
      } else {
        return nil
      }
    }

    private init(path: String, isDefault: Bool) {
      self.path = path
      self.isDefault = isDefault
    }

    /// Whether there is nothing at the path, as far as this process can look; a folder that is not a person's has to let
    /// it look.
    var isAbsent: Bool {
      var status = stat()
      guard stat(path, &status) != 0 else { return false }
      return errno == ENOENT || errno == ENOTDIR || errno == EACCES && isPersonal
    }
  }

  /// Reads the file at `location`; `nil` for a default place where there is none.
  ///
  /// - Throws: ``CommandError`` of status 78 if the file cannot be read, may be written by everybody, or holds what a
  ///   configuration must not.
  static func read(at location: Location) throws(CommandError) -> ConfigurationFile? {
    if location.isDefault && location.isAbsent { return nil }
    let bytes: [UInt8]
    do throws(RegularFile.Refusal) {
      bytes = try RegularFile.bytes(at: location.path, byteCountMax: byteCountMax) { status in
        // Whoever can name the upstream is sent the key.
        guard status.st_mode & 0o002 != 0 else { return nil }
        return "may be written by everybody; run: chmod o-w \(location.path)"
      }
    } catch {
      throw CommandError(.configuration, "the configuration file \(location.path) \(error.reason)")
    }
    do throws(ConfigurationError) {
      return ConfigurationFile(
        path: location.path, entries: try ConfigurationDecoder.entries(of: bytes, known: KnownSettings.all))
    } catch {
      throw CommandError(.configuration, "\(location.path):\(error.line): \(error.reason)")
    }
  }
}
