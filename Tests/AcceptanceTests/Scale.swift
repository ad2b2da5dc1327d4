import Foundation
import Matinee

/// How much of the acceptance runs is done: a share that takes a minute in every test run, and all of it where
/// `MATINEE_ACCEPTANCE` is set, as `make acceptance` does.
enum Scale {
  static let isWhole = !(ProcessInfo.processInfo.environment["MATINEE_ACCEPTANCE"] ?? "").isEmpty

  /// The seeds that faults are drawn from, in blocks within each of which every fault strikes; with `MATINEE_SEED` that
  /// one alone, to have a failure again.
  static let seedBlocks: [Range<UInt64>] = {
    if let seed = ProcessInfo.processInfo.environment["MATINEE_SEED"].flatMap({ UInt64($0) }) {
      return [seed..<seed + 1]
    }
    return isWhole ? (0..<20).map { $0 * 10 + 1..<$0 * 10 + 11 } : [1..<21, 21..<41]
  }()

  /// What a seed's run covers: the four years under 300 calls a day; in a share, a month and a half of its own, spread
  /// over the four years, under 60.
  static func cover(ofSeed seed: UInt64) throws -> (days: ClosedRange<CalendarDay>, callsPerDayMax: Int) {
    let fourYears = try days(20_170_101, 20_201_231)
    if isWhole { return (fourYears, 300) }
    let first = fourYears.lowerBound.advanced(by: Int(seed % 34) * 42)
    return (first...first.advanced(by: 44), 60)
  }
}
