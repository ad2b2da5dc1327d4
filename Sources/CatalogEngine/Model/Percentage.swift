/// A share or a change in percent, kept exactly: `34.2` is 34.2 %, `38399.0` is 38,399 %.
///
/// The upstream writes at most one decimal; three are kept, so that no figure is ever rounded.
public struct Percentage: Hashable, Comparable, Sendable {
  /// The value in thousandths of a percent; 34.2 % is 34,200.
  public let thousandths: Int64

  /// Makes a percentage from thousandths of a percent.
  public init(thousandths: Int64) { self.thousandths = thousandths }

  /// Reads a decimal such as `-13`, `100.0` or `34.25`; `nil` for anything else, more than three decimals, or
  /// a magnitude of 10^12 and above.
  public init?(digits bytes: some Sequence<UInt8>) {
    var magnitude: Int64 = 0
    var isNegative = false
    var digitCount = 0
    var decimalCount: Int?
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "-") where index == 0: isNegative = true
      case UInt8(ascii: ".") where decimalCount == nil && digitCount > 0: decimalCount = 0
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digitCount += 1
        if let count = decimalCount {
          guard count < 3 else { return nil }
          decimalCount = count + 1
        }
        guard digitCount <= 15 else { return nil }
        magnitude = magnitude * 10 + Int64(byte - UInt8(ascii: "0"))
      default: return nil
      }
    }
    guard digitCount > 0, decimalCount != 0 else { return nil }
    for _ in (decimalCount ?? 0)..<3 { magnitude *= 10 }
    guard magnitude < 1_000_000_000_000_000 else { return nil }
    thousandths = isNegative ? -magnitude : magnitude
  }

  /// The value as a floating-point number of percent, as SQL and JSON hold it.
  public var percent: Double { Double(thousandths) / 1000 }

  /// Makes the percentage nearest to a floating-point number of percent; `nil` if that is not finite or too large.
  public init?(percent: Double) {
    let scaled = (percent * 1000).rounded()
    guard scaled.magnitude < 1e15 else { return nil }
    thousandths = Int64(scaled)
  }

  /// Orders percentages by value.
  public static func < (one: Percentage, other: Percentage) -> Bool { one.thousandths < other.thousandths }
}

extension Percentage: CustomStringConvertible {
  /// The shortest exact decimal, without a percent sign: `34.2`, `-13`, `100`.
  public var description: String {
    let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
    let sign = thousandths < 0 ? "-" : ""
    guard rest != 0 else { return "\(sign)\(whole)" }
    var decimals = String(String(1000 + rest).dropFirst())
    while decimals.last == "0" { decimals.removeLast() }
    return "\(sign)\(whole).\(decimals)"
  }
}
