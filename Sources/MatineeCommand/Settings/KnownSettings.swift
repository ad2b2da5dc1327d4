import CatalogEngine
import HTTPTransport

/// Every setting there is.
enum KnownSettings {
  static let database = Setting(
    "database", flag: "--database", form: .path,
    fallback: "`$STATE_DIRECTORY/matinee.db`, else `$XDG_DATA_HOME/matinee/matinee.db`, else "
      + "`~/.local/share/matinee/matinee.db`",
    meaning: "The SQLite file to keep everything in.")

  static let upstream = Setting(
    "upstream", flag: "--upstream", form: .upstream, fallback: "KOBIS over https",
    meaning: "Whom to ask: KOBIS's REST base, or `recorded`.")

  static let logLevel = Setting(
    "logLevel", flag: "--log-level", form: .logLevel, fallback: "`warning`",
    meaning: "How much to log to stderr.")

  static let apiKeyFile = Setting(
    "apiKeyFile", variable: APIKeySetting.fileVariable, form: .path, fallback: "none",
    meaning: "A file that holds the API key, and that its owner alone may read.")

  static let callTimeout = Setting(
    "callTimeout", form: .duration(.seconds(1) ... .seconds(300)), fallback: "`15s`",
    meaning: "The longest that one call may take, from the connection to the last byte; `1s` to `5m`.")

  static let quotaCallsPerDay = Setting(
    "quota.callsPerDay", form: .wholeNumber(1...1_000_000), fallback: "`3000`",
    meaning: "The calls that the upstream allows in a day.")

  static let quotaReservedCalls = Setting(
    "quota.reservedCalls", form: .wholeNumber(0...1_000_000), fallback: "`200`, a tenth of the day's at most",
    meaning: "How many of them a sync leaves to readers; fewer than all.")

  static let quotaResetHourInKorea = Setting(
    "quota.resetHourInKorea", form: .wholeNumber(0...23), fallback: "`0`",
    meaning: "The hour in Korea at which a day of calls begins.")

  static let syncOnly = Setting(
    "sync.only", flag: "--only", form: .streams,
    fallback: "all but `weekdays`; of certain days their charts and details",
    meaning: "The streams that a sync follows.")

  static let syncBudget = Setting(
    "sync.budget", flag: "--budget", form: .wholeNumber(1...1_000_000_000), fallback: "none",
    meaning: "The most calls of one sync.")

  static let syncConcurrentCalls = Setting(
    "sync.concurrentCalls", form: .wholeNumber(1...16), fallback: "`4`",
    meaning: "How many calls of a sync may be under way at once; 1 to 16.")

  static let syncRetries = Setting(
    "sync.retries", form: .wholeNumber(0...10), fallback: "`3`",
    meaning: "How often a sync makes a call again that failed; 0 to 10.")

  static let syncEvery = Setting(
    "sync.every", flag: "--every", form: .duration(SyncSchedule.intervalMin ... .seconds(365 * 86_400)),
    fallback: "none", meaning: "Stay, and sync again at this interval, at least `1m`.")

  /// All of them, in the order in which they are told.
  static let every: [any AnySetting] = [
    database, upstream, logLevel, apiKeyFile, callTimeout, quotaCallsPerDay, quotaReservedCalls,
    quotaResetHourInKorea, syncOnly, syncBudget, syncConcurrentCalls, syncRetries, syncEvery,
  ]

  /// What all of them are called, and what they mean, in that order.
  static let all: [SettingDescription] = every.map(\.description)
}
