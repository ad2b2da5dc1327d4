import HTTPTransport
import HTTPTypes
import Testing

@Suite struct `When a destination is judged` {
  private func request(_ scheme: String?, _ authority: String?, _ path: String? = "/") -> HTTPRequest {
    HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path)
  }

  private func refusal(of request: HTTPRequest, allowsPlainHTTP: Bool = true) -> TransportError? {
    do {
      _ = try Destination(of: request, allowsPlainHTTP: allowsPlainHTTP)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    "169.254.169.254", "169.254.0.1:80", "0xa9fea9fe", "2852039166", "169.254.43518", "0251.0376.0251.0376",
    "169.254.169.254.", "[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]:8080", "[::169.254.1.1]",
    "[64:ff9b::a9fe:a9fe]", "[fe80::1]", "[febf::1]:443", "[FE80::1]",
  ])
  func `a link-local address is refused in every spelling`(authority: String) {
    for scheme in ["http", "https"] {
      let error = refusal(of: request(scheme, authority))
      #expect(error?.code == .invalidRequest)
      #expect(error?.detail == "a link-local address is refused")
    }
  }

  @Test(arguments: ["169.253.1.1", "170.254.1.1", "[fec0::1]", "[2001:db8::1]", "1.254.169.254"])
  func `an address beside the link-local ranges is not`(authority: String) {
    #expect(refusal(of: request("https", authority)) == nil)
  }

  @Test(arguments: [
    "localhost", "LOCALHOST:8080", "127.0.0.1:80", "127.9.9.9", "[::1]", "[::ffff:127.0.0.1]:1",
    "[::ffff:7f09:909]",
  ])
  func `plain http may go to this machine`(authority: String) {
    #expect(refusal(of: request("http", authority), allowsPlainHTTP: false) == nil)
  }

  @Test(arguments: [
    "example.org", "localhost.example.org", "10.0.0.1", "[::2]", "128.0.0.1", "0.0.0.0",
    "127.0.0.1.example.org", "[64:ff9b::7f00:1]", "[64:ff9b::127.0.0.1]", "[::127.0.0.1]", "[::7f00:1]",
    "[::ffff:128.0.0.1]",
  ])
  func `plain http may go elsewhere only if allowed`(authority: String) {
    #expect(refusal(of: request("http", authority), allowsPlainHTTP: false)?.code == .invalidRequest)
    #expect(refusal(of: request("http", authority), allowsPlainHTTP: true) == nil)
    #expect(refusal(of: request("https", authority), allowsPlainHTTP: false) == nil)
  }

  @Test(arguments: [
    "", ":80", "a b", "user@example.org", "user:secret@example.org", "example.org:0", "example.org:65536",
    "example.org:x", "example.org:", "example.org:80:80", "example.org/path", "example.org?x",
    "example.org#x",
    "exa%6dple.org", "[::1", "[]", "[::1]x", "[fe80::1%25eth0]", "영화.kr", "example.org\\@evil",
  ])
  func `an authority that is no host and port is refused`(authority: String) {
    #expect(refusal(of: request("https", authority))?.code == .invalidRequest)
  }

  @Test(arguments: [nil, "", "ftp", "file", "unix", "https+unix"] as [String?])
  func `a scheme other than http and https is refused`(scheme: String?) {
    #expect(refusal(of: request(scheme, "example.org"))?.code == .invalidRequest)
  }

  @Test(arguments: [nil, "", "*", "x", "@example.com/", "/a b", "/a#b", "/a\\b", "/영화"] as [String?])
  func `a path that is not percent-encoded from its slash on is refused`(path: String?) {
    #expect(refusal(of: request("https", "example.org", path))?.code == .invalidRequest)
  }

  @Test func `no host at all and CONNECT are refused`() {
    #expect(refusal(of: request("https", nil))?.code == .invalidRequest)
    let connect = HTTPRequest(method: .connect, scheme: "https", authority: "example.org", path: "/")
    #expect(refusal(of: connect)?.code == .invalidRequest)
  }

  @Test func `a good one keeps the path and its query as they are`() throws {
    let destination = try Destination(
      of: request("HTTPS", "kobis.or.kr:8443", "/a%20b?key=1&q=%ED%95%9C"), allowsPlainHTTP: false)
    #expect(destination.url == "https://kobis.or.kr:8443/a%20b?key=1&q=%ED%95%9C")
    #expect(destination.host == "kobis.or.kr")
    #expect(destination.scheme == "https")
  }
}
