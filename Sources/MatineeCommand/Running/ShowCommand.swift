import ArgumentParser
import CatalogEngine
import Matinee

/// `matinee show`: one chart, from the store or the upstream.
struct ShowCommand: Runnable {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print the chart of a day, a week or a part of one.",
    discussion: """
      Prints what is stored while it is fresh, and asks the upstream otherwise. If that fails, what is stored is \
      printed all the same, and stderr says how old it is and why.

      EXAMPLES:
        matinee show                            yesterday's chart, in Korea
        matinee show 2019-07-08 --weekly        the week of that day
        matinee show yesterday --max-age 15m    nothing older than 15 minutes
        matinee show 20190708 --offline         what is stored of that day
        matinee show --filter korean+diversity  ranks of a part of the films
        matinee show --format csv > chart.csv   the rows, for a spreadsheet
      """)

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

  @Flag(help: "The days before the weekend of the day, Monday to Thursday.")
  var weekdays = false

  @Option(
    help: ArgumentHelp(
      "Count a part of the films alone: korean or foreign, diversity or commercial, area-CODE, joined by +.",
      discussion:
        "It is a chart of its own, with its own ranks. 'list codes --of areas' prints areas' codes.",
      valueName: "filter"),
    transform: BoxOfficeFilter.parsed)
  var filter: BoxOfficeFilter?

  @OptionGroup var reading: ReadingOptions

  @Option(help: ArgumentHelp("How to print it.", valueName: "format"))
  var format = RowFormat.table

  @OptionGroup(title: "Global options") var global: GlobalOptions

  private var day: DayReference? { get throws { try DayReference.parsed(dayText, of: "<day>") } }

  func validate() throws {
    let charts = [("--weekend", weekend), ("--weekly", weekly), ("--weekdays", weekdays)].filter(\.1).map(\.0)
    guard charts.count < 2 else {
      throw ValidationError("\(charts[0]) and \(charts[1]) are two charts; name one")
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let settings = try context.settings(global)
    let period = try self.period(settings.upstream, context: context)
    let filter = self.filter ?? .everything
    let available = settings.upstream.availableDays(at: context.now)
    // What the upstream cannot have is not asked for, and shown all the same if it is stored.
    let isAvailable = available.overlaps(period.day...period.through)
    let policy = isAvailable ? reading.policy : .cacheOnly
    return try await context.withCatalog(settings, policy: policy) { catalog in
      do {
        let reading = try await catalog.read(
          .boxOffice(period.kind, containing: .day(period.day), filter: filter), policy: policy,
          maxAge: self.reading.maxAge)
        try context.print(ChartPresentation(reading: reading), as: format)
        context.warn(of: reading)
      } catch let failure as CatalogFailure where failure.code == .notStored && !isAvailable {
        throw CommandError(
          .usage,
          "\(period.shown(filter)): \(settings.upstream.shown) has charts of \(available.lowerBound) to "
            + "\(available.upperBound), and nothing is stored of it")
      }
      // A refresh that was begun behind the answer is what makes the next one fresh.
      await catalog.waitForRefreshes()
      return .done
    }
  }

  private func period(_ upstream: UpstreamSetting, context: CommandContext) throws -> BoxOfficePeriod {
    let kind: BoxOfficePeriod.Kind = weekend ? .weekend : weekly ? .weekly : weekdays ? .weekdays : .daily
    if let day = try day { return BoxOfficePeriod(kind, containing: day.resolved(at: context.now)) }
    guard upstream == .recorded else {
      return BoxOfficePeriod(kind, containing: DayReference.yesterday.resolved(at: context.now))
    }
    let last = upstream.availableDays(at: context.now).upperBound
    context.errors.notice("no day was named: showing \(last), the last one recorded")
    return BoxOfficePeriod(kind, containing: last)
  }
}
