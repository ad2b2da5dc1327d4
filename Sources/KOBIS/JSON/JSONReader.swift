/// A pull reader of JSON (RFC 8259) over UTF-8 bytes, strict in grammar and sparing in work.
///
/// The idea: decoding is a walk over one buffer. The reader keeps a position and a depth and nothing else; whoever
/// decodes asks for the next key, the next element or the value it expects, and gets bounds in the buffer
/// (``JSONText``), from which numbers are parsed and keys compared in place. A `String` is made only where a value
/// needs one. Nothing is allocated for a value that is skipped.
///
/// Strict means: the whole grammar and nothing else; strings are well-formed UTF-8 without unescaped control
/// characters; surrogate escapes come in pairs; no byte order mark; nothing after the value; no deeper than
/// ``nestingDepthMax``. What is skipped is held to the same rules as what is read.
///
/// The reader borrows the buffer for the length of a closure and cannot be copied out of it.
package struct JSONReader: ~Copyable {
  /// The most arrays and objects that may lie within each other; an upstream's answers need five.
  package static let nestingDepthMax = 64

  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0
  private var depth = 0
  // Whether the innermost array or object has had no element yet, and so wants no comma before the next one. One
  // flag serves all depths: reading any value, a closing bracket among them, clears it.
  private var isFirst = true

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Reads one JSON text: lends a reader at its value to `body`, then sees to it that nothing follows.
  package static func read<Value, Failure: Error>(
    _ bytes: [UInt8], failure: (JSONError) -> Failure,
    _ body: (inout JSONReader) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
      var reader = JSONReader(buffer)
      do throws(JSONError) { try reader.start() } catch { throw failure(error) }
      let value = try body(&reader)
      do throws(JSONError) { try reader.finish() } catch { throw failure(error) }
      return value
    }
  }

  private mutating func start() throws(JSONError) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw JSONError(kind: .byteOrderMark, offset: 0) }
    skipWhitespace()
    if position == bytes.count { throw JSONError(kind: .empty, offset: 0) }
  }

  private mutating func finish() throws(JSONError) {
    skipWhitespace()
    if position < bytes.count { throw JSONError(kind: .trailingBytes, offset: position) }
  }

  // MARK: Objects and arrays

  /// Enters an object; its keys follow by ``nextKey(expecting:)``.
  package mutating func beginObject() throws(JSONError) { try begin(UInt8(ascii: "{"), as: .object) }

  /// Enters an array; its elements follow, one after each ``nextElement()`` that is true.
  package mutating func beginArray() throws(JSONError) { try begin(UInt8(ascii: "["), as: .array) }

  private mutating func begin(_ bracket: UInt8, as type: JSONType) throws(JSONError) {
    guard try peek() == bracket else { throw mismatch(expected: type) }
    guard depth < Self.nestingDepthMax else { throw JSONError(kind: .tooDeep, offset: position) }
    depth += 1
    position += 1
    isFirst = true
  }

  /// What ``nextKey(expecting:)`` found.
  package enum Key {
    /// The key that was expected.
    case expected
    /// Another key.
    case other(JSONText)
    /// The end of the object, which is left.
    case end
  }

  /// Moves to the value of the object's next key, or leaves the object if there is none.
  ///
  /// A writer keeps to one order of keys, so comparing with the likely one first spares the search for it.
  package mutating func nextKey(expecting expected: StaticString) throws(JSONError) -> Key {
    guard try advance(closing: UInt8(ascii: "}")) else { return .end }
    guard try peek() == UInt8(ascii: "\"") else { throw unexpected() }
    position += 1
    if hasPrefix(expected), bytes.byte(at: position + expected.utf8CodeUnitCount) == UInt8(ascii: "\"") {
      position += expected.utf8CodeUnitCount + 1
      try colon()
      return .expected
    }
    let text = try restOfString()
    try colon()
    return .other(text)
  }

  /// Moves to the value of the object's next key, or leaves the object if there is none.
  package mutating func nextKey() throws(JSONError) -> JSONText? {
    guard try advance(closing: UInt8(ascii: "}")) else { return nil }
    guard try peek() == UInt8(ascii: "\"") else { throw unexpected() }
    position += 1
    let text = try restOfString()
    try colon()
    return text
  }

  /// Moves to the array's next element; false if there is none, and the array is left.
  package mutating func nextElement() throws(JSONError) -> Bool {
    try advance(closing: UInt8(ascii: "]"))
  }

  @inline(__always)
  private mutating func advance(closing bracket: UInt8) throws(JSONError) -> Bool {
    let byte = try peek()
    if byte == bracket {
      position += 1
      depth -= 1
      isFirst = false
      return false
    }
    if isFirst {
      isFirst = false
    } else {
      guard byte == UInt8(ascii: ",") else { throw unexpected() }
      position += 1
    }
    return true
  }

  @inline(__always)
  private mutating func colon() throws(JSONError) {
    guard try peek() == UInt8(ascii: ":") else { throw unexpected() }
    position += 1
  }

  @inline(__always)
  private func hasPrefix(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard let start = bytes.baseAddress, bytes.count - position >= count else { return false }
    return Self.areEqual(
      UnsafeRawPointer(start + position), UnsafeRawPointer(text.utf8Start), byteCount: count)
  }

  /// Compares by words, the last of which may overlap the one before; no byte past the count is read.
  @inline(__always)
  private static func areEqual(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, byteCount: Int) -> Bool {
    func same<Word: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as type: Word.Type) -> Bool {
      one.loadUnaligned(fromByteOffset: offset, as: type)
        == other.loadUnaligned(fromByteOffset: offset, as: type)
    }
    switch byteCount {
    case 8...:
      var offset = 0
      while offset + 8 < byteCount {
        guard same(offset, as: UInt64.self) else { return false }
        offset += 8
      }
      return same(byteCount - 8, as: UInt64.self)
    case 4..<8: return same(0, as: UInt32.self) && same(byteCount - 4, as: UInt32.self)
    default: return (0..<byteCount).allSatisfy { same($0, as: UInt8.self) }
    }
  }

  // MARK: Values

  /// Reads a string's bounds.
  package mutating func string() throws(JSONError) -> JSONText {
    guard try peek() == UInt8(ascii: "\"") else { throw mismatch(expected: .string) }
    position += 1
    return try restOfString()
  }

  /// Reads a number's bounds.
  package mutating func number() throws(JSONError) -> JSONText {
    guard try type() == .number else { throw mismatch(expected: .number) }
    return try scanNumber()
  }

  /// Reads `null` if that comes next.
  package mutating func null() throws(JSONError) -> Bool {
    guard try peek() == UInt8(ascii: "n") else { return false }
    try literal("null")
    return true
  }

  /// The type of the value that comes next, which is not read.
  package mutating func type() throws(JSONError) -> JSONType {
    switch try peek() {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
    case UInt8(ascii: "n"): return .null
    default: throw unexpected()
    }
  }

  /// Reads a value of any type and keeps nothing of it; recurses no deeper than ``nestingDepthMax``.
  package mutating func skipValue() throws(JSONError) {
    switch try type() {
    case .object:
      try beginObject()
      while try nextKey() != nil { try skipValue() }
    case .array:
      try beginArray()
      while try nextElement() { try skipValue() }
    case .string: _ = try string()
    case .number: _ = try scanNumber()
    case .boolean: try literal(bytes[position] == UInt8(ascii: "t") ? "true" : "false")
    case .null: try literal("null")
    }
  }

  private mutating func literal(_ word: StaticString) throws(JSONError) {
    for index in 0..<word.utf8CodeUnitCount {
      guard let byte = bytes.byte(at: position) else { throw truncated() }
      guard byte == word.utf8Start[index] else { throw unexpected() }
      position += 1
    }
  }

  // MARK: Bytes

  /// The next byte that is no white space, at which the position then stands.
  @inline(__always)
  private mutating func peek() throws(JSONError) -> UInt8 {
    if position < bytes.count {
      let byte = bytes[position]
      if byte > 0x20 { return byte }
    }
    return try peekPastWhitespace()
  }

  private mutating func peekPastWhitespace() throws(JSONError) -> UInt8 {
    skipWhitespace()
    guard position < bytes.count else { throw truncated() }
    return bytes[position]
  }

  private mutating func skipWhitespace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  func truncated() -> JSONError { JSONError(kind: .truncated, offset: bytes.count) }

  func unexpected() -> JSONError {
    guard let byte = bytes.byte(at: position) else { return truncated() }
    return JSONError(kind: .unexpectedByte(byte), offset: position)
  }

  private mutating func mismatch(expected: JSONType) -> JSONError {
    do throws(JSONError) {
      return JSONError(kind: .wrongType(expected: expected, found: try type()), offset: position)
    } catch {
      return error
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The byte at `offset`; `nil` past the end.
  func byte(at offset: Int) -> UInt8? { offset < count ? self[offset] : nil }
}
