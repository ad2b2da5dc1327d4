/// The reading of settings one after the other, which keeps what each comes to.
struct SettingsReading {
  let lookup: SettingLookup
  /// What was read so far.
  private(set) var effective: [EffectiveSetting] = []

  init(lookup: SettingLookup) { self.lookup = lookup }

  /// Where the value that was read last comes from.
  var lastOrigin: SettingOrigin { effective.last?.origin ?? .fallback }

  /// A setting's value; where it is not set, `fallback`, which is not asked for otherwise.
  mutating func value<Value>(
    _ setting: Setting<Value>, else fallback: @autoclosure () throws(CommandError) -> Value
  ) throws(CommandError) -> Value {
    if let value = try optional(setting) { return value }
    let value = try fallback()
    effective[effective.count - 1].text = setting.form.spell(value)
    return value
  }

  /// A setting's value; `nil` where it is not set.
  mutating func optional<Value>(_ setting: Setting<Value>) throws(CommandError) -> Value? {
    let found = try lookup.value(of: setting)
    effective.append(
      EffectiveSetting(
        setting: setting.description, text: found.map { setting.form.spell($0.value) },
        origin: found?.origin ?? .fallback))
    return found?.value
  }
}

/// One setting as it holds.
struct EffectiveSetting: Hashable, Sendable {
  /// The setting.
  var setting: SettingDescription
  /// Its value, spelled; `nil` for none.
  var text: String?
  /// Where it comes from.
  var origin: SettingOrigin
}
