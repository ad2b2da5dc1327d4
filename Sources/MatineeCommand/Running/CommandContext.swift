import CatalogEngine
import KOBIS
import Logging
import Matinee

/// What a subcommand runs in: its surroundings, and the ways to print, to be configured and to open the catalogue.
struct CommandContext: Sendable {
  let surroundings: Surroundings
  let errors: ErrorStream

  init(_ surroundings: Surroundings) {
    self.surroundings = surroundings
    errors = ErrorStream(surroundings.standardError)
  }

  var now: Timestamp { surroundings.clock.wallTime }

  /// The width that tables are made for.
  var columnCount: Int { surroundings.outputTerminal?.columnCount ?? Terminal.columnCountDefault }

  /// The terminal that progress is drawn on; `nil` where there is none, or one that cannot take a line back.
  var errorTerminal: Terminal? {
    surroundings.environment["TERM"] == "dumb" ? nil : surroundings.errorTerminal
  }

  /// How data is drawn: in colours on a terminal, unless `NO_COLOR` (no-color.org) or the terminal objects.
  var style: Style {
    let environment = surroundings.environment
    let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    return Style(
      isColored: surroundings.outputTerminal != nil && !isRefused && environment["TERM"] != "dumb")
  }

  /// Says that there is no database, where a listing of what is stored is empty for that reason.
  func noticeMissingDatabase(_ settings: Settings) {
    guard !settings.database.exists else { return }
    errors.notice(
      "nothing is stored yet: there is no database at \(settings.database.path); `matinee sync` makes it")
  }

  /// Prints data; a key that stands in a setting or wherever else is printed as little as on stderr.
  func print(_ text: String) throws(OutputError) {
    try surroundings.standardOutput.write(errors.hiding(text))
  }

  /// Prints what the exit status says as well, which is told whether or not somebody reads this.
  ///
  /// - Returns: Whether there is a reader.
  @discardableResult func report(_ text: String) throws(OutputError) -> Bool {
    do throws(OutputError) { try print(text) } catch {
      guard error == .closed else { throw error }
      return false
    }
    return true
  }

  /// The settings that hold for a subcommand without settings of its own among its options.
  func settings(_ options: GlobalOptions) throws(CommandError) -> Settings { try settings(options.flags) }

  /// The settings that hold where the command line says so much of them.
  func settings(_ flags: SettingFlags) throws(CommandError) -> Settings {
    // A key that was put into the wrong setting, too, is told by no message of that setting's.
    if let text = surroundings.environment[APIKeySetting.variable], let key = try? APIKey(text) {
      errors.hide(key)
    }
    return try Settings(flags, environment: surroundings.environment, base: surroundings.configuration)
  }

  /// The API key, if it is set and the upstream wants one; nothing prints it from now on.
  func key(for settings: Settings) throws(CommandError) -> APIKey? {
    guard settings.upstream != .recorded else { return nil }
    let environment = surroundings.environment
    guard let place = APIKeySetting.place(in: environment, file: settings.keyFile) else { return nil }
    let key = try APIKeySetting.key(at: place, in: environment)
    errors.hide(key)
    return key
  }

  /// What a subcommand does with the database.
  enum DatabaseUse {
    /// It asks the upstream and keeps the answers: a missing file is made.
    case keeping
    /// It looks at what is stored: a missing file is taken for an empty one, and not made.
    case looking
  }

  /// Opens the catalogue for a read under `policy`: who asks the store alone needs no key, and makes no database.
  func withCatalog<Result>(
    _ settings: Settings, policy: ReadPolicy, _ body: (MovieCatalog) async throws -> Result
  ) async throws -> Result {
    guard policy != .cacheOnly else { return try await withCatalog(settings, key: nil, use: .looking, body) }
    return try await withCatalog(settings, key: key(for: settings), use: .keeping, body)
  }

  /// Opens the catalogue, lends it to `body`, and shuts it down.
  ///
  /// - Parameter witness: Sees the calls that are made; `nil` if nobody wants to know.
  func withCatalog<Result>(
    _ settings: Settings, key: APIKey?, use: DatabaseUse, witness: SessionWitness? = nil,
    _ body: (MovieCatalog) async throws -> Result
  ) async throws -> Result {
    var database = CatalogDatabase.file(settings.database.path)
    if settings.database.exists {
      // It is opened as it is.
    } else if use == .looking {
      database = .inMemory
    } else {
      try settings.database.makeFolder()
    }
    let logger = Logger(label: "matinee") { [errors, clock = surroundings.clock] _ in
      LineLogHandler(level: settings.logLevel, errors: errors, clock: clock)
    }
    var source = settings.upstream.source(key: key)
    var session = surroundings.session
    if let witness {
      source = source.wrappingSession(witness.watching)
      session = session.map(witness.watching)
    }
    return try await MovieCatalog.withCatalog(
      database: database, source: source, session: session,
      clock: surroundings.clock, configuration: settings.catalog, logger: logger, body)
  }
}
