import CatalogEngine
import KOBIS
import KOBISFixtures
import Testing

@Suite struct `When bytes are lost or changed on the way` {
  @Test func `every prefix of a chart is refused`() throws {
    let body = try #require(RecordedWeek.dailyBodies["20190708"])
    let period = BoxOfficePeriod.daily(try Sample.day(20_190_708))
    for length in 0..<body.count {
      let error = #expect(throws: KOBISError.self) {
        try BoxOfficeAnswer(Array(body[..<length]), for: period)
      }
      #expect(error?.code == (length == 0 ? .empty : .truncated))
    }
  }

  @Test func `every prefix of details is refused`() throws {
    let body = try FixtureFile.answer("movie-odd-text.json")
    let code = try #require(MovieCode("20230001"))
    for length in 0..<body.count {
      let error = #expect(throws: KOBISError.self) { try MovieInfoAnswer(Array(body[..<length]), for: code) }
      #expect(error?.code == (length == 0 ? .empty : .truncated))
    }
  }

  @Test(arguments: 0..<8)
  func `a changed byte gives a value or an error, and never a trap`(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let chart = try #require(RecordedWeek.dailyBodies["20190714"])
    let details = try FixtureFile.answer("movie-odd-text.json")
    let period = BoxOfficePeriod.daily(try Sample.day(20_190_714))
    let code = try #require(MovieCode("20230001"))
    var refusedCount = 0
    for _ in 0..<250 {
      var body = chart
      body[Int.random(in: 0..<body.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      do { _ = try BoxOfficeAnswer(body, for: period) } catch { refusedCount += 1 }
      body = details
      body[Int.random(in: 0..<body.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      do { _ = try MovieInfoAnswer(body, for: code) } catch { refusedCount += 1 }
    }
    // A changed digit or letter often makes another sound body; a changed quotation mark never does.
    #expect((100...499).contains(refusedCount), "\(refusedCount) of 500 were refused, seed \(seed)")
  }
}

/// A small generator whose draws are the same for a seed on every machine (SplitMix64, Vigna).
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
