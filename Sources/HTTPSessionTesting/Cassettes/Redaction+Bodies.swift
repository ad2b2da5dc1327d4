import HTTPTypes

extension Redaction {
  /// Whether the body is a form, whose items are those of a query.
  static func isForm(_ fields: HTTPFields) -> Bool {
    fields[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
  }

  /// The items of a query or of a form, joined by `&`, with the values of secrets replaced.
  func redactingItems(_ text: some StringProtocol) -> String {
    text.split(separator: "&", omittingEmptySubsequences: false).map { item in
      guard let equals = item.firstIndex(of: "="), isSecret(item[..<equals]) else { return String(item) }
      return item[...equals] + Self.mask
    }.joined(separator: "&")
  }

  private func isSecret(_ encodedName: some StringProtocol) -> Bool {
    queryItems.contains(PercentCoding.decode(String(encodedName).replacing("+", with: " ")).lowercased())
  }

  func redacting(body: [UInt8], isForm: Bool, echoes: [String]) -> [UInt8] {
    guard !body.isEmpty else { return body }
    guard var text = String(validating: body, as: UTF8.self) else {
      return echoes.reduce(body) { $0.replacing($1.utf8, with: Array(Self.mask.utf8)) }
    }
    if isForm { text = redactingItems(text) }
    if let document = try? JSONNode(parsing: body) {
      var (node, isChanged) = document.replacing(members: jsonMembers, with: Self.mask)
      for path in jsonPaths {
        let (replaced, changed) = node.replacing(path.components[...], with: Self.mask)
        (node, isChanged) = (replaced, isChanged || changed)
      }
      if isChanged { text = node.encoded(isPretty: false) }
    }
    for pattern in bodyPatterns {
      if let regex = try? Regex(pattern) { text.replace(regex, with: Self.mask) }
    }
    return Array(Self.replacing(echoes, in: text).utf8)
  }

  /// The secrets in a request's body that a reply might repeat.
  func bodySecrets(of sent: SentRequest) -> Set<String> {
    guard !sent.body.isEmpty else { return [] }
    if Self.isForm(sent.request.headerFields) {
      var found: Set<String> = []
      for item in sent.bodyText.split(separator: "&") {
        guard let equals = item.firstIndex(of: "="), isSecret(item[..<equals]) else { continue }
        let value = item[item.index(after: equals)...]
        found.formUnion([String(value), PercentCoding.decode(String(value).replacing("+", with: " "))])
      }
      return found
    }
    return (try? JSONNode(parsing: sent.body))?.texts(ofMembers: jsonMembers) ?? []
  }
}
