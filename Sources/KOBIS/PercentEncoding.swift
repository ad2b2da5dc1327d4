/// The percent-encoding of query values (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// `text` with every byte but the unreserved ones (section 2.3) as `%XX`.
  package static func encoded(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      if isUnreserved(byte) {
        result.append(byte)
      } else {
        result.append(UInt8(ascii: "%"))
        result.append(hexadecimalDigit(byte >> 4))
        result.append(hexadecimalDigit(byte & 0xF))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// `text` with every `%XX` undone, and `+` read as a space, as forms send it; a `%` without two digits stays.
  package static func decoded(_ text: some StringProtocol) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = value(ofHexadecimalDigit: bytes[index + 1]),
        let low = value(ofHexadecimalDigit: bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index] == UInt8(ascii: "+") ? 0x20 : bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  private static func value(ofHexadecimalDigit byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
