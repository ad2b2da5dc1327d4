/// What the command line says of settings.
struct SettingFlags: Hashable, Sendable {
  /// The configuration file that is named; `nil` if none is.
  var configurationFile: String?
  /// The values of options, spelled, by the settings' keys.
  private(set) var texts: [String: String] = [:]

  init(configurationFile: String? = nil) { self.configurationFile = configurationFile }

  /// Takes note of an option's value; `nil` if the option was not given.
  mutating func set<Value>(_ setting: Setting<Value>, to value: Value?) {
    texts[setting.description.key] = value.map(setting.form.spell)
  }

  /// Takes note of an option's value as it was written.
  mutating func set<Value>(_ setting: Setting<Value>, written text: String?) {
    texts[setting.description.key] = text
  }

  /// Takes back what was noted of a setting.
  mutating func remove(_ setting: SettingDescription) { texts[setting.key] = nil }
}
