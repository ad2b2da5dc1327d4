extension KOBISError {
  /// The error that says why the bytes of an answer cannot be read.
  init(_ error: JSONError) {
    let place = "at byte \(error.offset)"
    switch error.kind {
    case .empty: self.init(.empty, "the body is empty")
    case .truncated: self.init(.truncated, "the body ends within the JSON text, \(place)")
    case .tooDeep: self.init(.tooDeep, "more than \(JSONReader.nestingDepthMax) levels of nesting \(place)")
    case .wrongType(let expected, let found):
      self.init(.wrongType, "\(found.rawValue) \(place) where KOBIS sends \(expected.rawValue)")
    case .unexpectedByte(let byte):
      let digits = String(byte, radix: 16, uppercase: true)
      self.init(.notJSON, "the byte 0x\(digits.count < 2 ? "0" : "")\(digits) \(place) breaks JSON's grammar")
    case .byteOrderMark: self.init(.notJSON, "a byte order mark precedes the JSON text")
    case .malformedUTF8: self.init(.notJSON, "malformed UTF-8 \(place)")
    case .controlCharacter: self.init(.notJSON, "a control character in a string \(place)")
    case .unknownEscape: self.init(.notJSON, "an unknown escape in a string \(place)")
    case .loneSurrogate: self.init(.notJSON, "half a surrogate pair in a string \(place)")
    case .trailingBytes: self.init(.notJSON, "something follows the JSON text \(place)")
    }
  }

  /// The error that says a field is not there.
  static func missing(_ field: StaticString) -> KOBISError {
    KOBISError(.fieldMissing, at: "\(field)", "the field is missing")
  }
}
