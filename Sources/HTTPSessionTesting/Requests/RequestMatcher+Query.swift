import HTTPTypes

extension RequestMatcher {
  /// The query has exactly these items, in any order.
  public static func query(_ items: KeyValuePairs<String, String>) -> RequestMatcher {
    query(items.map { QueryItem($0.key, $0.value) })
  }

  /// The query has exactly these items, in any order.
  public static func query(_ items: [QueryItem]) -> RequestMatcher {
    RequestMatcher("query is \(text(items))", pin: pin(items), isDecidedBy: [.query]) { request in
      let (missing, surplus) = difference(items, request.queryItems)
      if missing.isEmpty && surplus.isEmpty { return nil }
      let parts =
        (missing.isEmpty ? [] : ["lacks \(text(missing))"])
        + (surplus.isEmpty ? [] : ["has besides \(text(surplus))"])
      return "it " + parts.joined(separator: " and ")
    }
  }

  /// The query has at least these items, in any order.
  public static func query(containing items: KeyValuePairs<String, String>) -> RequestMatcher {
    query(containing: items.map { QueryItem($0.key, $0.value) })
  }

  /// The query has at least these items, in any order.
  public static func query(containing items: [QueryItem]) -> RequestMatcher {
    RequestMatcher("query contains \(text(items))", isDecidedBy: [.query]) { request in
      let (missing, _) = difference(items, request.queryItems)
      return missing.isEmpty ? nil : "\(text(missing)) is not in \(text(request.queryItems))"
    }
  }

  /// The query has an item of that name, whatever its value.
  public static func query(name: String) -> RequestMatcher {
    RequestMatcher("query has \(name)", isDecidedBy: [.query]) { request in
      request.queryItems.contains { $0.name == name } ? nil : "it is \(text(request.queryItems))"
    }
  }

  /// A request with just these items.
  private static func pin(_ items: [QueryItem]) -> Pin {
    let query = items.map { item in
      PercentCoding.encode(item.name) + (item.value.map { "=\(PercentCoding.encode($0))" } ?? "")
    }
    return Pin(
      part: .query,
      sample: SentRequest(
        HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/?" + query.joined(separator: "&"))))
  }

  private static func text(_ items: [QueryItem]) -> String {
    items.isEmpty ? "empty" : items.map(\.description).joined(separator: "&")
  }

  /// What of `wanted` is not in `actual`, and what of `actual` is left over, each item counted once.
  private static func difference(
    _ wanted: [QueryItem], _ actual: [QueryItem]
  ) -> (missing: [QueryItem], surplus: [QueryItem]) {
    var surplus = actual
    let missing = wanted.filter { item in
      guard let index = surplus.firstIndex(of: item) else { return true }
      surplus.remove(at: index)
      return false
    }
    return (missing, surplus)
  }
}
