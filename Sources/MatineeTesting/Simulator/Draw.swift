/// A draw of chance that depends on nothing but what it is drawn for: the same on every machine and in every run.
struct Draw: Sendable {
  let value: UInt64

  /// Draws for a chain of numbers, the seed first.
  init(_ parts: UInt64...) {
    value = parts.reduce(0x5EED) { Self.mixed($0 ^ Self.mixed($1)) }
  }

  /// A number from 0 up to, not including, `bound`, for one `purpose`; purposes draw apart from each other.
  func number(below bound: Int, for purpose: StaticString) -> Int {
    var mixed = value
    for index in 0..<purpose.utf8CodeUnitCount {
      mixed = Self.mixed(mixed ^ UInt64(purpose.utf8Start[index]))
    }
    return Int(mixed % UInt64(bound))
  }

  /// One of `choices`, which must not be empty, for one `purpose`.
  func choice<Element>(of choices: [Element], for purpose: StaticString) -> Element {
    choices[number(below: choices.count, for: purpose)]
  }

  /// The finalizer of SplitMix64 (Steele, Lea, Flood).
  private static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
