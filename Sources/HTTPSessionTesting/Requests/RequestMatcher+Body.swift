import HTTPTypes

extension RequestMatcher {
  /// The request has no content.
  public static let emptyBody = RequestMatcher("body is empty", pin: pin([]), isDecidedBy: [.body]) {
    request in
    request.body.isEmpty ? nil : "it has \(request.body.count) bytes"
  }

  /// The body is these bytes.
  public static func body(_ bytes: some Sequence<UInt8>) -> RequestMatcher {
    let wanted = Array(bytes)
    return RequestMatcher(
      "body is \(wanted.count) given bytes", pin: pin(wanted), isDecidedBy: [.body]
    ) { request in
      if request.body == wanted { return nil }
      if request.body.count != wanted.count { return "it has \(request.body.count) bytes" }
      let index = zip(request.body, wanted).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
      return "it differs at byte \(index)"
    }
  }

  /// The body is this text in UTF-8.
  public static func body(text: String) -> RequestMatcher {
    RequestMatcher(
      "body is \"\(excerpt(text))\"", pin: pin(Array(text.utf8)), isDecidedBy: [.body]
    ) { request in
      request.body == Array(text.utf8) ? nil : "it is \"\(excerpt(request.bodyText))\""
    }
  }

  /// The body, read as UTF-8, has this text in it.
  public static func body(containing text: String) -> RequestMatcher {
    RequestMatcher("body contains \"\(excerpt(text))\"", isDecidedBy: [.body]) { request in
      request.bodyText.contains(text) ? nil : "it is \"\(excerpt(request.bodyText))\""
    }
  }

  /// The body is JSON equal to `value`: the order of members and space do not matter.
  public static func json(_ value: JSONValue) -> RequestMatcher {
    json("JSON body is \(excerpt(value.description))", pin: pin(value.encoded(), .json)) { $0 == value }
  }

  /// The body is JSON that holds all of `value`, as ``JSONValue/contains(_:)`` has it.
  public static func json(containing value: JSONValue) -> RequestMatcher {
    json("JSON body contains \(excerpt(value.description))") { $0.contains(value) }
  }

  /// The body is JSON whose value at `path` is `value`.
  public static func json(at path: JSONPath, _ value: JSONValue) -> RequestMatcher {
    json("JSON body has \(excerpt(value.description)) at \(path)") { $0.value(at: path) == value }
  }

  private static func json(
    _ description: String, pin: Pin? = nil, _ isMet: @escaping @Sendable (JSONValue) -> Bool
  ) -> RequestMatcher {
    RequestMatcher(description, pin: pin, isDecidedBy: [.body, .json]) { request in
      do throws(JSONSyntaxError) {
        let body = try request.bodyJSON()
        return isMet(body) ? nil : "it is \(excerpt(body.description))"
      } catch {
        return request.body.isEmpty ? "the body is empty" : "the body is not JSON (\(error))"
      }
    }
  }

  /// A request with just this body.
  private static func pin(_ body: [UInt8], _ part: Pin.Part = .body) -> Pin {
    Pin(
      part: part,
      sample: SentRequest(
        HTTPRequest(method: .post, scheme: nil, authority: nil, path: nil), body: body))
  }

  /// The most characters of a body that an explanation quotes.
  static let excerptCharacterCountMax = 200

  private static func excerpt(_ text: String) -> String {
    text.count <= excerptCharacterCountMax ? text : text.prefix(excerptCharacterCountMax) + "…"
  }
}
