import Logging

/// The settings of one call of the command: options before environment before defaults.
struct Settings {
  var database: DatabaseSetting
  var upstream: UpstreamSetting
  var logLevel: Logger.Level

  init(_ options: GlobalOptions, environment: [String: String]) throws(CommandError) {
    logLevel = try LogLevelSetting.level(option: options.logLevel, environment: environment)
    upstream = try UpstreamSetting(option: options.upstream, environment: environment)
    database = try DatabaseSetting(option: options.database, environment: environment)
  }

  /// The variables that the command reads.
  static let variables = [
    DatabaseSetting.variable, UpstreamSetting.variable, LogLevelSetting.variable, APIKeySetting.variable,
    APIKeySetting.fileVariable, APIKeySetting.credentialsVariable, "STATE_DIRECTORY", "XDG_DATA_HOME", "HOME",
    "NO_COLOR", "TERM",
  ]
}
