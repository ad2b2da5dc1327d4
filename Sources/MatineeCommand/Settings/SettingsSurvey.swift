import CatalogEngine

/// The settings as far as they can be had, and all that is refused of them.
///
/// A subcommand ends at the first setting that is refused. Whoever wants to know what is wrong wants to know all of it,
/// and goes on with the rest: what is refused is left out, as if it were not set.
struct SettingsSurvey {
  /// Where the configuration file lies, or would lie; `nil` if there is no place for one.
  let location: ConfigurationFile.Location?
  /// What the configuration file holds, without what is refused; `nil` if there is none that can be read.
  let file: ConfigurationFile?
  /// Why the configuration file is not read, none of it; `nil` if it is, or is not there.
  let fileRefusal: String?
  /// Why single settings are refused, in the order of ``KnownSettings/every``.
  private(set) var refusals: [String]
  /// The settings without those that are refused; `nil` where there is nothing to begin with, such as a home.
  private(set) var settings: Settings?

  /// Whether every setting is known as it was meant.
  var isComplete: Bool { fileRefusal == nil && refusals.isEmpty && settings != nil }

  init(_ flags: SettingFlags, environment: [String: String], base: CatalogConfiguration) {
    let location = ConfigurationFile.Location(option: flags.configurationFile, environment: environment)
    self.location = location
    var file: ConfigurationFile?
    do throws(CommandError) {
      if let location { file = try ConfigurationFile.read(at: location) }
      fileRefusal = nil
    } catch {
      fileRefusal = error.message
    }
    var sources = Sources(flags: flags, environment: environment, file: file)
    refusals = KnownSettings.every.flatMap { sources.removeRefused($0) }
    do throws(CommandError) {
      settings = try sources.settings(at: location, base: base)
    } catch {
      refusals.append(error.message)
      // Settings that each are taken, and not together.
      for setting in [
        KnownSettings.quotaCallsPerDay, KnownSettings.quotaReservedCalls, KnownSettings.quotaResetHourInKorea,
      ] {
        sources.remove(setting.description)
      }
      settings = try? sources.settings(at: location, base: base)
    }
    self.file = sources.file
  }

  /// Where settings come from.
  private struct Sources {
    var flags: SettingFlags
    var environment: [String: String]
    var file: ConfigurationFile?

    func settings(
      at location: ConfigurationFile.Location?, base: CatalogConfiguration
    ) throws(CommandError) -> Settings {
      try Settings(flags, environment: environment, location: location, file: file, base: base)
    }

    /// Leaves a setting out wherever it is set.
    mutating func remove(_ setting: SettingDescription) {
      flags.remove(setting)
      environment[setting.variable] = nil
      file?.entries[setting.key] = nil
    }

    /// Leaves a setting out where its value is refused.
    ///
    /// - Returns: Where, and why. As elsewhere, a variable is not looked at where an option comes before it.
    mutating func removeRefused(_ setting: any AnySetting) -> [String] {
      let description = setting.description
      var refusals: [String] = []
      if let file, let entry = file.entries[description.key], let refusal = setting.refusal(of: entry.text) {
        refusals.append("\(file.path):\(entry.line): \(description.key): \(refusal.reason)")
        self.file?.entries[description.key] = nil
      }
      if let text = flags.texts[description.key] {
        guard let refusal = setting.refusal(of: text) else { return refusals }
        refusals.append("\(description.flag ?? description.key): \(refusal.reason)")
        flags.remove(description)
      } else if let text = environment[description.variable], !text.isEmpty,
        let refusal = setting.refusal(of: text)
      {
        refusals.append("\(description.variable): \(refusal.reason)")
        environment[description.variable] = nil
      }
      return refusals
    }
  }
}
