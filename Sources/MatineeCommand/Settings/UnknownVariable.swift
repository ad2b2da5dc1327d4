/// A variable of the environment that looks like one of the command's and is none.
struct UnknownVariable: Hashable, Sendable {
  var name: String
  /// The variable that it was most likely meant to be.
  var nearest: String?

  /// All of them, by name.
  static func all(in environment: [String: String]) -> [UnknownVariable] {
    let names = KnownSettings.all.map(\.variable) + [ConfigurationFile.variable]
    return environment.keys.filter { $0.hasPrefix(SettingDescription.variablePrefix) && !names.contains($0) }
      .sorted().map { name in
        // Whoever speaks of a key means the upstream's.
        let nearest = NearestName.nearest(to: name, in: name.contains("KEY") ? keyNames : names)
        return UnknownVariable(name: name, nearest: nearest)
      }
  }

  private static let keyNames = [APIKeySetting.variable, KnownSettings.apiKeyFile.description.variable]

  /// What is wrong with it; its value is not told, which might be a key.
  var sentence: String {
    "the environment's \(name) sets nothing" + (nearest.map { "; the nearest is \($0)" } ?? "")
  }
}
