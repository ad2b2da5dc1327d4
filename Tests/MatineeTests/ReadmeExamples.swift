// What README.md shows, compiled; ReadmeTests holds the two together.

import HTTPSessionTesting
import Matinee
import MatineeTesting

// example
func printYesterday(key: String) async throws {
  let catalog = try await MovieCatalog.open(database: .file("movies.db"), source: .kobis(key: key))
  let chart = try await catalog.read(.dailyBoxOffice(on: .yesterday))
  for entry in chart.value.entries {
    print(entry.position, entry.title, entry.audience)
  }
  if let failure = chart.servedBecause {
    print("from the cache, \(chart.age) old, because: \(failure)")
  }
  await catalog.shutdown()
}
// end

// example
func syncLastWeek(into catalog: MovieCatalog) async -> SyncReport {
  let last = catalog.availableDays.upperBound
  let request = SyncRequest(days: last.advanced(by: -6)...last)
  return await SyncEngine(catalog).run(request) { event in
    print(event.resource, event.outcome)
  }
}
// end

// example
func offlineChart() async throws -> Reading<BoxOffice> {
  let day = RecordedSession.recordedDays.lowerBound
  let clock = ManualClock(inKorea: day.advanced(by: 10))
  let offline = StubSession(Stub(.any, .failure(.offline)).repeatingLast())
  return try await MovieCatalog.withCatalog(
    database: .inMemory, source: .kobis(key: "not-a-real-key"), session: offline, clock: clock
  ) { catalog in
    try await catalog.read(.dailyBoxOffice(on: .day(day)))  // throws a CatalogFailure of code `offline`
  }
}
// end
