import CatalogEngine
import Foundation
import HTTPTransport
import MatineeTesting
import Testing

@Suite struct `When a test borrows a catalogue` {
  let day: CalendarDay
  let now: Timestamp

  init() throws {
    day = try #require(CalendarDay(year: 2019, month: 7, day: 13))
    now = day.advanced(by: 30).startInKorea
  }

  private var clock: FixedClock { FixedClock(wallTime: now) }

  @Test(arguments: [SampleStorage.inMemory, .temporaryFile()])
  func `the days it was filled with are read without the upstream`(storage: SampleStorage) async throws {
    let upstream = KOBISSimulator(now: { [now] in now })
    try await MovieCatalog.withSample(
      in: storage, days: day...day.advanced(by: 2), upstream: upstream, clock: clock
    ) { catalog in
      #expect(upstream.callCount == 3)
      for offset in 0...2 {
        let day = day.advanced(by: offset)
        let reading = try await catalog.read(.dailyBoxOffice(on: .day(day)), policy: .cacheOnly)
        #expect(reading.value == upstream.chart(of: .daily(day)))
      }
      #expect(upstream.callCount == 3)
    }
  }

  @Test func `a week and a weekend are filled once for all their days`() async throws {
    let upstream = KOBISSimulator(now: { [now] in now })
    let monday = day.advanced(by: -5)
    try await MovieCatalog.withSample(
      days: monday...monday.advanced(by: 6), kinds: [.weekly, .weekend], upstream: upstream, clock: clock
    ) { catalog in
      #expect(upstream.callCount == 2)
      let week = try await catalog.read(.weeklyBoxOffice(containing: .day(day)), policy: .cacheOnly)
      #expect(week.value == upstream.chart(of: .weekly(containing: day)))
    }
  }

  @Test func `nothing but the days asked for is in it`() async throws {
    try await MovieCatalog.withSample(days: day...day, clock: clock) { catalog in
      let failure = await #expect(throws: CatalogFailure.self) {
        try await catalog.read(.dailyBoxOffice(on: .day(day.advanced(by: 1))), policy: .cacheOnly)
      }
      #expect(failure?.code == .notStored)
    }
  }

  @Test func `its file is there meanwhile and gone afterwards, also when the test throws`() async throws {
    struct Thrown: Error {}
    let parent = FileManager.default.temporaryDirectory.appending(path: "sample-tests-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: parent) }
    func files() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: parent.path)
    }
    await #expect(throws: Thrown.self) {
      try await MovieCatalog.withSample(in: .temporaryFile(in: parent), days: day...day, clock: clock) { _ in
        #expect(try files().contains { $0.hasSuffix("/catalog.db") })
        throw Thrown()
      }
    }
    #expect(try files().isEmpty)
  }

  @Test func `the samples of a week and a weekend are those of their periods`() {
    #expect(BoxOffice.sample(weekContaining: day).period == .weekly(containing: day))
    #expect(BoxOffice.sample(weekendContaining: day) == .sample(of: .weekend(containing: day)))
    #expect(BoxOffice.sample(weekContaining: day).entries.count == 10)
  }
}

/// A clock that stands.
private struct FixedClock: CatalogClock {
  let wallTime: Timestamp
  func sleep(for duration: Duration) async throws {}
}
