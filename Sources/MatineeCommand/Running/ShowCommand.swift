import ArgumentParser
import CatalogEngine
import Matinee

/// `matinee show`: one chart, from the store or the upstream.
struct ShowCommand: Runnable {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print the chart of a day, a week or a weekend.",
    discussion: """
      Prints what is stored while it is fresh, and asks the upstream otherwise. If that fails, what is stored is \
      printed all the same, and stderr says how old it is and why.

      EXAMPLES:
        matinee show                           yesterday's chart, in Korea
        matinee show 2019-07-08 --weekly       the week of that day
        matinee show yesterday --max-age 15m   nothing older than 15 minutes
        matinee show 20190708 --offline        what is stored of that day
        matinee show --format csv > chart.csv  the rows, for a spreadsheet
      """)

  /// Whom to ask first, by the names that `--policy` takes.
  enum Policy: String, CaseIterable, ExpressibleByArgument {
    case cacheFirst = "cache-first"
    case networkFirst = "network-first"
    case cacheOnly = "cache-only"
    case networkOnly = "network-only"

    var readPolicy: ReadPolicy {
      switch self {
      case .cacheFirst: .cacheFirst
      case .networkFirst: .networkFirst
      case .cacheOnly: .cacheOnly
      case .networkOnly: .networkOnly
      }
    }
  }

  @Argument(
    help: ArgumentHelp(
      "The day in Korea: YYYY-MM-DD, YYYYMMDD or yesterday.",
      discussion: "Default: yesterday, or the last recorded day of '--upstream recorded'. Any day of a week "
        + "means that week.", valueName: "day"),
    completion: .list(DayReference.names))
  var dayText: String?

  @Flag(help: "The weekend of the day, Friday to Sunday.")
  var weekend = false

  @Flag(help: "The week of the day, Monday to Sunday.")
  var weekly = false

  @Option(
    help: ArgumentHelp("Whom to ask first.", valueName: "policy"))
  var policy: Policy?

  @Option(
    help: ArgumentHelp("The greatest age to accept, as 90s, 15m, 1h or 7d.", valueName: "duration"),
    transform: Duration.parsed)
  var maxAge: Duration?

  @Flag(help: "Ask the store alone, as '--policy cache-only' does.")
  var offline = false

  @Option(help: ArgumentHelp("How to print it.", valueName: "format"))
  var format = RowFormat.table

  @OptionGroup(title: "Global options") var global: GlobalOptions

  private var day: DayReference? { get throws { try DayReference.parsed(dayText, of: "<day>") } }

  func validate() throws {
    if weekend && weekly { throw ValidationError("--weekend and --weekly are two charts; name one") }
    if offline, let policy, policy != .cacheOnly {
      throw ValidationError("--offline is --policy cache-only, and contradicts --policy \(policy.rawValue)")
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let settings = try context.settings(global)
    let period = try self.period(settings.upstream, context: context)
    let available = settings.upstream.availableDays(at: context.now)
    // What the upstream cannot have is not asked for, and shown all the same if it is stored.
    let isAvailable = available.overlaps(period.day...period.through)
    let policy = offline || !isAvailable ? .cacheOnly : self.policy?.readPolicy ?? .cacheFirst
    let key = policy == .cacheOnly ? nil : try context.key(for: settings.upstream)
    return try await context.withCatalog(
      settings, key: key, use: policy == .cacheOnly ? .looking : .keeping
    ) { catalog in
      do {
        let reading = try await catalog.read(
          .boxOffice(period.kind, containing: .day(period.day)), policy: policy, maxAge: maxAge)
        try show(reading, in: context)
      } catch let failure as CatalogFailure where failure.code == .notStored && !isAvailable {
        throw CommandError(
          .usage,
          "\(period.shown): \(settings.upstream.shown) has charts of \(available.lowerBound) to "
            + "\(available.upperBound), and nothing is stored of it")
      }
      // A refresh that was begun behind the answer is what makes the next one fresh.
      await catalog.waitForRefreshes()
      return .done
    }
  }

  private func period(_ upstream: UpstreamSetting, context: CommandContext) throws -> BoxOfficePeriod {
    let kind: BoxOfficePeriod.Kind = weekend ? .weekend : weekly ? .weekly : .daily
    if let day = try day { return BoxOfficePeriod(kind, containing: day.resolved(at: context.now)) }
    guard upstream == .recorded else {
      return BoxOfficePeriod(kind, containing: DayReference.yesterday.resolved(at: context.now))
    }
    let last = upstream.availableDays(at: context.now).upperBound
    context.errors.notice("no day was named: showing \(last), the last one recorded")
    return BoxOfficePeriod(kind, containing: last)
  }

  private func show(_ reading: Reading<BoxOffice>, in context: CommandContext) throws(OutputError) {
    let presentation = ChartPresentation(reading: reading)
    switch format {
    case .table: try context.print(presentation.table(width: context.columnCount, style: context.style))
    case .json: try context.print(presentation.json())
    case .csv: try context.print(presentation.csv())
    }
    for warning in ReadingProvenance(reading).warnings { context.errors.notice(warning) }
  }
}
