import ArgumentParser

/// The command's root: what `matinee` takes.
struct MatineeArguments: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matinee",
    abstract: "Korea's box office, kept in SQLite and at hand when the network is not.",
    discussion: """
      Asks KOBIS, the box office of the Korean Film Council, keeps every answer, and goes on answering from what it \
      keeps when the network, KOBIS or the day's calls fail, saying how old the answer is and why.

      EXAMPLES:
        matinee sync --upstream recorded     a week of samples: no key, no network
        matinee show --upstream recorded     the chart of that week's last day
        KOBIS_API_KEY=… matinee sync         all that is due, from KOBIS, newest first
        matinee show 2019-07-08 --offline    what is stored of a day
        matinee changes --since yesterday    what appeared, moved or was corrected
        matinee status                       what is stored, and how fresh it is

      The API key comes from KOBIS_API_KEY, from the file that KOBIS_API_KEY_FILE names, from systemd's \
      $CREDENTIALS_DIRECTORY/kobis-api-key, or from the file that the configuration's apiKeyFile names, in this \
      order; it is never an argument.

      EXIT STATUS:
      \(exitStatuses)
      """,
    version: "matinee \(CommandVersion.current)",
    subcommands: [
      SyncCommand.self,
      ShowCommand.self,
      MovieCommand.self,
      PersonCommand.self,
      CompanyCommand.self,
      ListCommand.self,
      ChangesCommand.self,
      StatusCommand.self,
      DoctorCommand.self,
      BackupCommand.self,
      ConfigCommand.self,
      ExportCommand.self,
      PruneCommand.self,
      ManualCommand.self,
    ])

  @OptionGroup(title: "Global options, before or after the subcommand") var global: GlobalOptions

  private static let exitStatuses = ExitStatus.meanings
    .map { "  \($0.status.rawValue < 10 ? " " : "")\($0.status.rawValue)  \($0.meaning)" }
    .joined(separator: "\n")
}

/// A subcommand that does something with the world around it.
protocol Runnable: ParsableCommand {
  /// Does what the arguments ask for.
  ///
  /// - Throws: What ``CommandRunner`` turns into a line on stderr and an exit status.
  func run(in context: CommandContext) async throws -> ExitStatus
}
