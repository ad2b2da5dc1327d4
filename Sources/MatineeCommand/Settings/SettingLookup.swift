import Configuration
import HTTPTransport

/// Looks settings up where they may be set: options before the environment before the configuration file.
///
/// The order and the search are swift-configuration's: each place is one of its providers, and what its reader reports
/// tells which of them had the value.
struct SettingLookup {
  private let reader: ConfigReader
  private let reports: ReportedProvider
  private let file: ConfigurationFile?
  /// The environment's variables that set something.
  private let variables: [String: String]
  private let flagsName: String
  private let environmentName: String

  init(
    flags: SettingFlags, environment: [String: String], file: ConfigurationFile?,
    known: [SettingDescription] = KnownSettings.all
  ) {
    func provider(_ name: String, _ texts: [String: String]) -> InMemoryProvider {
      let values = texts.map { key, text in
        (AbsoluteConfigKey(ConfigKey(key)), ConfigValue(.string(text), isSecret: true))
      }
      return InMemoryProvider(name: name, values: Dictionary(values) { first, _ in first })
    }
    let variables = Dictionary(known.map { ($0.key, $0.variable) }) { first, _ in first }
    // No more of the environment than there are settings for, the key least of all; what is empty counts as absent.
    let texts = Dictionary(
      variables.values.compactMap { name in environment[name].flatMap { $0.isEmpty ? nil : (name, $0) } }
    ) { first, _ in first }
    let flagsProvider = provider("options", flags.texts)
    let environmentProvider = EnvironmentVariablesProvider(
      environmentVariables: texts, secretsSpecifier: .all
    ).mapKeys { key in AbsoluteConfigKey([variables[key.description] ?? key.description]) }
    flagsName = flagsProvider.providerName
    environmentName = environmentProvider.providerName
    reports = ReportedProvider()
    reader = ConfigReader(
      providers: [
        flagsProvider, environmentProvider, provider("file", file?.entries.mapValues(\.text) ?? [:]),
      ],
      accessReporter: reports)
    self.file = file
    self.variables = texts
  }

  /// A value that is set, and where.
  struct Found<Value: Sendable>: Sendable {
    var value: Value
    var origin: SettingOrigin
  }

  /// What a setting is set to; `nil` if it is set nowhere.
  ///
  /// - Throws: ``CommandError`` for a value that the setting does not take, which names the place: of status 64 for an
  ///   option's, which is a mistake of the command line, and 78 for any other. The environment's and the file's are
  ///   looked at even where another place comes before them: they would be refused as soon as that one is gone.
  func value<Value>(of setting: Setting<Value>) throws(CommandError) -> Found<Value>? {
    let description = setting.description
    if let file, let entry = file.entries[description.key] {
      _ = try parse(entry.text, setting, at: "\(file.path):\(entry.line): \(description.key)")
    }
    if let text = variables[description.variable] {
      _ = try parse(text, setting, at: description.variable)
    }
    // Secret or not: a reader's access log (CONFIG_ACCESS_LOG_FILE) is no place for what might be a misplaced key.
    guard let text = reader.string(forKey: ConfigKey(description.key), isSecret: true) else { return nil }
    let origin = origin(of: description)
    let status: ExitStatus = if case .flag = origin { .usage } else { .configuration }
    return Found(
      value: try parse(text, setting, at: origin.name ?? description.key, status: status), origin: origin)
  }

  private func parse<Value>(
    _ text: String, _ setting: Setting<Value>, at place: String, status: ExitStatus = .configuration
  ) throws(CommandError) -> Value {
    do throws(SettingRefusal) { return try setting.form.parse(text) } catch {
      throw CommandError(status, "\(place): \(error.reason)")
    }
  }

  /// Where the value came from that was looked up last.
  private func origin(of setting: SettingDescription) -> SettingOrigin {
    switch reports.last {
    case flagsName: .flag(setting.flag ?? setting.key)
    case environmentName: .variable(setting.variable)
    default: file.map { .file($0.path) } ?? .fallback
    }
  }
}

/// Remembers which provider had the value that was asked for last.
private final class ReportedProvider: AccessReporter {
  private let name = LockedValue<String?>(nil)

  var last: String? { name.withLock { $0 } }

  func report(_ event: AccessEvent) {
    let having = event.providerResults.last { (try? $0.result.get().value) != nil }
    name.withLock { $0 = having?.providerName }
  }
}
