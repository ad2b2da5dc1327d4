import ArgumentParser

/// The options of every subcommand.
struct GlobalOptions: ParsableArguments {
  @Option(help: databaseHelp, completion: .file())
  var database: String?

  @Option(help: upstreamHelp, completion: .list(["recorded"]))
  var upstream: String?

  @Option(help: configHelp, completion: .file())
  var config: String?

  @Option(help: logLevelHelp)
  var logLevel: LogLevelSetting?

  // Made once: the parser makes these options anew for each of its checks of each subcommand.
  private static let databaseHelp = KnownSettings.database.description.help(valueName: "path")
  private static let upstreamHelp = KnownSettings.upstream.description.help(
    valueName: "url|recorded",
    detail:
      "'recorded' is a week of samples (2019-07-08 to 2019-07-14) within the program: no key, no network.")
  private static let configHelp = ArgumentHelp(
    "The JSON file that holds settings.",
    discussion:
      "Default: $CONFIGURATION_DIRECTORY/config.json, else $XDG_CONFIG_HOME/matinee/config.json, else "
      + "~/.config/matinee/config.json, if it is there. Environment: \(ConfigurationFile.variable).",
    valueName: "file")
  private static let logLevelHelp = KnownSettings.logLevel.description.help(valueName: "level")

  /// What these options say of settings.
  var flags: SettingFlags {
    var flags = SettingFlags(configurationFile: config)
    flags.set(KnownSettings.database, written: database)
    flags.set(KnownSettings.upstream, written: upstream)
    flags.set(KnownSettings.logLevel, to: logLevel)
    return flags
  }

  func validate() throws {
    for (option, path) in [("--database", database), ("--config", config)] where path?.isEmpty == true {
      throw ValidationError("\(option) names no file")
    }
  }
}
