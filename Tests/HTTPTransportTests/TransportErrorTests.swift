import HTTPTransport
import HTTPTypes
import Testing

@Suite struct `When a transport error is made` {
  @Test func `the query, a fragment and user information are left out`() {
    let error = TransportError(
      .timeout, host: "user:\(canary)@kobis.or.kr:443", path: "/a?key=\(canary)#\(canary)", detail: "late")
    #expect(error.host == "kobis.or.kr:443")
    #expect(error.path == "/a")
    #expect(renderings(of: error).allSatisfy { !$0.contains(canary) })
  }

  @Test func `it describes itself by code, place and detail`() {
    let request = HTTPRequest(method: .get, scheme: "https", authority: "kobis.or.kr", path: "/a?key=1")
    #expect(
      "\(TransportError(.offline, for: request, detail: "no network"))"
        == "offline at kobis.or.kr/a: no network")
    #expect("\(TransportError(.other, host: nil, path: nil, detail: "odd"))" == "other: odd")
  }

  @Test func `a code that is not known yet survives`() {
    let code = TransportError.Code(rawValue: "quicStalled")
    #expect(code.description == "quicStalled")
    #expect(code != .other)
  }
}
