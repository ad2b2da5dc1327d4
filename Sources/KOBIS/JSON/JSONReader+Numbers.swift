extension JSONReader {
  /// Reads a number by the grammar: `-`, an integer without leading zeros, a fraction, an exponent.
  mutating func scanNumber() throws(JSONError) -> JSONText {
    let start = position
    if bytes.byte(at: position) == UInt8(ascii: "-") { position += 1 }
    if bytes.byte(at: position) == UInt8(ascii: "0") { position += 1 } else { try digits() }
    if bytes.byte(at: position) == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if let byte = bytes.byte(at: position), byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      position += 1
      if let sign = bytes.byte(at: position), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        position += 1
      }
      try digits()
    }
    return JSONText(start: start, end: position, hasEscapes: false)
  }

  /// Reads a string that is an integer of at most 18 digits and needs no further thought; otherwise reads nothing.
  ///
  /// Most of a chart is such strings, and one look at each byte is enough for them.
  @inline(__always)
  mutating func plainInteger() -> Int64? {
    let digitCountMax = 18
    var index = position
    guard index + 2 < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
    index += 1
    let isNegative = bytes[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    let start = index
    var magnitude: Int64 = 0
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      magnitude = magnitude &* 10 &+ Int64(digit)
      index += 1
    }
    guard (1...digitCountMax).contains(index - start), index < bytes.count, bytes[index] == UInt8(ascii: "\"")
    else { return nil }
    position = index + 1
    return isNegative ? -magnitude : magnitude
  }

  private mutating func digits() throws(JSONError) {
    let start = position
    while let byte = bytes.byte(at: position), Self.isDigit(byte) { position += 1 }
    if position == start { throw unexpected() }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
