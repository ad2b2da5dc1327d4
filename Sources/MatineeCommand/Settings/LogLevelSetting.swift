import ArgumentParser
import Logging

/// How much is logged.
enum LogLevelSetting: String, CaseIterable, ExpressibleByArgument {
  case trace, debug, info, notice, warning, error

  /// The variable that names the level.
  static let variable = "MATINEE_LOG_LEVEL"

  /// The level that is meant: the option's, the variable's, or warnings and worse.
  static func level(
    option: LogLevelSetting?, environment: [String: String]
  ) throws(CommandError) -> Logger.Level {
    if let option { return option.level }
    guard let text = environment[variable], !text.isEmpty else { return .warning }
    guard let setting = LogLevelSetting(rawValue: text) else {
      let names = allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandError(.configuration, "\(variable): there is no level '\(text)'; it is one of \(names)")
    }
    return setting.level
  }

  private var level: Logger.Level {
    switch self {
    case .trace: .trace
    case .debug: .debug
    case .info: .info
    case .notice: .notice
    case .warning: .warning
    case .error: .error
    }
  }
}
