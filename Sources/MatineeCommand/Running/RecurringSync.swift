import CatalogEngine

/// `matinee sync --every`: a sync at once, and then one at each instant of a schedule, until asked to end.
///
/// A sync that fails does not end it, as the next one may do better; what needs a person first does, so that whoever
/// watches over the process learns of it.
struct RecurringSync: Sendable {
  let schedule: SyncSchedule
  let context: CommandContext
  /// One sync, which tells what it did; `nil`, or `OutputError.closed`, if nobody listens any more.
  let sync: @Sendable () async throws -> SyncReport?

  /// The longest sleep at a time. A sleep is measured by another clock than the one that says what time it is, so after
  /// this long at the latest the time is looked at again: a clock that was set, or a machine that slept, delays a sync
  /// by no more.
  static let napMax: Duration = .seconds(60)

  /// Syncs until the task is cancelled or no later sync could do better.
  func run() async throws -> ExitStatus {
    var served: Timestamp?
    while true {
      let end = try await performOnce(isFirst: served == nil)
      guard !Task.isCancelled else { return .stoppedEarly }
      if let end {
        context.errors.notice("no later sync can do better until that is mended; ending")
        return end
      }
      do {
        served = try await waitForInstant(served: served)
      } catch {
        return .stoppedEarly
      }
    }
  }

  /// Syncs once.
  ///
  /// - Parameter isFirst: Whether nothing was synced before, so that what is refused was never right.
  /// - Returns: What to end with; `nil` to go on.
  private func performOnce(isFirst: Bool) async throws -> ExitStatus? {
    do {
      guard let report = try await sync() else { throw OutputError.closed }
      return Self.isLasting(report) ? ExitStatus(report) : nil
    } catch  where Task.isCancelled {
      return .stoppedEarly
    } catch OutputError.closed {
      context.errors.notice("standard output is closed: nobody reads what is told there")
      return .stoppedEarly
    } catch let error as StoreError where !Self.isLasting(error) {
      context.errors.notice("the database: \(error)")
      return nil
    } catch let error as CommandError
      where error.status == .usage || error.status == .configuration && !isFirst
    {
      // The arguments and the clock made sense at the start: it is the clock that has been set to where they do not.
      context.errors.notice(error.message)
      return nil
    }
  }

  /// Waits for the schedule's next instant.
  ///
  /// - Returns: The instant that has come; the last of them, if the clock went past several.
  /// - Throws: `CancellationError` if the task is cancelled.
  private func waitForInstant(served: Timestamp?) async throws -> Timestamp {
    let clock = context.surroundings.clock
    var due = schedule.next(after: clock.wallTime, served: served)
    tell(due)
    while true {
      let now = clock.wallTime
      guard now < due else { return due }
      let next = schedule.next(after: now, served: served)
      if next < due {
        due = next
        tell(due)
      }
      try await clock.sleep(for: min(Self.napMax, due.duration(since: now)))
    }
  }

  private func tell(_ due: Timestamp) {
    let wait = due.duration(since: context.now).spoken
    context.errors.notice("the next sync is at \(due), \(due.shownInKorea) in Korea, in \(wait)")
  }

  /// Whether what stopped a sync stops the next one just the same.
  private static func isLasting(_ report: SyncReport) -> Bool {
    switch report.stoppedBecause {
    case .keyMissing?, .keyRefused?: true
    case .storage?: report.storeError.map(isLasting) ?? false
    default: false
    }
  }

  /// Whether a database stays as useless as it is unless somebody sees to it. A full disk, another writer and a failure
  /// to read pass.
  private static func isLasting(_ error: StoreError) -> Bool {
    switch error.code {
    case .unreadable, .notADatabase, .foreign, .newer, .corrupt, .readOnly: true
    default: false
    }
  }
}
