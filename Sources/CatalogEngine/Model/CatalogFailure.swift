/// Why an answer did not come, or came from the cache: thrown when there is nothing to serve, and carried by a
/// ``Reading`` that was served in its place.
///
/// It is matched by ``code``. Its text names what, where and what to do, and never holds a key or a URL's query.
public struct CatalogFailure: Error, Hashable, Sendable {
  /// The kinds of failures; the names are stable, and the same in the command's JSON.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code's stable name.
    public let rawValue: String

    /// Makes a code from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code's stable name.
    public var description: String { rawValue }

    /// The network or the upstream's name cannot be found from this machine.
    public static let offline = Code(rawValue: "offline")
    /// The connection failed or broke: refused, reset, TLS, not HTTP.
    public static let transport = Code(rawValue: "transport")
    /// No whole answer came before the deadline.
    public static let timeout = Code(rawValue: "timeout")
    /// The upstream answered with a status other than 200.
    public static let status = Code(rawValue: "status")
    /// The upstream answered with a fault of its own in place of the data.
    public static let fault = Code(rawValue: "fault")
    /// The answer is not what the service answers: no JSON, a field missing or out of range.
    public static let undecodable = Code(rawValue: "undecodable")
    /// The answer decodes but cannot be true: another day's chart, a movie twice, nothing where there was something.
    public static let implausible = Code(rawValue: "implausible")
    /// The answer is larger than the limits allow.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The day's calls are used up: the upstream says so, or the ledger does and the upstream is not asked.
    public static let quota = Code(rawValue: "quota")
    /// The upstream failed so often of late that it is not asked for a while.
    public static let breakerOpen = Code(rawValue: "breakerOpen")
    /// No API key is configured.
    public static let keyMissing = Code(rawValue: "keyMissing")
    /// The upstream refused the API key.
    public static let keyRefused = Code(rawValue: "keyRefused")
    /// Nothing is stored, and the policy does not let the upstream be asked.
    public static let notStored = Code(rawValue: "notStored")
    /// What is stored is older than the caller allows.
    public static let tooOld = Code(rawValue: "tooOld")

    /// Every code there is.
    public static let all: [Code] = [
      .offline, .transport, .timeout, .status, .fault, .undecodable, .implausible, .tooLarge, .quota,
      .breakerOpen, .keyMissing, .keyRefused, .notStored, .tooOld,
    ]
  }

  /// What kind of failure.
  public var code: Code

  /// One sentence for a person: what happened, where, and what to do.
  public var message: String

  /// The source's own word for it, if it has one: a fault's number, or the name of a decoding error.
  public var detail: String?

  /// The ``detail`` of a failure that means that the upstream knows no movie of the code asked for.
  public static let unknownMovieDetail = "unknownMovie"

  /// The ``detail`` of a failure that means that the upstream knows no person of the code asked for.
  public static let unknownPersonDetail = "unknownPerson"

  /// The ``detail`` of a failure that means that the upstream knows no company of the code asked for.
  public static let unknownCompanyDetail = "unknownCompany"

  /// Whether the upstream says that nobody and nothing has the code that it was asked for.
  public var isUnknownCode: Bool {
    code == .fault
      && [Self.unknownMovieDetail, Self.unknownPersonDetail, Self.unknownCompanyDetail].contains(detail)
  }

  /// When it happened, by the catalogue's clock; `nil` until the catalogue has stamped it.
  public var at: Timestamp?

  /// When the upstream will be asked again, if it is not asked before a certain time: the next probe of an open
  /// breaker, the reset of a spent quota. It is told and not stored.
  public var nextAttemptAt: Timestamp?

  /// Until when a sync leaves the resource alone, because its answer was of no use and will hardly be better at once;
  /// `nil` if the next sync tries again. It is stored with the failure. Readers ask all the same.
  public var setAsideUntil: Timestamp?

  /// Makes a failure.
  public init(
    _ code: Code, _ message: String, detail: String? = nil, at: Timestamp? = nil,
    nextAttemptAt: Timestamp? = nil, setAsideUntil: Timestamp? = nil
  ) {
    self.code = code
    self.message = message
    self.detail = detail
    self.at = at
    self.nextAttemptAt = nextAttemptAt
    self.setAsideUntil = setAsideUntil
  }
}

extension CatalogFailure: CustomStringConvertible {
  /// Code and message in one line.
  public var description: String { "\(code): \(message)" }
}
