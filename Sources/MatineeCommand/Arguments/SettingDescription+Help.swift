import ArgumentParser

extension SettingDescription {
  /// The help text of the setting's option.
  ///
  /// - Parameters:
  ///   - valueName: What stands for the value.
  ///   - detail: What is to be said besides the meaning and the other places.
  func help(valueName: String, detail: String? = nil) -> ArgumentHelp {
    let sentences = [detail, "Default: \(fallback).", "Environment: \(variable).", "File: \(key)."]
    return ArgumentHelp(
      Self.plain(meaning), discussion: Self.plain(sentences.compactMap(\.self).joined(separator: " ")),
      valueName: valueName)
  }

  /// Markdown without its marks.
  private static func plain(_ text: String) -> String { text.filter { $0 != "`" } }
}
