import CatalogEngine
import HTTPTransport
import KOBIS
import Logging

/// The settings of one call of the command: options before environment before configuration file before defaults.
struct Settings {
  /// Where the configuration file lies, or would lie; `nil` if there is no place for one.
  var location: ConfigurationFile.Location?
  /// Whether there is such a file.
  var hasFile: Bool
  var database: DatabaseSetting
  var upstream: UpstreamSetting
  var logLevel: Logger.Level
  /// The file that is named to hold the API key.
  var keyFile: APIKeySetting.NamedFile?
  /// What the catalogue is opened with.
  var catalog: CatalogConfiguration
  /// What a sync does unless its options say otherwise.
  var sync: SyncSettings
  /// Every setting as it holds, in the order of ``KnownSettings/all``.
  var effective: [EffectiveSetting]

  /// What a sync is told by its settings.
  struct SyncSettings: Hashable, Sendable {
    /// The streams it follows; `nil` for those that suit the days it covers.
    var streams: Set<SyncRequest.Stream>?
    /// The most calls it makes; `nil` for no bound.
    var callBudget: Int?
    /// How many calls are under way at once.
    var concurrentCallCountMax: Int
    /// After how long it is repeated; `nil` for never.
    var interval: Duration?
  }

  /// Reads all settings, and refuses what cannot be.
  ///
  /// - Parameters:
  ///   - flags: What the command line says.
  ///   - environment: The environment's variables.
  ///   - base: What the catalogue is opened with as far as nothing is set.
  /// - Throws: ``CommandError`` that names the setting and the place, of status 64 for an option and 78 for others.
  init(
    _ flags: SettingFlags, environment: [String: String], base: CatalogConfiguration = CatalogConfiguration()
  ) throws(CommandError) {
    let location = ConfigurationFile.Location(option: flags.configurationFile, environment: environment)
    let file: ConfigurationFile?
    if let location { file = try ConfigurationFile.read(at: location) } else { file = nil }
    try self.init(flags, environment: environment, location: location, file: file, base: base)
  }

  /// Reads all settings where the configuration file, if there is one, has been read.
  ///
  /// - Throws: ``CommandError`` that names the setting and the place, of status 64 for an option and 78 for others.
  init(
    _ flags: SettingFlags, environment: [String: String], location: ConfigurationFile.Location?,
    file: ConfigurationFile?, base: CatalogConfiguration
  ) throws(CommandError) {
    self.location = location
    hasFile = file != nil
    var reading = SettingsReading(
      lookup: SettingLookup(flags: flags, environment: environment, file: file))

    let path = try reading.value(
      KnownSettings.database, else: try DatabaseSetting.defaultPath(in: environment))
    database = DatabaseSetting(path: path, isDefault: reading.lastOrigin == .fallback)
    upstream = try reading.value(KnownSettings.upstream, else: .kobis(.official))
    logLevel = try reading.value(KnownSettings.logLevel, else: .warning).level
    let keyPath = try reading.optional(KnownSettings.apiKeyFile)
    keyFile = keyPath.map { APIKeySetting.NamedFile(path: $0, origin: reading.lastOrigin) }
    catalog = try Self.catalog(&reading, base: base)
    sync = SyncSettings(
      streams: try reading.optional(KnownSettings.syncOnly),
      callBudget: try reading.optional(KnownSettings.syncBudget),
      concurrentCallCountMax: try reading.value(
        KnownSettings.syncConcurrentCalls, else: SyncRequest.concurrentCallCountDefault))
    catalog.syncRetry.retryCountMax = try reading.value(
      KnownSettings.syncRetries, else: base.syncRetry.retryCountMax)
    sync.interval = try reading.optional(KnownSettings.syncEvery)
    effective = reading.effective
  }

  private static func catalog(
    _ reading: inout SettingsReading, base: CatalogConfiguration
  ) throws(CommandError) -> CatalogConfiguration {
    var catalog = base
    let timeout = try reading.value(KnownSettings.callTimeout, else: base.transportLimits.total)
    catalog.transportLimits.total = timeout
    catalog.transportLimits.connect = min(base.transportLimits.connect, timeout)
    catalog.quota = try quota(&reading, base: base.quota)
    return catalog
  }

  private static func quota(
    _ reading: inout SettingsReading, base: QuotaPolicy
  ) throws(CommandError) -> QuotaPolicy {
    let callCount = try reading.value(KnownSettings.quotaCallsPerDay, else: base.dailyCallCountMax)
    let isSet = reading.lastOrigin != .fallback
    // The rule for the reserve starts from the day's calls, so a reserve that came with others does not hold.
    let reserveElse =
      isSet ? QuotaPolicy(dailyCallCountMax: callCount).reservedCallCount : base.reservedCallCount
    let reserve = try reading.value(KnownSettings.quotaReservedCalls, else: reserveElse)
    guard reserve < callCount || (!isSet && reading.lastOrigin == .fallback) else {
      throw CommandError(
        .configuration,
        "\(KnownSettings.quotaReservedCalls.description.key) is \(reserve) (\(reading.lastOrigin.shown)), and "
          + "\(KnownSettings.quotaCallsPerDay.description.key) \(callCount): a sync would have no call left")
    }
    let hour = try reading.value(KnownSettings.quotaResetHourInKorea, else: base.resetHourInKorea)
    return QuotaPolicy(dailyCallCountMax: callCount, reservedCallCount: reserve, resetHourInKorea: hour)
  }

  /// The variables that the command reads.
  static let variables =
    KnownSettings.all.map(\.variable) + [
      ConfigurationFile.variable, APIKeySetting.variable, APIKeySetting.credentialsVariable,
      "CONFIGURATION_DIRECTORY", "STATE_DIRECTORY", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "HOME", "NO_COLOR",
      "TERM",
    ]
}
