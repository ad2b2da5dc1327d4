/// Makes gzip members ([RFC 1952](https://www.rfc-editor.org/rfc/rfc1952)) without a compressor.
///
/// A deflate stream may hold its bytes as they are ("stored"), and a run of one byte is a match of distance 1
/// repeated; that is all a test needs: a true body, and a bomb.
package enum GzipBody {
  /// `bytes` as one gzip member of stored blocks.
  package static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var out = header
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(0xffff)
      rest = rest.dropFirst(block.count)
      out.append(rest.isEmpty ? 1 : 0)
      out.append(littleEndian: UInt16(block.count))
      out.append(littleEndian: ~UInt16(block.count))
      out.append(contentsOf: block)
    } while !rest.isEmpty
    out.append(littleEndian: crc32(bytes))
    out.append(littleEndian: UInt32(truncatingIfNeeded: bytes.count))
    return out
  }

  /// About `decodedByteCount` zeros in 1/159 of their size; the checksum is wrong, as no reader should get
  /// that far.
  package static func bomb(decodedByteCount: Int) -> [UInt8] {
    var bits = BitWriter(bytes: header)
    bits.append(0b011, count: 3)  // the last block; fixed Huffman codes
    bits.append(reversed: 0b0011_0000, count: 8)  // literal 0
    for _ in 0..<(decodedByteCount / 258) {
      bits.append(reversed: 0b1100_0101, count: 8)  // length 258
      bits.append(reversed: 0, count: 5)  // distance 1
    }
    bits.append(0, count: 7)  // end of block
    var out = bits.finished()
    out.append(littleEndian: UInt32(0))
    out.append(littleEndian: UInt32(truncatingIfNeeded: decodedByteCount))
    return out
  }

  private static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc = ~UInt32(0)
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xedb8_8320 : crc >> 1 }
    }
    return ~crc
  }
}

/// Packs bits from the least significant end, as deflate does.
private struct BitWriter {
  var bytes: [UInt8]
  private var pending: UInt32 = 0
  private var pendingBitCount = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func append(_ value: UInt32, count: Int) {
    pending |= value << UInt32(pendingBitCount)
    pendingBitCount += count
    while pendingBitCount >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingBitCount -= 8
    }
  }

  /// Huffman codes go in from their most significant bit.
  mutating func append(reversed code: UInt32, count: Int) {
    var value: UInt32 = 0
    for bit in 0..<count where code >> UInt32(bit) & 1 == 1 { value |= 1 << UInt32(count - 1 - bit) }
    append(value, count: count)
  }

  consuming func finished() -> [UInt8] {
    if pendingBitCount > 0 { append(0, count: 8 - pendingBitCount) }
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
