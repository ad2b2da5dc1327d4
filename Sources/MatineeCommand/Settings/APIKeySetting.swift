import KOBIS

/// Where the API key comes from: the environment or a file, and never an argument.
///
/// Arguments and environment are not alike: every process on the machine may read `/proc/*/cmdline`, and only those
/// of the same user `/proc/*/environ`.
enum APIKeySetting {
  /// The variable that holds the key.
  static let variable = "KOBIS_API_KEY"
  /// The variable that names a file that holds it.
  static let fileVariable = "KOBIS_API_KEY_FILE"
  /// The variable in which systemd names the folder of a service's credentials.
  static let credentialsVariable = "CREDENTIALS_DIRECTORY"
  /// The credential's name in that folder.
  static let credentialName = "kobis-api-key"

  /// Options that people try; none exists, and what follows one must not be repeated in an error.
  private static let refusedOptions = ["--key", "--api-key", "--apikey", "--kobis-api-key", "--kobis-key"]

  /// A file that a setting names to hold the key.
  struct NamedFile: Hashable, Sendable {
    var path: String
    /// Who names it.
    var origin: SettingOrigin
  }

  /// Where the key is taken from.
  enum Place: Hashable, Sendable {
    /// ``variable``.
    case variable
    /// The file that a setting names.
    case file(NamedFile)
    /// systemd's credential at a path.
    case credential(path: String)
  }

  /// The first place that has a key; `nil` if none does.
  ///
  /// The environment comes before the configuration file, so systemd's credential, which the environment names, comes
  /// before the file that the configuration file names.
  static func place(in environment: [String: String], file: NamedFile?) -> Place? {
    if let text = environment[variable], !text.isEmpty { return .variable }
    if let file, case .variable = file.origin { return .file(file) }
    if let folder = environment[credentialsVariable], !folder.isEmpty {
      let path = "\(folder)/\(credentialName)"
      if KeyFile.exists(at: path) { return .credential(path: path) }
    }
    return file.map(Place.file)
  }

  /// The key at a place.
  ///
  /// - Throws: ``CommandError`` of status 78 if it has one that cannot be taken.
  static func key(at place: Place, in environment: [String: String]) throws(CommandError) -> APIKey {
    switch place {
    case .variable: return try key(environment[variable] ?? "", from: variable)
    case .file(let file):
      let text = try KeyFile.text(at: file.path, from: .person)
      let namedBy: String
      if case .file(let configuration) = file.origin {
        namedBy = "\(KnownSettings.apiKeyFile.description.key) in \(configuration)"
      } else {
        namedBy = fileVariable
      }
      return try key(text, from: "the file of \(namedBy), \(KeyFile.shown(file.path))")
    case .credential(let path): return try key(KeyFile.text(at: path, from: .systemd), from: path)
    }
  }

  private static func key(_ text: String, from place: String) throws(CommandError) -> APIKey {
    do throws(KOBISError) { return try APIKey(text) } catch {
      throw CommandError(.configuration, "\(place): \(error.detail)")
    }
  }

  /// Refuses arguments that hold the key, or that try to hand one over.
  static func check(_ arguments: [String], environment: [String: String]) throws(CommandError) {
    let secret = environment[variable] ?? ""
    // A shorter one is part of too many words.
    let isSought = secret.utf8.count >= APIKey.hiddenCharacterCountMin
    for argument in arguments {
      let name = argument.prefix { $0 != "=" }.lowercased()
      if refusedOptions.contains(name) || (isSought && argument.contains(secret)) {
        throw CommandError(
          .usage,
          "the API key is never an argument, which every process on the machine can read; "
            + "set \(variable), or \(fileVariable) to a file that only you can read")
      }
    }
  }
}
