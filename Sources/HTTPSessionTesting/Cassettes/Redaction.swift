import HTTPTransport
import HTTPTypes

/// What of an exchange is a secret, and is replaced by `REDACTED` before anything is matched, saved or rewritten.
///
/// A value that is replaced in a request's query or header is also replaced wherever the reply repeats it. Lengths
/// are mended: `Content-Length` is that of the body as it stands on the cassette.
public struct Redaction: Sendable {
  /// What stands for a secret.
  public static let mask = SecretName.mask

  /// A shorter secret is not looked for in replies: it would be found everywhere.
  static let echoCharacterCountMin = 6

  /// Names of query items, and of items of form bodies, whose values are secrets; kept in lower case, case ignored.
  public var queryItems: Set<String> { didSet { queryItems = Self.lowercased(queryItems) } }

  /// Names of header fields whose values are secrets; kept in lower case, case ignored.
  public var headers: Set<String> { didSet { headers = Self.lowercased(headers) } }

  /// Names of JSON members whose texts and numbers are secrets at any depth; kept in lower case, case ignored.
  public var jsonMembers: Set<String> { didSet { jsonMembers = Self.lowercased(jsonMembers) } }

  /// Places in JSON bodies, of requests and replies, whose values are secrets.
  public var jsonPaths: [JSONPath]

  /// Regular expressions, in Swift's `Regex` syntax; what they match in text bodies is a secret.
  public var bodyPatterns: [String]

  /// Makes a redaction; names that you give come on top of the default ones.
  public init(
    queryItems: Set<String> = [], headers: Set<String> = [], jsonMembers: Set<String> = [],
    jsonPaths: [JSONPath] = [], bodyPatterns: [String] = []
  ) {
    self.queryItems = Self.lowercased(queryItems).union(SecretName.names)
    self.headers = Self.lowercased(headers).union(SecretName.names)
    self.jsonMembers = Self.lowercased(jsonMembers).union(SecretName.memberNames)
    self.jsonPaths = jsonPaths
    self.bodyPatterns = bodyPatterns
  }

  private static func lowercased(_ names: Set<String>) -> Set<String> {
    Set(names.map { $0.lowercased() })
  }

  /// The names that usually carry secrets: the query item `key` and its like, `Authorization`, cookies.
  public static let `default` = Redaction()

  /// Checks the patterns.
  ///
  /// - Throws: ``HTTPTestingError`` naming the first pattern that is no regular expression, or that matches no
  ///   text at all and so would be found between any two characters.
  func validate() throws(HTTPTestingError) {
    for pattern in bodyPatterns {
      let regex: Regex<AnyRegexOutput>
      do { regex = try Regex(pattern) } catch {
        throw HTTPTestingError(
          .redactionInvalid, "The body pattern /\(pattern)/ is no regular expression: \(error)")
      }
      guard "".firstMatch(of: regex) == nil else {
        throw HTTPTestingError(
          .redactionInvalid,
          "The body pattern /\(pattern)/ matches the empty text. Write + where it has *.")
      }
    }
  }

  /// The request with its secrets replaced.
  public func redacting(_ sent: SentRequest) -> SentRequest {
    var request = sent.request
    if let path = request.path { request.path = redactingQuery(path) }
    request.authority = request.authority.map { Authority($0).display }
    request.headerFields = redacting(request.headerFields)
    let body = redacting(body: sent.body, isForm: Self.isForm(request.headerFields), echoes: [])
    if body != sent.body { Self.mendLength(&request.headerFields, body) }
    return SentRequest(request, body: body, limits: sent.limits)
  }

  /// The exchange with its secrets replaced, those that the reply repeats included.
  public func redacting(_ exchange: RecordedExchange) -> RecordedExchange {
    let echoes = secrets(of: exchange.request)
    let request = redacting(exchange.request)
    switch exchange.outcome {
    case .reply(var reply):
      reply.body = redacting(
        body: reply.body, isForm: Self.isForm(reply.head.headerFields), echoes: echoes)
      reply.head.headerFields = redacting(reply.head.headerFields, echoes: echoes)
      return Self.mended(RecordedExchange(request, .reply(reply)))
    case .failure(let error):
      let detail = Self.replacing(echoes, in: error.detail)
      return RecordedExchange(
        request,
        .failure(TransportError(error.code, host: error.host, path: error.path, detail: detail)))
    }
  }

  /// The exchange with the lengths that its bodies have, as one who edits a cassette by hand forgets them.
  static func mended(_ exchange: RecordedExchange) -> RecordedExchange {
    var exchange = exchange
    let sent = exchange.request
    var request = sent.request
    mendLength(&request.headerFields, sent.body)
    exchange.request = SentRequest(request, body: sent.body, limits: sent.limits)
    guard case .reply(var reply) = exchange.outcome else { return exchange }
    // A cassette holds the decoded content, so it is what the length counts.
    reply.head.headerFields[.contentEncoding] = nil
    reply.head.headerFields[.transferEncoding] = nil
    mendLength(&reply.head.headerFields, reply.body)
    exchange.outcome = .reply(reply)
    return exchange
  }

  private static func mendLength(_ fields: inout HTTPFields, _ body: [UInt8]) {
    if fields.contains(.contentLength) { fields[.contentLength] = String(body.count) }
  }

  private func redactingQuery(_ path: String) -> String {
    guard let mark = path.firstIndex(of: "?") else { return path }
    return path[...mark] + redactingItems(path[path.index(after: mark)...])
  }

  private func redacting(_ fields: HTTPFields, echoes: [String] = []) -> HTTPFields {
    var redacted = HTTPFields()
    for field in fields {
      let isSecret = headers.contains(field.name.canonicalName)
      let value = isSecret ? Self.mask : Self.replacing(echoes, in: redactingQuery(field.value))
      redacted.append(HTTPField(name: field.name, value: value))
    }
    return redacted
  }

  private func secrets(of sent: SentRequest) -> [String] {
    var found: Set<String> = []
    for item in sent.queryItems where queryItems.contains(item.name.lowercased()) {
      if let value = item.value { found.formUnion([value, PercentCoding.encode(value)]) }
    }
    found.formUnion(bodySecrets(of: sent))
    for field in sent.request.headerFields where headers.contains(field.name.canonicalName) {
      found.insert(field.value)
      // `Bearer abc` and `Basic abc`: the reply would repeat the second word alone.
      if let last = field.value.split(separator: " ").last { found.insert(String(last)) }
    }
    return found.filter { $0.count >= Self.echoCharacterCountMin && $0 != Self.mask }
      .sorted { ($0.count, $0) > ($1.count, $1) }
  }

  static func replacing(_ secrets: [String], in text: String) -> String {
    secrets.reduce(text) { $0.replacing($1, with: mask) }
  }
}
