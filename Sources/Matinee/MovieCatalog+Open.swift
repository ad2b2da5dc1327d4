public import CatalogEngine
public import CoreMetrics
public import HTTPTransport
public import Logging
public import SQLiteMovieStore

extension MovieCatalog {
  /// Opens a catalogue over a SQLite store and an upstream, in one call.
  ///
  /// ```swift
  /// let catalog = try await MovieCatalog.open(database: .file("movies.db"), source: .kobis(key: key))
  /// let chart = try await catalog.read(.dailyBoxOffice(on: .yesterday))
  /// await catalog.shutdown()
  /// ```
  ///
  /// - Parameters:
  ///   - database: Where to keep what is learned.
  ///   - source: What to ask.
  ///   - session: What carries the calls; the source's own if not given. An injected session stays its owner's.
  ///   - clock: What time it is; the machine's if not given.
  ///   - configuration: Lifetimes and limits.
  ///   - logger: Where notices go.
  ///   - metrics: What makes the metrics that are reported; the process's own if not given.
  /// - Throws: ``StoreError`` if the database cannot be opened; the file is then as it was.
  public static func open(
    database: CatalogDatabase, source: CatalogSource, session: (any HTTPSession)? = nil,
    clock: any CatalogClock = SystemClock(), configuration: CatalogConfiguration = CatalogConfiguration(),
    logger: Logger = Logger(label: "matinee"), metrics: any MetricsFactory = MetricsSystem.factory
  ) async throws -> MovieCatalog {
    let store = try await SQLiteMovieStore(database)
    if let session {
      return MovieCatalog(
        store: store, source: source.source, session: session, clock: clock, configuration: configuration,
        logger: logger, metrics: metrics)
    }
    let own = source.makeSession()
    return MovieCatalog(
      store: store, source: source.source, session: own.session, clock: clock, configuration: configuration,
      logger: logger, metrics: metrics, onShutdown: own.shutdown)
  }

  /// Opens a catalogue as ``open(database:source:session:clock:configuration:logger:metrics:)`` does, for callers that have no
  /// async context.
  ///
  /// - Parameter completion: Called exactly once, with the catalogue or the ``StoreError``.
  public static func open(
    database: CatalogDatabase, source: CatalogSource, session: (any HTTPSession)? = nil,
    clock: any CatalogClock = SystemClock(), configuration: CatalogConfiguration = CatalogConfiguration(),
    logger: Logger = Logger(label: "matinee"), metrics: any MetricsFactory = MetricsSystem.factory,
    completion: @escaping @Sendable (Result<MovieCatalog, any Error>) -> Void
  ) {
    Task { @concurrent in
      do {
        let catalog = try await open(
          database: database, source: source, session: session, clock: clock, configuration: configuration,
          logger: logger, metrics: metrics)
        completion(.success(catalog))
      } catch {
        completion(.failure(error))
      }
    }
  }

  /// Opens a catalogue, lends it to `body`, and shuts it down however that ends.
  ///
  /// - Throws: What ``open(database:source:session:clock:configuration:logger:metrics:)`` and `body` throw.
  public static func withCatalog<Result>(
    database: CatalogDatabase, source: CatalogSource, session: (any HTTPSession)? = nil,
    clock: any CatalogClock = SystemClock(), configuration: CatalogConfiguration = CatalogConfiguration(),
    logger: Logger = Logger(label: "matinee"), metrics: any MetricsFactory = MetricsSystem.factory,
    _ body: (MovieCatalog) async throws -> Result
  ) async throws -> Result {
    let catalog = try await open(
      database: database, source: source, session: session, clock: clock, configuration: configuration,
      logger: logger, metrics: metrics)
    do {
      let result = try await body(catalog)
      await catalog.shutdown()
      return result
    } catch {
      await catalog.shutdown()
      throw error
    }
  }
}
