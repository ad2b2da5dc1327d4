/// Where a setting's value comes from.
enum SettingOrigin: Hashable, Sendable {
  /// An option of the command line, as `--database`.
  case flag(String)
  /// A variable of the environment.
  case variable(String)
  /// The configuration file at a path.
  case file(String)
  /// Nothing is set.
  case fallback

  /// The kind of place, as `matinee config` names it.
  var kind: String {
    switch self {
    case .flag: "flag"
    case .variable: "variable"
    case .file: "file"
    case .fallback: "default"
    }
  }

  /// The place; `nil` if nothing is set.
  var name: String? {
    switch self {
    case .flag(let name), .variable(let name), .file(let name): name
    case .fallback: nil
    }
  }

  /// The origin in a sentence: `variable MATINEE_DATABASE`.
  var shown: String { name.map { "\(kind) \($0)" } ?? kind }
}
