/// A number spelled as a type.
///
/// The idea: a `URLSessionConfiguration` carries classes, not objects, and URLSession hands a `URLProtocol` no
/// way back to its configuration. Generic types can be made while the program runs, so each configuration gets
/// a class of its own, whose type argument spells the number of its route in binary.
protocol RouteDigits: Sendable {
  /// The number.
  static var number: UInt64 { get }
}

/// Zero: no digits.
enum RouteNumberZero: RouteDigits {
  static var number: UInt64 { 0 }
}

/// The digits `Rest`, then a 0.
enum RouteDigit0<Rest: RouteDigits>: RouteDigits {
  static var number: UInt64 { Rest.number << 1 }
}

/// The digits `Rest`, then a 1.
enum RouteDigit1<Rest: RouteDigits>: RouteDigits {
  static var number: UInt64 { Rest.number << 1 | 1 }
}

/// Spells `number` as a type.
func routeDigits(spelling number: UInt64) -> any RouteDigits.Type {
  func appending<Rest: RouteDigits>(_ bit: UInt64, to rest: Rest.Type) -> any RouteDigits.Type {
    bit == 0 ? RouteDigit0<Rest>.self : RouteDigit1<Rest>.self
  }
  var digits: any RouteDigits.Type = RouteNumberZero.self
  for position in (0..<(UInt64.bitWidth - number.leadingZeroBitCount)).reversed() {
    digits = appending(number >> position & 1, to: digits)
  }
  return digits
}
