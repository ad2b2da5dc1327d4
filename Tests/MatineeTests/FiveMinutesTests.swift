import HTTPSessionTesting
import Matinee
import MatineeTesting
import Testing

/// The part of "Test your networking code in five minutes" that has movies in it.
@Suite struct `Five minutes with a simulated upstream` {
  // snippet
  @Test func `a catalogue goes on without the upstream that fed it`() async throws {
    let day = try #require(CalendarDay("2022-01-05"))
    let clock = ManualClock(inKorea: day.advanced(by: 1))
    let upstream = KOBISSimulator(now: { clock.wallTime })
    let line = FaultySession(wrapping: upstream, plan: .script([nil, .connectionRefused]))
    let catalog = try await MovieCatalog.open(
      database: .inMemory, source: .kobis(key: "any"), session: line, clock: clock)

    let first = try await catalog.read(.dailyBoxOffice(on: .yesterday))
    clock.advance(by: .seconds(6 * 3600))
    let second = try await catalog.read(.dailyBoxOffice(on: .yesterday))

    #expect(first.origin == .network)
    #expect(second.origin == .cache)
    #expect(second.value == first.value)
    #expect(second.servedBecause?.code == .transport)
    await catalog.shutdown()
  }
  // end
}
