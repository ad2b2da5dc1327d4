import CatalogEngine
import KOBIS
import Testing

@Suite struct `When there is a key` {
  private let canary = "canary-key-0123456789"

  @Test func `no description, dump or mirror shows it`() throws {
    let key = try APIKey(canary)
    let source = KOBISSource(key: key)
    var dumped = ""
    dump(key, to: &dumped)
    dump(source, to: &dumped)
    dump([source], to: &dumped)
    let shown = [
      dumped, "\(key)", "\(source)", String(reflecting: key), String(reflecting: source),
      String(describing: [key]),
      String(reflecting: Optional(key)), "\(Mirror(reflecting: key).children.map { "\($0)" })",
      "\(Mirror(reflecting: source).children.map { String(reflecting: $0) })",
    ]
    #expect(shown.allSatisfy { !$0.contains(canary) })
    #expect("\(key)" == "[key]")
  }

  @Test func `KOBIS repeating it does not bring it into a failure`() throws {
    let source = KOBISSource(key: try APIKey(canary))
    let fault =
      "{\"faultInfo\":{\"message\":\"[parameterName=key,parameterValue=\(canary)]\",\"errorCode\":\"320010\"}}"
    let bodies = [
      fault, "{\"faultInfo\":{\"message\":\"\",\"errorCode\":\"\(canary)\"}}",
      "{\"boxOfficeResult\":{\"showRange\":\"\(canary)\"}}",
      "{\"boxOfficeResult\":{\"showRange\":\"20190708~20190708\",\"dailyBoxOfficeList\":[{\"rnum\":\"\(canary)\"}]}}",
    ]
    for body in bodies {
      let failure = #expect(throws: CatalogFailure.self) {
        try source.value(from: Array(body.utf8), for: Sample.daily(20_190_708))
      }
      #expect(failure.map { "\($0) \($0.detail ?? "")" }?.contains(canary) == false)
    }
  }

  /// Bodies that repeat the key where an error quotes what it refuses, and cuts it short.
  private static func echoes(of key: String) -> [String] {
    let fill = { (count: Int) in String(repeating: "x", count: count) }
    let chart = "{\"boxOfficeResult\":{\"showRange\":\"20190708~20190708\",\"dailyBoxOfficeList\":"
    return [
      "{\"faultInfo\":{\"message\":\"\",\"errorCode\":\"\(key)\"}}",
      "{\"faultInfo\":{\"message\":\"\",\"errorCode\":\"zzzzzzzz\(key)\"}}",
      "{\"faultInfo\":{\"message\":\"\(fill(190))\(key)\",\"errorCode\":\"320010\"}}",
      "{\"faultInfo\":{\"message\":\"\(fill(190))\(key)\u{301}\",\"errorCode\":\"320010\"}}",
      "{\"faultInfo\":{\"message\":\"\(key)\u{301}\",\"errorCode\":\"\(key)\u{301}\"}}",
      "{\"boxOfficeResult\":{\"showRange\":\"\(fill(30))\(key)\"}}",
      "\(chart)[{\"rnum\":\"\(fill(32))\(key)\"}]}}",
      "\(chart)[{\"rnum\":\"\(key)\u{301}\"}]}}",
      "<html>\(key)</html>", "\u{FEFF}<html>\(key)</html>", "{\"\(key)", "\(key)",
    ]
  }

  @Test(arguments: [
    "canary-key-0123456789", "canary/key+0123\"456\\789=", "0123456789abcdef0123456789abcdef",
  ])
  func `not even a part of it comes into a failure from an echo that is cut`(_ text: String) throws {
    let source = KOBISSource(key: try APIKey(text))
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let percentEncoded = PercentEncoding.encoded(text)
    let spellings = [
      escaped, escaped.replacing("/", with: "\\/"), percentEncoded, percentEncoded.lowercased(),
      escaped.replacing("-", with: "\\u002d").replacing("=", with: "\\u003D"),
    ]
    func windows(_ text: String) -> Set<[UInt8]> {
      let bytes = Array(text.utf8)
      let byteCount = 6
      return Set((0...bytes.count - byteCount).map { Array(bytes[$0..<$0 + byteCount]) })
    }
    for spelling in spellings {
      let secret = windows(spelling).union(windows(text))
      for body in Self.echoes(of: spelling) {
        let failure = try #require(throws: CatalogFailure.self) {
          try source.value(from: Array(body.utf8), for: Sample.daily(20_190_708))
        }
        var shown = "\(failure) \(failure.message) \(failure.detail ?? "")"
        dump(failure, to: &shown)
        #expect(secret.isDisjoint(with: windows(shown)), "\(body)")
      }
    }
  }

  @Test(arguments: [
    ("a%41%c", "x a%41%c y", "x [key] y"), ("ab\\\\cd", "ab\\\\cd", "[key]"),
    ("ab\\\\cd", "ab\\\\\\\\cd", "[key]"), ("abcabc", "abcabcabcab", "[key]abcab"),
    ("abcdef", "abcdeabcdef", "abcde[key]"), ("abcdef", "%61bc\\u0064ef\u{301}", "[key]\u{301}"),
  ])
  func `every spelling of it is found`(_ key: String, _ text: String, _ expected: String) throws {
    // By scalars: a combining mark is one character with what precedes it.
    #expect(try Array(APIKey(key).hidden(in: text).unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test(arguments: ["abcde", "abcdeg", "abcd%65", "abcde\\", "abcde\\u0066g".replacing("66", with: "6"), ""])
  func `what only begins like it is left`(_ text: String) throws {
    #expect(try APIKey("abcdef").hidden(in: Array(text.utf8)) == nil)
  }

  @Test func `a key of backslashes takes no longer than another`() throws {
    let key = try APIKey(String(repeating: "\\", count: 64))
    let short = String(repeating: "\\", count: 63)
    #expect(key.hidden(in: short + "x") == short + "x")
  }

  @Test func `an echo of it leaves the failure its class`() throws {
    let source = KOBISSource(key: try APIKey(canary))
    let body = "{\"faultInfo\":{\"message\":\"no \(canary)\",\"errorCode\":\"320010\"}}"
    let failure = #expect(throws: CatalogFailure.self) {
      try source.value(from: Array(body.utf8), for: Sample.daily(20_190_708))
    }
    #expect(failure?.code == .keyRefused)
    #expect(failure?.detail == "320010")
    #expect(failure?.message.contains("(no [key])") == true)
  }

  @Test func `an answer that is refused for the key's sake alone says so`() throws {
    // Without the key, which is a field's name, the object names no field twice.
    let key = "yearWeekTime"
    let body = """
      {"boxOfficeResult":{"showRange":"20190708~20190708","\(key)":"1","\(key)":"2","dailyBoxOfficeList":[]}}
      """
    let source = KOBISSource(key: try APIKey(key))
    let failure = #expect(throws: CatalogFailure.self) {
      try source.value(from: Array(body.utf8), for: Sample.daily(20_190_708))
    }
    #expect(failure?.code == .undecodable)
    #expect(failure?.message.hasSuffix("the answer repeats the API key") == true)
  }

  @Test func `the last newline of a file is no part of it`() throws {
    #expect(try APIKey(" \(canary)\r\n") == APIKey(canary))
  }

  @Test(arguments: [
    "", " \n", "a b", "a\u{0}b", "k\u{e9}y", "line\nline", String(repeating: "k", count: 257),
  ])
  func `what cannot be a key is refused and not repeated`(_ text: String) {
    let error = #expect(throws: KOBISError.self) { try APIKey(text) }
    #expect(error?.code == .malformedKey)
    if text.count > 2 { #expect(error?.description.contains(text) == false) }
  }
}
