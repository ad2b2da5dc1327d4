/// A key of the KOBIS open API: a secret that never shows itself in a description, a dump or a mirror.
///
/// It sits in every request's query (`key=`); nothing but the request holds it.
public struct APIKey: Hashable, Sendable {
  package let secret: String

  /// The most characters a key may have; KOBIS's have 32.
  public static let characterCountMax = 256

  /// Makes a key from a setting's or a file's text, whose outer white space (a file's last newline) is taken off.
  ///
  /// - Throws: ``KOBISError`` of code ``KOBISError/Code/malformedKey`` unless 1 to ``characterCountMax`` printable
  ///   ASCII characters remain, without white space. The error does not hold the text.
  public init(_ text: some StringProtocol) throws(KOBISError) {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    let bytes = Array(text.utf8.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    guard !bytes.isEmpty else {
      throw KOBISError(.malformedKey, "the API key is empty; set it to the key that kobis.or.kr issued")
    }
    guard bytes.count <= Self.characterCountMax else {
      throw KOBISError(.malformedKey, "the API key is longer than \(Self.characterCountMax) characters")
    }
    guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw KOBISError(
        .malformedKey,
        "the API key holds white space, a control character or one outside ASCII; is it the key alone?"
      )
    }
    secret = String(decoding: bytes, as: UTF8.self)
  }

  /// The fewest characters of a key that is looked for in texts; a shorter one is part of too many words.
  package static let hiddenCharacterCountMin = 6

  /// `text` with every occurrence of the key replaced by `[key]`, as ``hidden(in:)-([UInt8])`` does it.
  package func hidden(in text: String) -> String {
    hidden(in: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// `bytes` with every occurrence of the key replaced by `[key]`, each of its bytes plain, percent-encoded or escaped
  /// as in JSON; `nil` if there is none.
  ///
  /// Bytes are compared, not characters: a combining mark behind the key would make another character of its last.
  package func hidden(in bytes: [UInt8]) -> [UInt8]? {
    let key = Array(secret.utf8)
    guard key.count >= Self.hiddenCharacterCountMin else { return nil }
    var result: [UInt8] = []
    var position = 0
    var isFound = false
    while position < bytes.count {
      if let end = Self.end(of: key, in: bytes[position...]) {
        result += "[key]".utf8
        position = end
        isFound = true
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return isFound ? result : nil
  }

  /// Where the longest echo of `key` ends with which `bytes` begin; `nil` if they do not.
  private static func end(of key: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    // Nearly every byte of a body begins nothing, and costs no more than this.
    guard !spellingByteCounts(of: key[0], atStartOf: bytes).isEmpty else { return nil }
    // A backslash or a percent sign may be itself or begin an escape. Both are followed at once, as trying one after
    // the other may take time that doubles with each of them.
    var ends: Set<Int> = [bytes.startIndex]
    for byte in key {
      ends = Set(
        ends.flatMap { end in spellingByteCounts(of: byte, atStartOf: bytes[end...]).map { end + $0 } })
      if ends.isEmpty { return nil }
    }
    return ends.max()
  }

  /// How many bytes `byte` takes at the start of `bytes`, for each way to spell it that stands there.
  private static func spellingByteCounts(of byte: UInt8, atStartOf bytes: ArraySlice<UInt8>) -> [Int] {
    var byteCounts = bytes.first == byte ? [1] : []
    let backslash = UInt8(ascii: "\\")
    guard bytes.first == backslash || bytes.first == UInt8(ascii: "%") else { return byteCounts }
    if bytes.starts(with: [backslash, byte]) { byteCounts.append(2) }
    let digits = String(byte, radix: 16)
    let hexadecimal = digits.utf8.count < 2 ? "0" + digits : digits
    for escape in ["%\(hexadecimal)", "\\u00\(hexadecimal)"] {
      let start = String(decoding: bytes.prefix(escape.utf8.count), as: UTF8.self)
      if start.lowercased() == escape { byteCounts.append(escape.utf8.count) }
    }
    return byteCounts
  }
}

extension APIKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A placeholder; never the key.
  public var description: String { "[key]" }

  /// A placeholder; never the key.
  public var debugDescription: String { "[key]" }

  /// A mirror that shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
