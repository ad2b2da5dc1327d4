/// One setting of the command: what it is called in each place, what it takes, and what it means.
///
/// Everything that tells of settings is derived from these values, which ``KnownSettings`` lists: how they are read,
/// which keys a configuration file may have, what `matinee config` prints, help texts, and the tables of the
/// documents, which a test holds to them.
struct Setting<Value: Sendable>: Sendable {
  /// Its names and its meaning.
  let description: SettingDescription
  /// What it takes.
  let form: SettingForm<Value>

  /// - Parameters:
  ///   - key: Its name in a configuration file, groups and all, as `quota.callsPerDay`.
  ///   - variable: The environment's; made of the key if not given.
  ///   - flag: Its option; `nil` if it has none.
  ///   - fallback: What holds where nothing is set, in words.
  ///   - meaning: What it decides, in a sentence.
  init(
    _ key: String, variable: String? = nil, flag: String? = nil, form: SettingForm<Value>, fallback: String,
    meaning: String
  ) {
    description = SettingDescription(
      key: key, variable: variable ?? SettingDescription.variable(for: key), flag: flag, shape: form.shape,
      expectation: form.expectation, fallback: fallback, meaning: meaning)
    self.form = form
  }
}

/// A setting, whatever the type of its value.
protocol AnySetting: Sendable {
  /// Its names and its meaning.
  var description: SettingDescription { get }
  /// Why it does not take a text; `nil` if it does.
  func refusal(of text: String) -> SettingRefusal?
}

extension Setting: AnySetting {
  func refusal(of text: String) -> SettingRefusal? {
    do throws(SettingRefusal) {
      _ = try form.parse(text)
      return nil
    } catch {
      return error
    }
  }
}

/// A setting's names and meaning, whatever the type of its value.
struct SettingDescription: Hashable, Sendable {
  /// The name in a configuration file, groups and all, as `quota.callsPerDay`.
  var key: String
  /// The environment's variable, as `MATINEE_QUOTA_CALLS_PER_DAY`.
  var variable: String
  /// The option, as `--database`; `nil` if there is none.
  var flag: String?
  /// How JSON spells its value.
  var shape: SettingShape
  /// What it takes, in a few words.
  var expectation: String
  /// What holds where nothing is set, in words of Markdown.
  var fallback: String
  /// What it decides, in a sentence of Markdown.
  var meaning: String

  /// Every variable of the command's own begins so.
  static let variablePrefix = "MATINEE_"

  /// The variable of a key: `quota.callsPerDay` is `MATINEE_QUOTA_CALLS_PER_DAY`.
  static func variable(for key: String) -> String {
    key.reduce(into: variablePrefix) { name, character in
      if character == "." {
        name += "_"
      } else {
        name += character.isUppercase ? "_\(character)" : character.uppercased()
      }
    }
  }

  /// The group's keys that lead to the setting: `quota` for `quota.callsPerDay`.
  var groups: [String] {
    let names = key.split(separator: ".")
    return (1..<max(names.count, 1)).map { names[..<$0].joined(separator: ".") }
  }
}

/// How JSON spells a setting's value.
enum SettingShape: Hashable, Sendable {
  case text, number
  /// A text that is a path; in a file an absolute one, as the file does not know where the command will be run.
  case path
  /// An array of texts; options and variables part them by commas.
  case list
}
