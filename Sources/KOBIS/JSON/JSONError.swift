/// Why bytes are not the JSON that was asked for, and at which byte.
///
/// It is a few machine words, so that throwing it costs nothing to the reader's hot path; the decoders turn it into
/// a ``KOBISError`` with the path of the field.
package struct JSONError: Error, Hashable, Sendable {
  /// What is wrong.
  package enum Kind: Hashable, Sendable {
    /// There is nothing but white space.
    case empty
    /// The text ends within a value.
    case truncated
    /// A byte stands where the grammar of RFC 8259 allows none such.
    case unexpectedByte(UInt8)
    /// A byte order mark precedes the text (RFC 8259, section 8.1).
    case byteOrderMark
    /// A text is not well-formed UTF-8 (Unicode, table 3-7).
    case malformedUTF8
    /// A control character stands unescaped in a text.
    case controlCharacter
    /// A backslash is followed by none of the escapes.
    case unknownEscape
    /// A `\u` escape names one half of a surrogate pair without the other.
    case loneSurrogate
    /// Values nest deeper than ``JSONReader/nestingDepthMax``.
    case tooDeep
    /// Something follows the value.
    case trailingBytes
    /// A value is of another type than the one that was asked for.
    case wrongType(expected: JSONType, found: JSONType)
  }

  /// What is wrong.
  package let kind: Kind

  /// The byte at which it is, from 0.
  package let offset: Int
}

/// The types of JSON values.
package enum JSONType: String, Hashable, Sendable {
  case object, array, string, number, boolean, null
}
