import Foundation

/// How much of the acceptance runs is done: a share that takes a minute in every test run, and all of it where
/// `MATINEE_ACCEPTANCE` is set, as `make acceptance` does.
enum Scale {
  static let isWhole = !(ProcessInfo.processInfo.environment["MATINEE_ACCEPTANCE"] ?? "").isEmpty

  /// The seeds that faults are drawn from.
  static let seeds: Range<UInt64> = 1..<(isWhole ? 201 : 41)
}
