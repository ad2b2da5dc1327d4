import CatalogEngine
import Glibc
import KOBIS
import Matinee
import SQLiteMovieStore

/// All checks, made one after the other, whatever each comes to.
///
/// First what is known is collected, without changing anything; then each check judges what it is given, which is pure.
/// The one exception is the upstream's check, which makes a call like any read does, and only if it is told to.
struct Checkup {
  private let context: CommandContext
  private let flags: SettingFlags
  private let survey: SettingsSurvey
  private let key: Key
  private let user = geteuid()
  private var now: Timestamp { context.now }
  private var environment: [String: String] { context.surroundings.environment }

  init(_ flags: SettingFlags, in context: CommandContext) {
    self.context = context
    self.flags = flags
    survey = SettingsSurvey(
      flags, environment: context.surroundings.environment, base: context.surroundings.configuration)
    key = Key(in: context.surroundings.environment, file: survey.settings?.keyFile)
    if let taken = key.taken { context.errors.hide(taken) }
  }

  /// Makes all checks.
  ///
  /// - Parameter isOnline: Whether the upstream is to be asked.
  /// - Returns: A result for each of ``CheckResult/Name``, in that order.
  func results(isOnline: Bool) async -> [CheckResult] {
    let database = survey.settings?.database
    let files = database.map { DatabaseChecks.Facts(of: $0.path, user: user) }
    let store = await StoreFacts(of: files, day: ledgerDay, at: now)

    var results = [
      SettingsChecks.configurationFile(survey),
      SettingsChecks.settings(survey, unknown: UnknownVariable.all(in: environment)),
      KeyCheck.result(keyFacts()),
      ClockChecks.clock(at: now, doubt: doubt(store), isLive: isLive),
      ClockChecks.zone(ClockChecks.Zone(environment: environment), at: now),
      LibraryCheck.result(.present),
    ]
    if let database, let files {
      results += placeResults(database)
      results.append(DatabaseChecks.file(files, isOthers: store.isOthers))
      results += storeResults(store, files)
    } else {
      results += Self.withoutDatabase.map { .skipped($0, "no database is named: see settings") }
    }
    results.append(await upstream(isOnline: isOnline, after: results))
    let options = repeatedOptions
    return results.map { options.added(to: $0) }
  }

  /// The options that a remedy's commands take over; one that is refused is not among them, nor is the level of logs.
  private var repeatedOptions: RepeatedOptions {
    let taken = (survey.settings?.effective ?? []).compactMap { setting -> RepeatedOptions.Option? in
      guard case .flag(let name) = setting.origin, let value = flags.texts[setting.setting.key] else {
        return nil
      }
      return RepeatedOptions.Option(name: name, value: value)
    }
    let kept = taken.filter { ["--database", "--upstream"].contains($0.name) }
    let file = flags.configurationFile.map { RepeatedOptions.Option(name: "--config", value: $0) }
    return RepeatedOptions(options: kept + [file].compactMap(\.self))
  }

  /// The checks that nothing can be said of without a database's path.
  private static let withoutDatabase: [CheckResult.Name] = [
    .folder, .fileSystem, .space, .database, .schema, .integrity, .writeAheadLog, .gate, .quota, .breaker,
    .lastSync, .setAside,
  ]

  private var upstreamSetting: UpstreamSetting { survey.settings?.upstream ?? .kobis(.official) }
  private var isLive: Bool { upstreamSetting != .recorded }
  private var quotaPolicy: QuotaPolicy {
    survey.settings?.catalog.quota ?? context.surroundings.configuration.quota
  }
  private var ledgerDay: CalendarDay { quotaPolicy.day(at: now) }

  /// As a sync doubts the clock.
  private func doubt(_ store: StoreFacts) -> ClockRule.Doubt? {
    let figures = store.figures.value
    return ClockRule(plausibleTimes: context.surroundings.plausibleTimes)
      .doubt(at: now, lastSyncAt: figures?.lastRun?.startedAt ?? figures?.newestFetchedAt)
  }
}

// The key.
extension Checkup {
  /// The place that has a key, and what is there.
  private struct Key {
    var place: APIKeySetting.Place?
    var taken: APIKey?
    var refusal: String?

    init(in environment: [String: String], file: APIKeySetting.NamedFile?) {
      place = APIKeySetting.place(in: environment, file: file)
      guard let place else { return }
      do throws(CommandError) {
        taken = try APIKeySetting.key(at: place, in: environment)
      } catch {
        refusal = error.message
      }
    }
  }

  private func keyFacts() -> KeyCheck.Facts {
    var facts = KeyCheck.Facts(
      isWanted: isLive, place: key.place, refusal: key.refusal,
      mayBeNamedElsewhere: survey.settings == nil || survey.fileRefusal != nil, user: user)
    if case .file(let file) = key.place {
      facts.file = FilePresence(at: file.path, followsLinks: true)
      facts.folder = FilePresence(at: file.path.parentFolder, followsLinks: true)
    }
    return facts
  }
}

// The database.
extension Checkup {
  private func placeResults(_ database: DatabaseSetting) -> [CheckResult] {
    let folder = FolderChecks.Facts(of: database, user: user)
    let volume = context.surroundings.volume(folder.ground)
    return [
      FolderChecks.folder(folder), FolderChecks.fileSystem(volume, of: folder.ground),
      FolderChecks.space(volume, of: folder.ground),
    ]
  }

  private func storeResults(_ store: StoreFacts, _ files: DatabaseChecks.Facts) -> [CheckResult] {
    [
      DatabaseChecks.schema(store.identity, at: files.path),
      DatabaseChecks.integrity(store.damage, of: store.identity.value, at: files.path),
      files.presence == .absent
        ? .skipped(.writeAheadLog, "there is no database yet") : DatabaseChecks.log(files),
      files.presence == .absent ? .skipped(.gate, "there is no database yet") : DatabaseChecks.gate(files),
    ] + ledgerResults(store.figures)
  }

  private func ledgerResults(_ look: Look<StoreExamination.Figures>) -> [CheckResult] {
    guard let figures = look.value else {
      return [.quota, .breaker, .lastSync, .setAside].compactMap(look.skipped)
    }
    let samples = "samples are neither rationed nor ever down"
    let quota = StoreSummary.Quota(
      upstream: KOBISSource().upstream, day: ledgerDay, use: figures.quotaUse, policy: quotaPolicy)
    return [
      isLive ? LedgerChecks.quota(quota) : .skipped(.quota, samples),
      isLive
        ? LedgerChecks.breaker(figures.breaker, of: upstreamSetting.shown, at: now)
        : .skipped(.breaker, samples),
      LedgerChecks.lastSync(figures.lastRun, at: now, isLive: isLive),
      LedgerChecks.setAside(figures.setAsideCount),
    ]
  }
}

// The upstream.
extension Checkup {
  private func upstream(isOnline: Bool, after results: [CheckResult]) async -> CheckResult {
    guard isLive else { return .skipped(.upstream, "samples are within the program, and nobody is asked") }
    let shown = upstreamSetting.shown
    let obstacle = results.first { $0.isProblem }
    guard isOnline else {
      return .skipped(
        .upstream, "\(shown) was not asked",
        remedy: (obstacle == nil ? "" : "once nothing else is amiss, ")
          + "`matinee doctor --online` makes one call, of the day's calls")
    }
    // A call by wrong settings or a wrong clock would be charged to the wrong ledger.
    if let obstacle {
      return .skipped(
        .upstream, "\(shown) was not asked, because of the problem with \(obstacle.name.rawValue)",
        remedy: "put that right, and run `matinee doctor --online` again")
    }
    guard let settings = survey.settings, let key = key.taken else {
      return .skipped(.upstream, "\(shown) was not asked, as there is no key")
    }
    let witness = SessionWitness(clock: context.surroundings.clock)
    let outcome = await ask(settings, key, witness)
    return UpstreamCheck.result(
      outcome, exchange: witness.exchange, upstream: shown, address: upstreamSetting.spelled)
  }

  /// Makes one call: for the chart that a sync fetches first, so that it is not made for nothing.
  private func ask(
    _ settings: Settings, _ key: APIKey, _ witness: SessionWitness
  ) async -> UpstreamCheck.Outcome {
    var settings = settings
    settings.catalog.readRetry = .none
    do {
      return try await context.withCatalog(settings, key: key, use: .keeping, witness: witness) { catalog in
        _ = try await catalog.read(.dailyBoxOffice(on: .yesterday), policy: .networkOnly)
        return .answered
      }
    } catch let failure as CatalogFailure {
      return .failed(failure)
    } catch let error as StoreError {
      return .unaccountable(error)
    } catch let error as CommandError {
      return .unaccountable(StoreError(.unreadable, error.message))
    } catch {
      // A task that is cancelled, and nothing else.
      return .failed(CatalogFailure(.transport, "the call was given up"))
    }
  }
}

/// What was seen in the database.
private struct StoreFacts: Sendable {
  var identity: Look<StoreExamination.Identity>
  var damage: Look<[String]> = .barred(by: .schema)
  var figures: Look<StoreExamination.Figures> = .barred(by: .schema)

  /// Looks into a database.
  ///
  /// - Parameters:
  ///   - files: Its files; `nil` if none is named.
  ///   - day: The day of the ledger.
  init(of files: DatabaseChecks.Facts?, day: CalendarDay, at now: Timestamp) async {
    guard let files, DatabaseChecks.obstacle(files) == nil else {
      (identity, damage, figures) = (
        .barred(by: .database), .barred(by: .database), .barred(by: .database)
      )
      return
    }
    guard !files.isEmpty else {
      (identity, damage, figures) = (.absent, .absent, .absent)
      return
    }
    let examination = StoreExamination(of: files.path)
    identity = await Self.look { () throws(StoreError) in try await examination.identity() }
    guard case .own(let version)? = identity.value?.owner else { return }
    damage = await Self.look { () throws(StoreError) in try await examination.damage() }
    guard version == StoreExamination.latestSchemaVersion else {
      if version == 0 { figures = .absent }
      return
    }
    figures = await Self.look { () throws(StoreError) in
      try await examination.figures(of: KOBISSource().upstream, on: day, at: now)
    }
  }

  /// Whether what is there is known not to be matinee's.
  var isOthers: Bool {
    switch identity {
    case .failed(let error): error.code == .notADatabase
    case .seen(let identity): if case .foreign = identity.owner { true } else { false }
    case .absent, .barred, .unsettled: false
    }
  }

  private static func look<Value: Sendable>(
    _ examine: () async throws(StoreError) -> Value?
  ) async -> Look<Value> {
    do throws(StoreError) {
      guard let value = try await examine() else { return .unsettled }
      return .seen(value)
    } catch {
      return .failed(error)
    }
  }
}
