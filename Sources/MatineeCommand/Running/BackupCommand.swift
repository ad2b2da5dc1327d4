import ArgumentParser
import CatalogEngine
import Matinee

/// `matinee backup FILE`: a whole copy of the database, made while others use it.
struct BackupCommand: Runnable {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the database to a file, whole, while others use it.",
    discussion: """
      The copy is the database of one moment, and a database itself: --database takes it. It is read through for \
      damage before it takes its place, in one step: whatever happens, there is the whole of it or what was there \
      before. Nobody is waited for, and a sync goes on.

      To restore one, end what uses the database, remove the database's file and its files -wal and -shm, and put \
      the copy in its place, owned as its folder is.

      EXAMPLES:
        matinee backup /backups/matinee.db
        matinee backup --force /backups/matinee.db   in the place of the last one
        matinee backup "/backups/matinee-$(date +%F).db" --format json
      """)

  @Argument(
    help: ArgumentHelp("The file to make; its folder must exist.", valueName: "file"),
    completion: .file())
  var file: String

  @Flag(help: "Replace the file if it exists.")
  var force = false

  @Option(help: ArgumentHelp("How to print what was made.", valueName: "format"))
  var format = StateFormat.table

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    let settings = try context.settings(global)
    try context.requireDatabase(settings)
    let backup = try await make(of: settings.database.path, in: context)
    let presentation = BackupPresentation(database: settings.database.path, backup: backup)
    switch format {
    case .table: try context.print(presentation.table(width: context.columnCount, style: context.style))
    case .json: try context.print(presentation.json())
    }
    return .done
  }

  private func make(of database: String, in context: CommandContext) async throws -> StoreBackup {
    let isShown = context.errorTerminal != nil
    defer { if isShown { context.errors.progress("") } }
    do {
      return try await context.untilInterrupted(ending: "no backup was made, and nothing is left of it") {
        try await SQLiteMovieStore.backUp(database, to: file, replacing: force) { part in
          if isShown { context.errors.progress("backup: \(Int(part * 100))%") }
        }
      }
    } catch let error as StoreError where error.code == .exists {
      throw CommandError(.storage, "\(file) exists already, and is left as it is; --force replaces it")
    } catch let error as StoreError {
      // Either of the two files may be at fault; the error names which.
      throw CommandError(.storage, "no backup was made: \(error)")
    }
  }
}
