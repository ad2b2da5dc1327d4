import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Testing

@Suite struct `When a request is matched` {
  static let request: SentRequest = {
    var request = HTTPRequest(
      method: .post, scheme: "https", authority: "user:pw@API.example:8443",
      path: "/users/%EC%98%81?page=2&tag=a&tag=b&flag")
    request.headerFields = [.accept: "text/plain", .authorization: "Bearer abc"]
    return SentRequest(
      request, body: Array(#"{"name":"Ada","tags":[{"id":1,"x":2}],"n":1.0}"#.utf8))
  }()

  static let holds: [RequestMatcher] = [
    .any, .method(.post), .scheme("HTTPS"), .host("api.example"), .host("api.example:8443"),
    .path("/users/영"),
    .path("/users/%EC%98%81"), .path(matching: "/users/*"), .path(matching: "/**"),
    .path(matching: "/**/users/*"),
    .query(["tag": "b", "page": "2", "tag": "a"]) || .query(name: "flag"),
    .query(containing: ["tag": "b"]),
    .query(name: "flag"), .header(.accept), .header(.accept, "text/plain"), !.header(.cookie),
    .body(containing: "Ada"), .json(["n": 1, "name": "Ada", "tags": [["id": 1, "x": 2]]]),
    .json(containing: ["tags": [["id": 1]]]), .json(at: "tags.0.x", 2), !.emptyBody,
    .body(text: #"{"name":"Ada","tags":[{"id":1,"x":2}],"n":1.0}"#),
    .where("has a body") { !$0.body.isEmpty }, .post("https://api.example:8443/users/영?page=2"),
    .method(.get) || .method(.post), !(.method(.get) && .any),
  ]

  static let fails: [(RequestMatcher, String)] = [
    (.method(.get), "expected method is GET, but it is POST"),
    (.scheme("http"), "expected scheme is http, but it is https"),
    (
      .host("api.example:80"),
      "expected host and port is api.example:80, but it is api.example:8443"
    ),
    (.path("/users"), "expected path is /users, but it is /users/영"),
    (.path(matching: "/users"), "expected path fits /users, but it is /users/%EC%98%81"),
    (
      .query(["page": "2"]),
      "expected query is page=2, but it has besides tag=a&tag=b&flag"
    ),
    (
      .query(containing: ["tag": "c", "page": "2"]),
      "expected query contains tag=c&page=2, but tag=c is not in page=2&tag=a&tag=b&flag"
    ),
    (.query(name: "x"), "expected query has x, but it is page=2&tag=a&tag=b&flag"),
    (.header(.cookie), "expected header Cookie is there, but it is not"),
    (.header(.accept, "a/b"), "expected header Accept is a/b, but it is text/plain"),
    (
      .header(.authorization, "Bearer x"),
      "expected header Authorization is REDACTED, but it has another value"
    ),
    (.emptyBody, "expected body is empty, but it has 46 bytes"),
    (.body([1]), "expected body is 1 given bytes, but it has 46 bytes"),
    (
      .json(at: "tags.0.x", 3),
      #"expected JSON body has 3 at tags.0.x, but it is {"n":1.0,"name":"Ada","tags":[{"id":1,"x":2}]}"#
    ),
    (.where("is odd") { _ in false }, "expected is odd, but that does not hold"),
    (!.method(.post), "expected not (method is POST), but it is"),
  ]

  @Test(arguments: holds.indices) func `a rule that holds says nothing`(index: Int) {
    #expect(Self.holds[index].evaluate(Self.request).mismatches == [], "\(Self.holds[index])")
  }

  @Test(arguments: fails.indices) func `a rule that does not hold says what is there`(index: Int) {
    let (matcher, reason) = Self.fails[index]
    #expect(matcher.evaluate(Self.request).mismatches == [reason])
  }

  @Test func `all that fails of a conjunction is told, the nearer branch of a disjunction`() {
    let both = RequestMatcher.method(.get) && .scheme("http") && .host("api.example")
    #expect(both.evaluate(Self.request).mismatches.count == 2)
    let either = both || (.method(.get) && .scheme("https"))
    #expect(either.evaluate(Self.request).mismatches == ["expected method is GET, but it is POST"])
    #expect(
      either.description
        == "(method is GET and scheme is http and host is api.example) or (method is GET and scheme is https)"
        || either.description.contains(" or "))
  }

  @Test func `a description shows neither the key nor a password`() {
    let request = SentRequest(
      HTTPRequest(
        method: .get, scheme: "https", authority: "u:pw@a.example", path: "/x?KEY=abc&a=1"))
    #expect(request.description == "GET https://a.example/x?KEY=REDACTED&a=1")
    #expect(RequestMatcher.query(["key": "abc"]).description == "query is key=REDACTED")
  }
}

@Suite struct `When JSON is read and written` {
  @Test(arguments: [
    #"{"a":[1,-2.5e3,true,null,"\"\\/ü\n"],"b":{}}"#, "[]", "0", "\"\\ud83d\\ude00\"",
    " [ 1 , 2 ] ",
  ])
  func `a document survives the way there and back`(text: String) throws {
    let value = try JSONValue(parsing: text.utf8)
    #expect(try JSONValue(parsing: value.encoded()) == value)
    #expect(try JSONValue(parsing: value.encoded(isPretty: true)) == value)
  }

  @Test(arguments: [
    ("", "line 1, column 1"), ("{\n\"a\" 1}", "line 2, column 5"), ("[1,]", "line 1, column 4"),
    ("{\"a\":1,\"a\":2}", "line 1, column 11"), ("01", "line 1, column 3"),
    ("\"\\x\"", "line 1, column 4"),
    ("\"\\ud800\"", "line 1"), ("[1] 2", "line 1, column 5"), ("nul", "line 1, column 1"),
    ("\"\u{1}\"", "line 1"),
    (String(repeating: "[", count: 600), "nests deeper"), ("-", "line 1, column 2"),
    ("1.", "line 1, column 3"),
  ])
  func `what is not JSON is refused by line and column`(text: String, place: String) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text.utf8) }
    #expect(error?.description.contains(place) == true, "\(String(describing: error))")
  }
}

@Suite struct `When the rules of a stub contradict each other` {
  static let header = RequestMatcher.header(.accept) && .header(.cookie)

  static let impossible: [RequestMatcher] = [
    .query(["a": "1"]) && .query(["a": "2"]), .query([:]) && .query(name: "a"),
    .query(["a": "1"]) && .query(containing: ["b": "1"]), .json(["a": 1]) && .json(["a": 2]),
    .json(["a": 1]) && .json(at: "a", 2), .emptyBody && .body([1]), .emptyBody && .json(["a": 1]),
    .body(text: "x") && .body(containing: "y"), .body([1]) && .body([2]), header && !header,
    .method(.get) && !.method(.get), .path("/a") && !(!(.path("/b"))), !.any, .path("/a?b=1"),
    .emptyBody && !.body(text: ""),
  ]

  static let possible: [RequestMatcher] = [
    .query(["a": "1"]) && .query(name: "a"), .query(["a": "1", "b": "2"]) && .query(["b": "2", "a": "1"]),
    .json(["a": 1]) && .json(["a": 1.0]), .json(["a": 1]) && .body(text: #"{ "a": 1 }"#),
    .header(.accept) && !.header(.cookie), .method(.get) && !.method(.post),
    (.method(.get) || .method(.post)) && .method(.get), header && !(header && .path("/a")),
    .body([1, 2]) && !.body([2, 1]), .path("/a%3Fb"),
    .where("x") { _ in true } && !.where("x") { _ in false },
  ]

  @Test(arguments: impossible.indices) func `the stub is refused and says why`(index: Int) async throws {
    let session = StubSession(Stub(Self.impossible[index], .status(.ok)), unmatched: .throwOnly)
    let failure = try #require(session.failures.first, "\(Self.impossible[index])")
    #expect(failure.code == .contradictoryStub)
    #expect(failure.detail.hasPrefix("The stub for \(Self.impossible[index]): "))
  }

  @Test(arguments: possible.indices) func `rules that can hold together are not refused`(index: Int) {
    let session = StubSession(Stub(Self.possible[index], .status(.ok)), unmatched: .throwOnly)
    #expect(session.failures.isEmpty, "\(Self.possible[index])")
  }
}
