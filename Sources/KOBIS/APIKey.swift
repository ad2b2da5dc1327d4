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

  /// `text` with every occurrence of the key, plain or percent-encoded, cut out.
  package func hidden(in text: String) -> String {
    guard secret.utf8.count >= Self.hiddenCharacterCountMin else { return text }
    var result = text
    for spelling in [secret, PercentEncoding.encoded(secret)] {
      var shown = Substring(result)
      var parts = ""
      while let found = shown.firstRange(of: spelling) {
        parts += shown[..<found.lowerBound] + "[key]"
        shown = shown[found.upperBound...]
      }
      result = parts + shown
    }
    return result
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

extension Substring {
  /// Where `text` first occurs.
  fileprivate func firstRange(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) {
        return start..<(index(start, offsetBy: text.count, limitedBy: endIndex) ?? endIndex)
      }
      start = index(after: start)
    }
    return nil
  }
}
