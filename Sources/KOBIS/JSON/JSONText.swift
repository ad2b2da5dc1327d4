/// Where a string or a number lies in the buffer of a ``JSONReader``: bounds, not bytes, so that it may be kept.
package struct JSONText: Hashable, Sendable {
  /// The first byte's offset; a string's quotation mark is not part of it.
  package let start: Int

  /// The offset past the last byte.
  package let end: Int

  /// Whether the bytes hold escapes, so that the string they spell has to be decoded first.
  package let hasEscapes: Bool

  /// How many bytes it takes in the buffer.
  package var byteCount: Int { end - start }
}
