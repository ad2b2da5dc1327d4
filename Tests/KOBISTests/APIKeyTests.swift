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
