/// The bytes of an export on their way out, in pieces of a bounded size.
struct RowBuffer {
  /// Bytes that are written at once, a row more or less.
  static let byteCountMax = 65_536

  private(set) var bytes: [UInt8] = []
  private let output: ([UInt8]) throws -> Void

  init(_ output: @escaping ([UInt8]) throws -> Void) {
    self.output = output
    bytes.reserveCapacity(Self.byteCountMax + 4_096)
  }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(_ character: Unicode.Scalar) { bytes.append(UInt8(ascii: character)) }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

  mutating func append(_ more: Span<UInt8>) {
    more.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
  }

  /// Appends bytes as Base64 (RFC 4648, 4).
  mutating func append(base64 blob: Span<UInt8>) {
    var index = 0
    while index < blob.count {
      let restCount = blob.count - index
      let second = restCount > 1 ? blob[index + 1] : 0
      let third = restCount > 2 ? blob[index + 2] : 0
      append(Self.base64Digit(blob[index] >> 2))
      append(Self.base64Digit(blob[index] << 4 | second >> 4))
      append(restCount > 1 ? Self.base64Digit(second << 2 | third >> 6) : UInt8(ascii: "="))
      append(restCount > 2 ? Self.base64Digit(third) : UInt8(ascii: "="))
      index += 3
    }
  }

  /// The digit of the lower six bits.
  private static func base64Digit(_ bits: UInt8) -> UInt8 {
    switch bits & 63 {
    case let value where value < 26: UInt8(ascii: "A") + value
    case let value where value < 52: UInt8(ascii: "a") + (value - 26)
    case let value where value < 62: UInt8(ascii: "0") + (value - 52)
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }

  /// Writes what there is, if it is enough.
  mutating func flushIfFull() throws {
    if bytes.count >= Self.byteCountMax { try flush() }
  }

  /// Writes what there is.
  mutating func flush() throws {
    guard !bytes.isEmpty else { return }
    try output(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}

extension Double {
  /// The shortest decimal that reads as this very number; of an infinity, one that is too large for any.
  ///
  /// JSON has no word for infinity; SQLite reads `9e999` as one, and writes it so in its own JSON.
  var spelledExactly: String {
    isInfinite ? (self < 0 ? "-9e999" : "9e999") : description
  }
}

extension Span<UInt8> {
  /// Whether the bytes are text.
  var isValidUTF8: Bool {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: self)
      return true
    } catch {
      return false
    }
  }

  /// The bytes as text, with U+FFFD for what is none.
  var repaired: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
}
