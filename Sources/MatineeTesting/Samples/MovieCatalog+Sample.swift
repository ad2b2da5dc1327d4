public import CatalogEngine
public import Foundation
public import HTTPTransport
import KOBIS
import Matinee

/// Where a catalogue for a test keeps what it has.
public enum SampleStorage: Hashable, Sendable {
  /// Memory: nothing is left behind.
  case inMemory
  /// A SQLite file in a new folder of its own under `parent`, removed with all that lies beside it when the test is
  /// done; for tests of what a file does, such as being opened twice.
  case temporaryFile(in: URL = FileManager.default.temporaryDirectory)
}

extension MovieCatalog {
  /// Lends `body` a working catalogue without a network, a fake, filled with the charts of `days`.
  ///
  /// ```swift
  /// let clock = ManualClock(inKorea: day.next)
  /// try await MovieCatalog.withSample(days: day...day, clock: clock) { catalog in
  ///   let chart = try await catalog.read(.dailyBoxOffice(on: .day(day)), policy: .cacheOnly)
  /// }
  /// ```
  /// The catalogue is shut down and its file removed however `body` ends.
  ///
  /// - Parameters:
  ///   - storage: Where it keeps what it has.
  ///   - days: The days whose charts are read from the upstream first; `nil` for an empty catalogue. A chart that was
  ///     filled in is read with ``ReadPolicy/cacheOnly``.
  ///   - kinds: The kinds of chart that are filled in, each for the spans that `days` touch.
  ///   - upstream: What is asked, then and later; a ``KOBISSimulator`` with the clock's time if not given. It stays its
  ///     owner's.
  ///   - clock: What time it is.
  ///   - configuration: Lifetimes and limits.
  /// - Throws: ``CatalogFailure`` if a chart could not be filled in, such as one of a day that has not passed;
  ///   ``StoreError``; an error of the file system; and what `body` throws.
  public static func withSample<Result>(
    in storage: SampleStorage = .inMemory, days: ClosedRange<CalendarDay>? = nil,
    kinds: Set<BoxOfficePeriod.Kind> = [.daily], upstream: (any HTTPSession)? = nil,
    clock: any CatalogClock = SystemClock(), configuration: CatalogConfiguration = CatalogConfiguration(),
    _ body: (MovieCatalog) async throws -> Result
  ) async throws -> Result {
    let session = upstream ?? KOBISSimulator(now: { clock.wallTime })
    let key = try APIKey("0123456789abcdef0123456789abcdef")
    let folder = try storage.makeFolder()
    defer { if let folder { try? FileManager.default.removeItem(at: folder) } }
    let database: CatalogDatabase =
      folder.map { .file($0.appending(path: "catalog.db").path) } ?? .inMemory
    return try await withCatalog(
      database: database, source: .kobis(key: key), session: session, clock: clock,
      configuration: configuration
    ) { catalog in
      if let days { try await catalog.fill(days, kinds) }
      return try await body(catalog)
    }
  }

  private func fill(_ days: ClosedRange<CalendarDay>, _ kinds: Set<BoxOfficePeriod.Kind>) async throws {
    for kind in kinds.sorted(by: { $0.rawValue < $1.rawValue }) {
      var last: BoxOfficePeriod?
      var day = days.lowerBound
      while day <= days.upperBound {
        let period = BoxOfficePeriod(kind, containing: day)
        if period != last {
          _ = try await read(.boxOffice(kind, containing: .day(day)), policy: .networkOnly)
        }
        last = period
        day = day.advanced(by: 1)
      }
    }
  }
}

extension SampleStorage {
  /// Makes the folder that is its alone; `nil` if it needs none.
  fileprivate func makeFolder() throws -> URL? {
    guard case .temporaryFile(let parent) = self else { return nil }
    let folder = parent.appending(path: "matinee-sample-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return folder
  }
}
