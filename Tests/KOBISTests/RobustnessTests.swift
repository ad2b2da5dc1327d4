import CatalogEngine
import KOBIS
import KOBISFixtures
import Testing

@Suite struct `When bytes are lost or changed on the way` {
  @Test(arguments: Sample.answers) func `every prefix of an answer is refused`(_ answer: Sample.Answer) throws
  {
    let body = try answer.body()
    let codes = (0..<body.count).map { length -> KOBISError.Code? in
      do throws(KOBISError) {
        try answer.decode(Array(body[..<length]))
        return nil
      } catch {
        return error.code
      }
    }
    #expect(codes.first == .empty)
    #expect(codes.dropFirst().allSatisfy { $0 == .truncated })
  }

  @Test(arguments: Sample.answers, 0..<4)
  func `a changed byte gives a value or an error, and never a trap`(
    _ answer: Sample.Answer, _ seed: UInt64
  ) throws {
    var random = SplitMix(state: seed)
    let whole = try answer.body()
    var refusedCount = 0
    for _ in 0..<120 {
      var body = whole
      body[Int.random(in: 0..<body.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      do { try answer.decode(body) } catch { refusedCount += 1 }
    }
    // A changed digit or letter often makes another sound body; a changed quotation mark never does.
    #expect((12...119).contains(refusedCount), "\(refusedCount) of 120 were refused, seed \(seed)")
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
