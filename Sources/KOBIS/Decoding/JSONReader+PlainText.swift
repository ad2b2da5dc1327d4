// What people typed into KOBIS holds more than is seen: outer spaces and tabs, line ends, zero-width characters
// pasted from elsewhere. Two spellings that look the same ought to be the same, so all of it is taken off here.
extension JSONReader {
  /// The string without outer white space, and without the characters that take no place:
  /// control characters, soft hyphens, zero-width characters and marks of direction.
  ///
  /// A tab or line end between other characters becomes a space.
  func cleaned(_ text: JSONText) -> String {
    withBytes(of: text) { bytes in
      guard Self.isPlain(bytes) else { return Self.cleaned(String(decoding: bytes, as: UTF8.self)) }
      var bounds = 0..<bytes.count
      while let first = bounds.first, bytes[first] == 0x20 { bounds.removeFirst() }
      while let last = bounds.last, bytes[last] == 0x20 { bounds.removeLast() }
      return String(decoding: UnsafeBufferPointer(rebasing: bytes[bounds]), as: UTF8.self)
    }
  }

  /// Reads a string as ``cleaned(_:)``.
  mutating func plainText() throws(KOBISError) -> String { cleaned(try text()) }

  /// Reads a string as ``cleaned(_:)``; `nil` if nothing is left of it, or `null` stands in its place.
  mutating func optionalPlainText() throws(KOBISError) -> String? {
    if try skipNull() { return nil }
    let text = try plainText()
    return text.isEmpty ? nil : text
  }

  /// Whether the bytes hold nothing that is to be taken off, but for outer spaces; may say no too often.
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    for byte in bytes {
      switch byte {
      // C0 and DEL; the lead bytes of U+0080…00BF, U+1000…1FFF, U+2000…2FFF, U+3000…303F (and more), U+F000…FFFF.
      case 0..<0x20, 0x7F, 0xC2, 0xE1, 0xE2, 0xE3, 0xEF, 0xF0...: return false
      default: continue
      }
    }
    return true
  }

  private static func cleaned(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09...0x0D, 0x85, 0x2028, 0x2029: scalars.append(" ")
      case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF: continue
      default: scalars.append(scalar)
      }
    }
    let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    guard let first = scalars.firstIndex(where: { !isSpace($0) }),
      let last = scalars.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(scalars[first...last])
  }
}
