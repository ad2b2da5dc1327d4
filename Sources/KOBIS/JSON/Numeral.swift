/// A number read from decimal digits in text, or why there is none.
enum Numeral {
  /// The number.
  case value(Int64)
  /// The text is no decimal number of the kind.
  case malformed
  /// The number does not fit.
  case outOfRange

  /// Reads an integer: `-` or nothing, then digits.
  @inline(__always)
  init(integer bytes: UnsafeBufferPointer<UInt8>) {
    self.init(bytes, scale: 0)
  }

  /// Reads a decimal of at most `scale` decimals, as that many tenth parts: `34.2` of scale 3 is 34200.
  init(_ bytes: UnsafeBufferPointer<UInt8>, scale: Int) {
    let isNegative = bytes.first == UInt8(ascii: "-")
    var magnitude: UInt64 = 0
    var overflows = false
    var digitCount = 0
    var decimalsLeft: Int?
    for byte in bytes[(isNegative ? 1 : 0)...] {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else {
        guard byte == UInt8(ascii: "."), scale > 0, decimalsLeft == nil, digitCount > 0 else {
          self = .malformed
          return
        }
        decimalsLeft = scale
        digitCount = 0
        continue
      }
      if let left = decimalsLeft {
        guard left > 0 else {
          self = .malformed
          return
        }
        decimalsLeft = left - 1
      }
      digitCount += 1
      overflows = Self.append(digit, to: &magnitude) || overflows
    }
    // No digits at all, or none after the point.
    guard digitCount > 0 else {
      self = .malformed
      return
    }
    for _ in 0..<(decimalsLeft ?? scale) { overflows = Self.append(0, to: &magnitude) || overflows }
    guard !overflows, magnitude <= UInt64(Int64.max) else {
      self = .outOfRange
      return
    }
    self = .value(isNegative ? -Int64(magnitude) : Int64(magnitude))
  }

  /// Appends a decimal digit; true if the number no longer fits.
  @inline(__always)
  private static func append(_ digit: UInt8, to magnitude: inout UInt64) -> Bool {
    let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
    let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
    magnitude = sum
    return overflow || carry
  }
}
