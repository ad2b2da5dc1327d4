/// What there is to say of the configuration file and of single settings.
enum SettingsChecks {
  /// Whether the configuration file was read.
  static func configurationFile(_ survey: SettingsSurvey) -> CheckResult {
    guard let location = survey.location else {
      return .ok(.configurationFile, "there is none, and no place for one, as HOME is not set")
    }
    if let refusal = survey.fileRefusal {
      return .problem(
        .configurationFile, refusal,
        remedy: "correct it, and try it with `matinee config --config \(location.path.shellWord)`; what "
          + "follows is what holds without it",
        status: .configuration)
    }
    guard let file = survey.file else {
      return .ok(.configurationFile, "there is none at \(location.path), and none is needed")
    }
    return .ok(.configurationFile, "\(file.path) was read; it sets \(counted(file.entries.count, "setting"))")
  }

  /// Whether every setting is taken, and every variable that looks like one is one.
  static func settings(_ survey: SettingsSurvey, unknown: [UnknownVariable]) -> CheckResult {
    if !survey.refusals.isEmpty {
      return .problem(
        .settings, (survey.refusals + unknown.map(\.sentence)).joined(separator: "; "),
        remedy: "correct what is named; `matinee config` then prints what holds, and `matinee help` what "
          + "there is to set",
        status: .configuration)
    }
    if let first = unknown.first {
      let nearest = first.nearest.map { "set \($0) in its place, and " } ?? ""
      return .warning(
        .settings, unknown.map(\.sentence).joined(separator: "; "),
        remedy: "\(nearest)`unset \(unknown.map(\.name.shellWord).joined(separator: " "))`")
    }
    return .ok(.settings, origins(survey.settings?.effective ?? []))
  }

  private static func origins(_ effective: [EffectiveSetting]) -> String {
    let places = [("flag", "by options"), ("variable", "by the environment"), ("file", "by the file")]
    let counts = places.compactMap { kind, words in
      let count = effective.count { $0.origin.kind == kind }
      return count > 0 ? "\(count) \(words)" : nil
    }
    let all = counted(effective.count, "setting")
    guard !counts.isEmpty else { return "all \(all) are as they are by default" }
    return "of \(all), \(counts.joined(separator: ", ")), the rest as by default"
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
