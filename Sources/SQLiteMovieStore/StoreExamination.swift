package import CatalogEngine
import MovieMigrations
import SQLiteBinding

/// A look at a store's file by whoever wants to know how it is, whatever it turns out to be.
///
/// Nothing is changed for it: the file is neither migrated nor written, and nothing is made beside it, but for the index
/// of a log that holds something, which SQLite cannot be without. Nobody is waited for and no gate is taken; a file that
/// others write to is looked at all the same. Each look opens the file anew and closes it.
///
/// A look gives `nil` for a file that is empty or absent, whose rollback journal holds the truth, or that kept changing.
package struct StoreExamination: Sendable {
  /// Whose the file is.
  package enum Owner: Hashable, Sendable {
    /// This application's, with a schema of this version; 0 for one that has none yet.
    case own(schemaVersion: Int)
    /// This application's, with a schema that this build does not know.
    case newer(schemaVersion: Int)
    /// Another application's.
    case foreign(applicationID: Int32)
  }

  /// What the file says of itself.
  package struct Identity: Hashable, Sendable {
    package var owner: Owner
    /// The size of the database, without its log.
    package var byteCount: Int64

    package init(owner: Owner, byteCount: Int64) {
      self.owner = owner
      self.byteCount = byteCount
    }
  }

  /// What the store's rows say of calls and syncs.
  package struct Figures: Hashable, Sendable {
    /// The latest sync; `nil` if there was none.
    package var lastRun: StoreSummary.Run?
    /// When the newest answer was fetched; `nil` if none is stored.
    package var newestFetchedAt: Timestamp?
    /// The calls of the day.
    package var quotaUse: QuotaUse
    package var breaker: BreakerState
    /// How many resources syncs leave alone for a while.
    package var setAsideCount: Int

    package init(
      lastRun: StoreSummary.Run? = nil, newestFetchedAt: Timestamp? = nil, quotaUse: QuotaUse = QuotaUse(),
      breaker: BreakerState = BreakerState(), setAsideCount: Int = 0
    ) {
      self.lastRun = lastRun
      self.newestFetchedAt = newestFetchedAt
      self.quotaUse = quotaUse
      self.breaker = breaker
      self.setAsideCount = setAsideCount
    }
  }

  /// The version of this build's schema.
  package static var latestSchemaVersion: Int { Migrator.movies.latestVersion }

  private let reader: FileReader

  package init(of path: String) { reader = FileReader(path: path) }

  /// Whose the file is, and how large.
  ///
  /// - Throws: ``StoreError``: `unreadable`, `notADatabase`, `corrupt` and the like.
  package func identity() async throws(StoreError) -> Identity? {
    try await look { connection throws(SQLiteError) in
      let header = try connection.header()
      let owner: Owner
      do throws(SQLiteError) {
        owner = .own(schemaVersion: try Migrator.movies.check(connection))
      } catch  where error.code == .foreignDatabase {
        owner = .foreign(applicationID: header.applicationID)
      } catch  where error.code == .newerSchema {
        owner = .newer(schemaVersion: header.userVersion)
      } catch {
        throw error
      }
      return Identity(owner: owner, byteCount: Int64(header.pageCount) * Int64(header.pageSize))
    }
  }

  /// The most findings of each kind that ``damage()`` gives.
  package static let findingCountMax = 100

  /// What is wrong with the file's structure and with rows that refer to others, as SQLite words it; empty when all is
  /// well. The whole file is read.
  ///
  /// - Throws: ``StoreError`` where it cannot even be looked for.
  package func damage() async throws(StoreError) -> [String]? {
    try await look { connection throws(SQLiteError) in
      do throws(SQLiteError) {
        return try connection.transaction(.deferred) { () throws(SQLiteError) in
          // The number that SQLite stops at is the binding's, and the same.
          try connection.integrityCheck() + connection.foreignKeyViolations(limit: Self.findingCountMax)
        }
      } catch  where error.code.primary == .corrupt {
        // Too damaged to be read through.
        return [error.message]
      } catch {
        throw error
      }
    }
  }

  /// What the rows say; only of a file of this build's schema.
  ///
  /// - Parameters:
  ///   - upstream: Of which upstream.
  ///   - day: The day of its ledger.
  ///   - now: The time by which a resource is set aside or no longer.
  /// - Throws: ``StoreError``.
  package func figures(
    of upstream: UpstreamID, on day: CalendarDay, at now: Timestamp
  ) async throws(StoreError) -> Figures? {
    let result = try await look { connection throws(SQLiteError) in
      try connection.transaction(.deferred) { () throws(SQLiteError) -> Result<Figures, StoreError> in
        do throws(StoreError) {
          return .success(try connection.figures(of: upstream, on: day, at: now))
        } catch {
          return .failure(error)
        }
      }
    }
    return try result?.get()
  }

  private func look<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws(SQLiteError) -> Value
  ) async throws(StoreError) -> Value? {
    do throws(SQLiteError) { return try await reader.look(body) } catch { throw StoreError(error) }
  }
}

extension StoreExamination {
  /// The system's SQLite, which every store is kept by.
  package struct Library: Hashable, Sendable {
    /// Its version, as `3.40.1`.
    package var version: String
    /// Why nothing can be done with it; `nil` if it is all that it must be.
    package var refusal: String?
    /// Whether it can lose a commit when a checkpoint races a writer of another process, which the write gate keeps
    /// from happening.
    package var hasWALResetBug: Bool

    package init(version: String, refusal: String? = nil, hasWALResetBug: Bool) {
      self.version = version
      self.refusal = refusal
      self.hasWALResetBug = hasWALResetBug
    }

    /// The one that is loaded.
    package static var present: Library {
      Library(
        version: SQLiteLibrary.version, refusal: SQLiteLibrary.refusal?.message,
        hasWALResetBug: SQLiteLibrary.hasWALResetBug)
    }
  }
}

extension Connection {
  fileprivate func figures(
    of upstream: UpstreamID, on day: CalendarDay, at now: Timestamp
  ) throws(StoreError) -> StoreExamination.Figures {
    let newestFetchedAt = try firstRow(
      "SELECT max(fetched_at) FROM resource WHERE upstream = ?1", [.text(upstream.name)]
    ) { row throws(SQLiteError) in try row.optionalTimestamp(at: 0) }
    let setAsideCount = try firstRow(
      "SELECT count(*) FROM resource WHERE upstream = ?1 AND set_aside_until > ?2",
      [.text(upstream.name), .instant(now)]
    ) { row throws(SQLiteError) in try row.int(at: 0) }
    return StoreExamination.Figures(
      lastRun: try runs(limit: 1).first, newestFetchedAt: newestFetchedAt ?? nil,
      quotaUse: try quotaUse(of: upstream, on: day), breaker: try breaker(of: upstream),
      setAsideCount: setAsideCount ?? 0)
  }
}
