import ArgumentParser

/// The options of every subcommand.
struct GlobalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The SQLite file to keep everything in.",
      discussion: "Default: $STATE_DIRECTORY/matinee.db, else $XDG_DATA_HOME/matinee/matinee.db, "
        + "else ~/.local/share/matinee/matinee.db. Environment: MATINEE_DATABASE.",
      valueName: "path"), completion: .file())
  var database: String?

  @Option(
    help: ArgumentHelp(
      "Whom to ask: KOBIS's REST base, or 'recorded'.",
      discussion: "'recorded' is a week of samples (2019-07-08 to 2019-07-14) within the program: no key, no "
        + "network. Environment: MATINEE_UPSTREAM.",
      valueName: "url|recorded"), completion: .list(["recorded"]))
  var upstream: String?

  @Option(
    help: ArgumentHelp(
      "How much to log to stderr.",
      discussion: "Default: warning. Environment: MATINEE_LOG_LEVEL.", valueName: "level"))
  var logLevel: LogLevelSetting?
}
