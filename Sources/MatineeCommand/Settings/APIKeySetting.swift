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

  /// The key, from the first place that has one; `nil` if none does.
  ///
  /// - Throws: ``CommandError`` of status 78 if a place has one that cannot be taken.
  static func key(in environment: [String: String]) throws(CommandError) -> APIKey? {
    if let text = environment[variable], !text.isEmpty { return try key(text, from: variable) }
    if let path = environment[fileVariable], !path.isEmpty {
      return try key(KeyFile.text(at: path, from: .person), from: "the file of \(fileVariable), \(path)")
    }
    guard let folder = environment[credentialsVariable], !folder.isEmpty else { return nil }
    let path = "\(folder)/\(credentialName)"
    guard KeyFile.exists(at: path) else { return nil }
    return try key(KeyFile.text(at: path, from: .systemd), from: path)
  }

  private static func key(_ text: String, from place: String) throws(CommandError) -> APIKey {
    do throws(KOBISError) { return try APIKey(text) } catch {
      throw CommandError(.configuration, "\(place): \(error.detail)")
    }
  }

  /// Refuses arguments that hold the key, or that try to hand one over.
  static func check(_ arguments: [String], environment: [String: String]) throws(CommandError) {
    let secret = environment[variable] ?? ""
    for argument in arguments {
      let name = argument.prefix { $0 != "=" }.lowercased()
      if refusedOptions.contains(name) || (!secret.isEmpty && argument.contains(secret)) {
        throw CommandError(
          .usage,
          "the API key is never an argument, which every process on the machine can read; "
            + "set \(variable), or \(fileVariable) to a file that only you can read")
      }
    }
  }
}
