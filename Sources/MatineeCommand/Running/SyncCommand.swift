import ArgumentParser
import CatalogEngine
import KOBIS
import Matinee

/// `matinee sync`: brings the database up to date, all of it or the days and streams that are named.
struct SyncCommand: Runnable {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Fetch what is missing or no longer fresh, and keep it.",
    discussion: """
      Unless told otherwise it covers everything the upstream has, newest first: yesterday's charts, recent ones \
      that may have been corrected, details of new movies, codes, gaps, then older charts back to the upstream's \
      first day, and the lists of movies, companies and people. It stops when the day's calls are used up, with \
      everything saved; running it again goes on where it stopped. What is fresh is left alone, and a call that \
      fails leaves what is stored as it is.

      EXAMPLES:
        matinee sync --upstream recorded       a week of samples: no key, no network
        matinee sync                           all that is due, newest first
        matinee sync --days 7                  the last seven days
        matinee sync --from 2019-07-01 --to 2019-07-31 --only daily,weekend
        matinee sync --budget 1000             a thousand calls; again to go on
        matinee sync --only daily:korean       the charts of Korean films
        matinee sync --every 1h                at once, and each hour until stopped
        matinee sync --dry-run                 what it would fetch
        matinee sync --format ndjson           a line for each resource once stored
      """)

  @Option(
    help: ArgumentHelp("The first day: YYYY-MM-DD, YYYYMMDD or yesterday.", valueName: "day"),
    completion: .list(DayReference.names), transform: DayReference.parsed)
  var from: DayReference?

  @Option(
    help: ArgumentHelp("The last day; default: the last that the upstream has.", valueName: "day"),
    completion: .list(DayReference.names), transform: DayReference.parsed)
  var to: DayReference?

  @Option(
    help: ArgumentHelp("How many days to cover, the last of them included.", valueName: "n"))
  var days: Int?

  @Option(
    help: onlyHelp, completion: .list(SyncRequest.Stream.unfiltered.map(\.name)),
    transform: Set<SyncRequest.Stream>.parsed)
  var only: Set<SyncRequest.Stream>?

  @Option(help: budgetHelp)
  var budget: Int?

  @Option(help: everyHelp, transform: Duration.parsed)
  var every: Duration?

  @Flag(help: "Sync once, whatever is set in place of --every.")
  var once = false

  @Flag(help: "Print what would be fetched, and ask nobody; an older schema is brought up to date first.")
  var dryRun = false

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: "Wait while another sync is at work on the database, or leave at once with 75.")
  var wait = true

  @Flag(help: "Sync although the machine's clock seems to be wrong.")
  var trustClock = false

  @Option(
    help: ArgumentHelp(
      "How to tell what was done; json is the summary alone, ndjson a line for each resource and the summary.",
      valueName: "format"))
  var format = SyncFormat.table

  @OptionGroup(title: "Global options") var global: GlobalOptions

  private static let onlyHelp = KnownSettings.syncOnly.description.help(
    valueName: "streams",
    detail:
      "Parted by commas: daily, weekly, weekend, weekdays, details, codes, movies, companies, people; a chart of a "
      + "part as daily:korean, weekend:foreign+diversity, daily:area-0105001.")
  private static let everyHelp = KnownSettings.syncEvery.description.help(
    valueName: "duration",
    detail:
      "Counted from 07:00 in Korea: 15m, 6h, 1d. A run that fails is told, and the next one tries again; "
      + "--budget is of each run.")
  private static let budgetHelp = KnownSettings.syncBudget.description.help(valueName: "calls")

  /// How many days a sync covers that is told its last day alone.
  static let dayCountDefault = 7

  func validate() throws {
    if days != nil && (from != nil || to != nil) {
      throw ValidationError("--days counts back from the last day; name either it or --from and --to")
    }
    if let days, days < 1 { throw ValidationError("--days must be at least 1, not \(days)") }
    if let every, every < SyncSchedule.intervalMin {
      throw ValidationError("--every must be at least 1m, not \(every.wholeSeconds)s")
    }
    if every != nil && once { throw ValidationError("--once contradicts --every; name one") }
    if every != nil && dryRun { throw ValidationError("--dry-run prints one plan, and has no --every") }
    if let budget, budget < 1 { throw ValidationError("--budget must be at least 1 call, not \(budget)") }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let settings = try context.settings(flags)
    let clockRule = clockRule(for: settings.upstream, in: context)
    // Before the days are computed, which a wrong clock makes nonsense of.
    try clockRule?.check(at: context.now)
    let request = try request(settings, at: context.now)
    if settings.upstream == .recorded {
      let days = settings.upstream.availableDays(at: context.now)
      context.errors.notice(
        "these are recorded samples of KOBIS, \(days.lowerBound) to \(days.upperBound), and no live data")
    }
    guard !dryRun else {
      return try await printPlan(of: request, settings: settings, clockRule: clockRule, in: context)
    }
    let key = try context.key(for: settings)
    guard key != nil || settings.upstream == .recorded else {
      throw CommandError(
        .configuration,
        "a sync needs the API key that kobis.or.kr issues: set \(APIKeySetting.variable), or "
          + "\(APIKeySetting.fileVariable) to a file that holds it; or try --upstream recorded")
    }
    if let interval = settings.sync.interval, !once {
      return try await repeated(every: interval, settings: settings, key: key, in: context)
    }
    return try await context.withCatalog(settings, key: key, use: .keeping) { catalog in
      try await clockRule?.check(at: context.now, against: catalog)
      return try await SyncPerformance(request: request, format: format, context: context).run(in: catalog)
    }
  }

  /// What the options say of settings.
  var flags: SettingFlags {
    var flags = global.flags
    flags.set(KnownSettings.syncOnly, to: only)
    flags.set(KnownSettings.syncBudget, to: budget)
    flags.set(KnownSettings.syncEvery, to: every)
    return flags
  }

  /// Syncs again and again. Each run resolves its days and opens the database anew, as a command of its own would.
  private func repeated(
    every interval: Duration, settings: Settings, key: APIKey?, in context: CommandContext
  ) async throws -> ExitStatus {
    let clockRule = clockRule(for: settings.upstream, in: context)
    let recurring = RecurringSync(schedule: SyncSchedule(every: interval), context: context) {
      try clockRule?.check(at: context.now)
      let request = try request(settings, at: context.now)
      return try await context.withCatalog(settings, key: key, use: .keeping) { catalog in
        try await clockRule?.check(at: context.now, against: catalog)
        return try await SyncPerformance(
          request: request, format: format, context: context, isRecurring: true
        )
        .perform(in: catalog)
      }
    }
    return try await context.interruptible { try await recurring.run() }
  }

  private func request(_ settings: Settings, at now: Timestamp) throws(CommandError) -> SyncRequest {
    SyncRequest(
      days: try days(settings.upstream, at: now), streams: settings.sync.streams,
      callBudget: settings.sync.callBudget, concurrentCallCountMax: settings.sync.concurrentCallCountMax,
      waitsForOtherSync: wait)
  }

  /// How the clock is checked; `nil` if it is not: samples are the same in all years.
  private func clockRule(for upstream: UpstreamSetting, in context: CommandContext) -> ClockRule? {
    guard upstream != .recorded, !trustClock else { return nil }
    return ClockRule(plausibleTimes: context.surroundings.plausibleTimes)
  }

  private func printPlan(
    of request: SyncRequest, settings: Settings, clockRule: ClockRule?, in context: CommandContext
  ) async throws -> ExitStatus {
    let plan = try await context.withCatalog(settings, key: nil, use: .looking) { catalog in
      try await clockRule?.check(at: context.now, against: catalog)
      return try await SyncEngine(catalog).plan(request)
    }
    let presentation = PlanPresentation(
      plan: plan, days: request.days ?? settings.upstream.availableDays(at: context.now))
    switch format {
    case .table: try context.print(presentation.table(width: context.columnCount, style: context.style))
    case .json: try context.print(presentation.json())
    case .ndjson: try context.print(presentation.lines())
    }
    return .done
  }

  /// The days that are meant, all of them within what the upstream can have; `nil` for everything it has.
  func days(
    _ upstream: UpstreamSetting, at now: Timestamp
  ) throws(CommandError) -> ClosedRange<CalendarDay>? {
    if from == nil && to == nil && days == nil { return nil }
    let available = upstream.availableDays(at: now)
    let last = to?.resolved(at: now) ?? available.upperBound
    var first = last.advanced(by: 1 - (days ?? Self.dayCountDefault))
    if let from {
      first = from.resolved(at: now)
    } else if days == nil {
      first = max(first, available.lowerBound)
    }
    guard first <= last || (from == nil && last < available.lowerBound) else {
      throw CommandError(
        .usage, "--from \(first) comes after \(to == nil ? "the last day" : "--to"), \(last)")
    }
    for day in from == nil ? [last, first] : [first, last] where !available.contains(day) {
      throw CommandError(
        .usage,
        "\(day) is no day that \(upstream.shown) has charts of: those are \(available.lowerBound) to "
          + "\(available.upperBound)")
    }
    return first...last
  }
}
