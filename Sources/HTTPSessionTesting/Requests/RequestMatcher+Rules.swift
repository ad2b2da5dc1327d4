public import HTTPTypes

extension RequestMatcher {
  /// Met by every request.
  public static let any = RequestMatcher(node: .all)

  /// The method is `method`.
  public static func method(_ method: HTTPRequest.Method) -> RequestMatcher {
    .value("method", method.rawValue) { $0.method.rawValue }
  }

  /// The URL's scheme is `scheme`, case ignored.
  public static func scheme(_ scheme: String) -> RequestMatcher {
    .value("scheme", scheme.lowercased()) { $0.scheme?.lowercased() }
  }

  /// The URL's host is `host`, case ignored; write `host:port` to ask for a port, too.
  public static func host(_ host: String) -> RequestMatcher {
    let wanted = Authority(host)
    guard wanted.port != nil else { return .value("host", wanted.host) { $0.host } }
    return .value("host and port", wanted.display) {
      $0.request.authority.map { Authority($0).display }
    }
  }

  /// The path, without its query, is `path`; both are compared percent-decoded.
  ///
  /// A question mark that belongs to the path is written `%3F`.
  public static func path(_ path: String) -> RequestMatcher {
    let problem = "the path \(path) has a query; ask for that with query(_:), or by get(_:) and its like"
    return .value("path", PercentCoding.decode(path), problem: path.contains("?") ? problem : nil) {
      PercentCoding.decode($0.path)
    }
  }

  /// The path fits `pattern`, in which `*` stands for one component and `**` for any number of them.
  public static func path(matching pattern: String) -> RequestMatcher {
    let wanted = pattern.split(separator: "/", omittingEmptySubsequences: false)[...]
    return RequestMatcher("path fits \(pattern)") { request in
      let components = request.path.split(separator: "/", omittingEmptySubsequences: false)[...]
      return PathPattern.matches(components, wanted) ? nil : "it is \(request.path)"
    }
  }

  /// The header field `name` is there, whatever its value.
  public static func header(_ name: HTTPField.Name) -> RequestMatcher {
    RequestMatcher("header \(name) is there") { request in
      request.request.headerFields.contains(name) ? nil : "it is not"
    }
  }

  /// One of the header fields `name` has that value.
  public static func header(_ name: HTTPField.Name, _ value: String) -> RequestMatcher {
    let shown = SecretName.isSecret(name.rawName) ? SecretName.mask : value
    return RequestMatcher("header \(name) is \(shown)") { request in
      let values = request.request.headerFields[values: name]
      if values.contains(value) { return nil }
      if values.isEmpty { return "it is not there" }
      return SecretName.isSecret(name.rawName)
        ? "it has another value" : "it is \(values.joined(separator: ", "))"
    }
  }

  /// What `isMet` says; `description` completes "expected …".
  public static func `where`(
    _ description: String, _ isMet: @escaping @Sendable (SentRequest) -> Bool
  ) -> RequestMatcher {
    RequestMatcher(description) { isMet($0) ? nil : "that does not hold" }
  }

  /// `GET` of a place: a path, or a URL with scheme and host; a query in it must be contained.
  public static func get(_ place: String) -> RequestMatcher { .method(.get) && .place(place) }

  /// `POST` to a place, as in ``get(_:)``.
  public static func post(_ place: String) -> RequestMatcher { .method(.post) && .place(place) }

  /// `PUT` to a place, as in ``get(_:)``.
  public static func put(_ place: String) -> RequestMatcher { .method(.put) && .place(place) }

  /// `PATCH` of a place, as in ``get(_:)``.
  public static func patch(_ place: String) -> RequestMatcher { .method(.patch) && .place(place) }

  /// `DELETE` of a place, as in ``get(_:)``.
  public static func delete(_ place: String) -> RequestMatcher { .method(.delete) && .place(place) }

  /// A path such as `/users?page=2`, or a URL with scheme and host; a query in it must be contained.
  public static func place(_ place: String) -> RequestMatcher {
    var rest = place[...]
    var matcher: RequestMatcher?
    func add(_ other: RequestMatcher) { matcher = matcher.map { $0 && other } ?? other }
    if let mark = rest.firstRange(of: "://") {
      add(.scheme(String(rest[..<mark.lowerBound])))
      rest = rest[mark.upperBound...]
      let host = rest.prefix { $0 != "/" && $0 != "?" }
      add(.host(String(host)))
      rest = rest[host.endIndex...]
    }
    let path = rest.prefix { $0 != "?" && $0 != "#" }
    add(.path(path.isEmpty ? "/" : String(path)))
    let items = QueryItem.items(inPath: String(rest))
    if !items.isEmpty { add(.query(containing: items)) }
    return matcher ?? .any
  }

  static func value(
    _ part: String, _ wanted: String, problem: String? = nil,
    _ actual: @escaping @Sendable (SentRequest) -> String?
  ) -> RequestMatcher {
    RequestMatcher(
      "\(part) is \(wanted)", exclusive: Exclusive(part: part, value: wanted), problem: problem
    ) {
      request in
      guard let actual = actual(request) else { return "there is none" }
      return actual == wanted ? nil : "it is \(actual)"
    }
  }
}
