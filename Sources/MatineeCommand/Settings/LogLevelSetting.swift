import ArgumentParser
import Logging

/// How much is logged.
enum LogLevelSetting: String, CaseIterable, ExpressibleByArgument {
  case trace, debug, info, notice, warning, error

  /// Reads a level's name.
  static func parsed(_ text: String) throws(SettingRefusal) -> LogLevelSetting {
    guard let setting = LogLevelSetting(rawValue: text) else {
      let names = allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingRefusal(reason: "there is no level '\(text)'; it is one of \(names)")
    }
    return setting
  }

  /// The level of swift-log that is meant.
  var level: Logger.Level {
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
