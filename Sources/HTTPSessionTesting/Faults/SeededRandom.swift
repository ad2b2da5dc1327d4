/// A random number generator that gives the same numbers for the same seed, on every machine.
///
/// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
public struct SeededRandom: RandomNumberGenerator, Sendable {
  /// The seed it was made with: print it, and a failure can be replayed.
  public let seed: UInt64

  private var state: UInt64

  /// Makes a generator.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// The next number, each of 64 bits equally likely.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The next number of [0, 1), with 53 random bits.
  public mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
