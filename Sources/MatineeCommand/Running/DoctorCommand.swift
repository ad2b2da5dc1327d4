import ArgumentParser

/// `matinee doctor`: what is in order, what is not, and what to do about it.
struct DoctorCommand: Runnable {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check settings, key, clock, database and disk, with a remedy for each.",
    discussion: """
      Makes every check, whatever the others find: settings, the API key's place and shape, clock and zone, SQLite, \
      the database's folder and disk, the file, its schema, soundness, log and write gate, the calls left, whether \
      the upstream is taken to be down, and how syncs went of late. It changes nothing: it neither makes nor \
      migrates a database, and no writer waits for it. Reading a large one through takes a while.

      With --online it also asks the upstream for yesterday's chart, with one call of the day's calls, entered in \
      the ledger like any other. The answer is kept, as that of any read is; a missing database is made for it. \
      While calls are used up, the upstream is taken to be down, or there is a problem, no call is made.

      Warnings exit 0. With problems the status is that of the first there is of 78, 74, 77 and 69: the order in \
      which they are to be put right.

      AS SYSTEMD'S UNITS RUN MATINEE:
        sudo systemd-run --pipe --wait -p DynamicUser=yes -p User=matinee \\
          -p StateDirectory=matinee -p StateDirectoryMode=0700 \\
          -p ConfigurationDirectory=matinee \\
          -p LoadCredential=kobis-api-key:/etc/matinee/kobis-api-key \\
          matinee doctor

      EXAMPLES:
        matinee doctor
        matinee doctor --online                one call, to see whether the key holds
        matinee doctor --format json | jq '.checks[] | select(.remedy)'
      """)

  @Flag(help: "Ask the upstream, with one call of the day's calls.")
  var online = false

  @Option(help: ArgumentHelp("How to print what was found.", valueName: "format"))
  var format = StateFormat.table

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    let checkup = Checkup(global.flags, in: context)
    let report = CheckReport(results: await checkup.results(isOnline: online))
    let presentation = DoctorPresentation(report: report)
    let text =
      switch format {
      case .table: presentation.table(width: context.columnCount, style: context.style)
      case .json: presentation.json()
      }
    try context.report(text)
    return report.status
  }
}
