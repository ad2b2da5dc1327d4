extension JSONReader {
  /// Reads on to a string's closing quotation mark, checking every byte on the way.
  mutating func restOfString() throws(JSONError) -> JSONText {
    let start = position
    var hasEscapes = false
    var index = position
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""):
        position = index + 1
        return JSONText(start: start, end: index, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        index = try endOfEscape(at: index)
      case 0..<0x20: throw JSONError(kind: .controlCharacter, offset: index)
      case 0x20..<0x80: index += 1
      default: index = try endOfSequence(at: index)
      }
    }
    throw truncated()
  }

  /// The offset past the UTF-8 sequence of two to four bytes at `index` (Unicode, table 3-7).
  private func endOfSequence(at index: Int) throws(JSONError) -> Int {
    let lead = bytes[index]
    let malformed = JSONError(kind: .malformedUTF8, offset: index)
    let trailCount: Int
    // The first trailing byte's bounds shut out overlong forms, surrogates and all past U+10FFFF.
    var bounds: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: trailCount = 1
    case 0xE0...0xEF:
      trailCount = 2
      if lead == 0xE0 { bounds = 0xA0...0xBF } else if lead == 0xED { bounds = 0x80...0x9F }
    case 0xF0...0xF4:
      trailCount = 3
      if lead == 0xF0 { bounds = 0x90...0xBF } else if lead == 0xF4 { bounds = 0x80...0x8F }
    default: throw malformed
    }
    for offset in 1...trailCount {
      guard let byte = bytes.byte(at: index + offset) else { throw truncated() }
      guard bounds.contains(byte) else { throw malformed }
      bounds = 0x80...0xBF
    }
    return index + trailCount + 1
  }

  /// The offset past the escape, or the pair of surrogate escapes, at `index`.
  private func endOfEscape(at index: Int) throws(JSONError) -> Int {
    guard let byte = bytes.byte(at: index + 1) else { throw truncated() }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return index + 2
    case UInt8(ascii: "u"):
      let unit = try codeUnit(at: index)
      guard UTF16.isSurrogate(unit) else { return index + 6 }
      let lone = JSONError(kind: .loneSurrogate, offset: index)
      guard UTF16.isLeadSurrogate(unit) else { throw lone }
      for (offset, expected) in [(6, UInt8(ascii: "\\")), (7, UInt8(ascii: "u"))] {
        guard let byte = bytes.byte(at: index + offset) else { throw truncated() }
        guard byte == expected else { throw lone }
      }
      guard UTF16.isTrailSurrogate(try codeUnit(at: index + 6)) else { throw lone }
      return index + 12
    default: throw JSONError(kind: .unknownEscape, offset: index)
    }
  }

  /// The UTF-16 code unit that the escape `\uXXXX` at `index` names.
  private func codeUnit(at index: Int) throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for offset in 2..<6 {
      guard let byte = bytes.byte(at: index + offset) else { throw truncated() }
      guard let digit = Self.hexadecimalDigit(byte) else {
        throw JSONError(kind: .unknownEscape, offset: index)
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  // MARK: What a string's bounds hold

  /// Whether the string, its escapes decoded, is `other`.
  package func matches(_ text: JSONText, _ other: StaticString) -> Bool {
    withBytes(of: text) { bytes in
      guard bytes.count == other.utf8CodeUnitCount else { return false }
      for index in 0..<bytes.count where bytes[index] != other.utf8Start[index] { return false }
      return true
    }
  }

  /// Makes a `String` of the string, its escapes decoded.
  package func makeString(_ text: JSONText) -> String {
    withBytes(of: text) { String(decoding: $0, as: UTF8.self) }
  }

  /// Lends the string's bytes, its escapes decoded; copies them only if there are any.
  package func withBytes<Value>(
    of text: JSONText, _ body: (UnsafeBufferPointer<UInt8>) -> Value
  ) -> Value {
    if !text.hasEscapes {
      return body(UnsafeBufferPointer(rebasing: bytes[text.start..<text.end]))
    }
    return unescaped(text).withUnsafeBufferPointer(body)
  }

  /// The string's bytes with every escape decoded; the scan has seen to it that each is whole.
  private func unescaped(_ text: JSONText) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.byteCount)
    var units: [UInt16] = []
    var index = text.start
    while index < text.end {
      let byte = bytes[index]
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        index += 1
        continue
      }
      index += 2
      switch bytes[index - 1] {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        units.append(bytes[index..<index + 4].reduce(0) { $0 << 4 | UInt16(Self.hexadecimalDigit($1) ?? 0) })
        index += 4
        guard let last = units.last, !UTF16.isLeadSurrogate(last) else { continue }
        result.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
        units.removeAll(keepingCapacity: true)
      default: result.append(bytes[index - 1])
      }
    }
    return result
  }
}
