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
  private static let hiddenCharacterCountMin = 6

  /// `text` with every occurrence of the key replaced by `[key]`, as ``hidden(in:)-([UInt8])`` does it.
  package func hidden(in text: String) -> String {
    hidden(in: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// `bytes` with every occurrence of the key, plain, percent-encoded or escaped as in JSON, replaced by `[key]`;
  /// `nil` if there is none.
  ///
  /// Bytes are compared, not characters: a combining mark behind the key would make another character of its last.
  package func hidden(in bytes: [UInt8]) -> [UInt8]? {
    guard secret.utf8.count >= Self.hiddenCharacterCountMin else { return nil }
    let spellings = spellings
    var result: [UInt8] = []
    var shown = bytes[...]
    while let first = shown.first {
      if let spelling = spellings.first(where: { shown.starts(with: $0) }) {
        result += "[key]".utf8
        shown = shown.dropFirst(spelling.count)
      } else {
        result.append(first)
        shown = shown.dropFirst()
      }
    }
    return result == bytes ? nil : result
  }

  /// What an echo of the key may look like.
  private var spellings: [[UInt8]] {
    let escaped = secret.utf8.flatMap { byte in
      byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), byte] : [byte]
    }
    let slash = UInt8(ascii: "/")
    // A writer of JSON may escape a slash, and need not.
    let slashed = escaped.flatMap { $0 == slash ? [UInt8(ascii: "\\"), slash] : [$0] }
    return [Array(secret.utf8), Array(PercentEncoding.encoded(secret).utf8), escaped, slashed]
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
