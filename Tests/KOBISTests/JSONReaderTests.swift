import KOBIS
import Testing

@Suite struct `When JSON is read` {
  @Test(arguments: JSONTable.accepted)
  func `a text of RFC 8259 is accepted`(_ text: [UInt8]) throws {
    try JSONTable.skim(text)
  }

  @Test(arguments: JSONTable.rejected)
  func `a text outside RFC 8259 is refused by its name`(_ text: [UInt8], _ kind: JSONError.Kind) {
    let error = #expect(throws: JSONError.self) { try JSONTable.skim(text) }
    #expect(error?.kind == kind)
  }

  @Test func `nesting is refused past its bound and not before`() throws {
    let depth = JSONReader.nestingDepthMax
    func nested(_ count: Int) -> [UInt8] {
      Array(String(repeating: "[", count: count).utf8) + Array(String(repeating: "]", count: count).utf8)
    }
    try JSONTable.skim(nested(depth))
    let error = #expect(throws: JSONError.self) { try JSONTable.skim(nested(depth + 1)) }
    #expect(error?.kind == .tooDeep)
    #expect(error?.offset == depth)
    let bottomless = #expect(throws: JSONError.self) { try JSONTable.skim(nested(100_000)) }
    #expect(bottomless?.kind == .tooDeep)
  }

  @Test(arguments: [
    (#""plain""#, "plain"), (#""\u0041\u00e9\uAC00""#, "Aé가"),
    (#""\ud83c\udfac\"\\\/\b\f\n\r\t""#, "🎬\"\\/\u{8}\u{C}\n\r\t"),
    (#""가\u0000나""#, "가\0나"), (#""""#, ""),
  ])
  func `escapes are decoded`(_ text: String, _ expected: String) throws {
    let value = try JSONReader.read(Array(text.utf8), failure: \.self) { reader throws(JSONError) in
      reader.makeString(try reader.string())
    }
    #expect(value == expected)
  }

  @Test func `a key spelled with escapes is the key`() throws {
    let text = Array(#"{"sales\u0041mt":1}"#.utf8)
    let matches = try JSONReader.read(text, failure: \.self) { reader throws(JSONError) in
      try reader.beginObject()
      guard let key = try reader.nextKey() else { return false }
      try reader.skipValue()
      return try reader.nextKey() == nil && reader.matches(key, "salesAmt")
    }
    #expect(matches)
  }

  @Test func `a value of another type is named with both types and its place`() {
    let error = #expect(throws: JSONError.self) {
      try JSONReader.read(Array(" [1]".utf8), failure: \.self) { reader throws(JSONError) in
        _ = try reader.string()
      }
    }
    #expect(error?.kind == .wrongType(expected: .string, found: .array))
    #expect(error?.offset == 1)
  }
}
