import KOBIS

/// Texts that a strict reader accepts and refuses, after the JSONTestSuite of Nicolas Seriot
/// (https://github.com/nst/JSONTestSuite).
enum JSONTable {
  /// Reads `text` from end to end and keeps nothing.
  static func skim(_ text: [UInt8]) throws(JSONError) {
    try JSONReader.read(text, failure: \.self) { reader throws(JSONError) in try reader.skipValue() }
  }

  static let accepted: [[UInt8]] =
    [
      "[]", "{}", "[[]   ]", "[\"\"]", "[false]", "[null, 1, \"1\", {}]", "[null]", "[1\n]", " [1]", "[2] ",
      "[1,null,null,null,2]",
      "[123e65]", "[0e+1]", "[0e1]", "[ 4]",
      "[-0.000000000000000000000000000000000000000000000000000000000000000000000000000001]",
      "[20e1]", "[-0]", "[-123]", "[-1]", "[1E22]", "[1E-2]", "[1E+2]", "[123e45]", "[123.456e78]", "[1e-2]",
      "[123.456789]",
      "{\"asd\":\"sdf\", \"dfg\":\"fgh\"}", "{\"a\":\"b\",\"a\":\"c\"}", "{\"\":0}",
      "{\"foo\\u0000bar\": 42}",
      "{\"x\":[{\"id\": \"xxxxxxxxxx\"}]}", "{\n\"a\": \"b\"\n}", "[\"\\u0060\\u012a\\u12AB\"]",
      "[\"\\uD801\\udc37\"]",
      "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[\"a/*b*/c/*d//e\"]", "[\"\\\\a\"]", "[\"\\u0012\"]",
      "[\"\\uFFFF\"]", "[\"asd\"]",
      "[\"가\u{10FFFF}\u{2028}\u{7F}é\"]", "\"top\"", "-0.1", "null", "true", "\t\n\r [true]\t\n\r ",
      "[\"\\uDBFF\\uDFFE\"]",
    ].map { Array($0.utf8) } + [
      Array("[\"".utf8) + [0xF4, 0x8F, 0xBF, 0xBF, 0xED, 0x9F, 0xBF, 0xE0, 0xA0, 0x80] + Array("\"]".utf8)
    ]

  static let rejected: [([UInt8], JSONError.Kind)] =
    grammar.map { (Array($0.0.utf8), $0.1) }
    + malformedUTF8.map { (Array("[\"".utf8) + $0 + Array("\"]".utf8), .malformedUTF8) }
    + (0..<0x20).map { (Array("[\"a".utf8) + [$0] + Array("a\"]".utf8), .controlCharacter) }
    + [
      ([], .empty), ([0xEF, 0xBB, 0xBF], .byteOrderMark), ([0xEF, 0xBB, 0xBF, 0x7B, 0x7D], .byteOrderMark),
      ([0xFE, 0xFF, 0x00, 0x22], .unexpectedByte(0xFE)), ([0x5B, 0x22, 0xC3], .truncated),
      ([0x5B, 0x00, 0x5D], .unexpectedByte(0)), ([0x5B, 0xC2, 0xA0, 0x5D], .unexpectedByte(0xC2)),
    ]

  /// Overlong forms, surrogates, lone and missing trailing bytes, and what lies past U+10FFFF.
  private static let malformedUTF8: [[UInt8]] = [
    [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
    [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0xAF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
    [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE], [0xC3, 0x28], [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x8E, 0x22],
    [0xE9],
  ]

  private static func byte(_ character: Unicode.Scalar) -> JSONError.Kind {
    .unexpectedByte(UInt8(ascii: character))
  }

  private static let grammar: [(String, JSONError.Kind)] = [
    (" ", .empty), ("\n\t", .empty), ("[", .truncated), ("{", .truncated), ("\"", .truncated),
    ("[\"a", .truncated),
    ("[1", .truncated), ("[1,", .truncated), ("{\"a\"", .truncated), ("{\"a\":", .truncated),
    ("{\"a\":1", .truncated),
    ("{\"a\":1,", .truncated), ("[\"\\", .truncated), ("[\"\\u12", .truncated), ("[\"\\ud800", .truncated),
    ("nul", .truncated),
    ("-", .truncated), ("1.", .truncated), ("1e", .truncated), ("1e+", .truncated), ("tru", .truncated),
    ("[\"\\uD800\\", .truncated), ("[1 true]", byte("t")), ("[1,]", byte("]")), ("[1,,2]", byte(",")),
    ("[,1]", byte(",")),
    ("[1]]", .trailingBytes), ("[1]x", .trailingBytes), ("{}}", .trailingBytes), ("1 2", .trailingBytes),
    ("[]\u{0}", .trailingBytes), ("{\"a\":1}/**/", .trailingBytes), ("\"a\"\"b\"", .trailingBytes),
    ("]", byte("]")), ("}", byte("}")), (",", byte(",")), ("*", byte("*")), ("<html>", byte("<")),
    ("[1:2]", byte(":")), ("[3[4]]", byte("[")), ("[a]", byte("a")), ("['a']", byte("'")),
    ("[\"a\",]", byte("]")),
    ("[}", byte("}")), ("{]", byte("]")), ("{1:1}", byte("1")), ("{a:1}", byte("a")), ("{'a':1}", byte("'")),
    ("{\"a\" 1}", byte("1")), ("{\"a\",1}", byte(",")), ("{\"a\":1,}", byte("}")), ("{,}", byte(",")),
    ("{\"a\":}", byte("}")),
    ("{\"a\":1 \"b\":2}", byte("\"")), ("{\"a\":1,,\"b\":2}", byte(",")), ("{null:1}", byte("n")),
    ("{\"a\"::1}", byte(":")),
    ("[True]", byte("T")), ("[nuul]", byte("u")), ("[truth]", byte("t")), ("[falsy]", byte("y")),
    ("[nan]", byte("a")),
    ("[NaN]", byte("N")), ("[Infinity]", byte("I")), ("[-Infinity]", byte("I")), ("[undefined]", byte("u")),
    ("[+1]", byte("+")), ("[.5]", byte(".")), ("[-.5]", byte(".")), ("[1.]", byte("]")),
    ("[1.e1]", byte("e")),
    ("[1e]", byte("]")), ("[1e+]", byte("]")), ("[1eE2]", byte("E")), ("[01]", byte("1")),
    ("[-01]", byte("1")),
    ("[-]", byte("]")), ("[--1]", byte("-")), ("[0x1]", byte("x")), ("[1_000]", byte("_")),
    ("[1+2]", byte("+")),
    ("[1.2.3]", byte(".")), ("[0e1.5]", byte(".")), ("[2.e3]", byte("e")), ("[1 000.0]", byte("0")),
    ("[1a]", byte("a")),
    ("[\"\\x00\"]", .unknownEscape), ("[\"\\a\"]", .unknownEscape), ("[\"\\'\"]", .unknownEscape),
    ("[\"\\u00A\"]", .unknownEscape),
    ("[\"\\u00g0\"]", .unknownEscape), ("[\"\\U0041\"]", .unknownEscape), ("[\"\\\u{e9}\"]", .unknownEscape),
    ("[\"\\ud800\"]", .loneSurrogate), ("[\"\\ud800x\"]", .loneSurrogate),
    ("[\"\\ud800\\n\"]", .loneSurrogate),
    ("[\"\\udc00\"]", .loneSurrogate), ("[\"\\ud800\\ud800\"]", .loneSurrogate),
    ("[\"\\uD800\\u0041\"]", .loneSurrogate),
    ("[\"\\udc00\\ud800\"]", .loneSurrogate), ("[1]//", .trailingBytes), ("/*a*/1", byte("/")),
    ("[\u{2060}]", .unexpectedByte(0xE2)),
    ("[\u{c}]", .unexpectedByte(0x0C)), ("\u{b}1", .unexpectedByte(0x0B)), ("{\"a\":\"b\"}#", .trailingBytes),
  ]
}
