/// What went wrong with the kit's own doing: a request nobody stubbed, a rule that contradicts itself, a fixture
/// that is not there.
///
/// It is matched by ``code``; ``detail`` is for people and names the rule, the file or the line, and the way
/// out. No value of a secret query item or header is in it.
public struct HTTPTestingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, as an open set: a later version may add codes.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code's stable name.
    public let rawValue: String

    /// Makes a code from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code's stable name.
    public var description: String { rawValue }

    /// A request matched no stub, no recorded exchange or no expectation.
    public static let unmatchedRequest = Code(rawValue: "unmatchedRequest")
    /// A stub's rules cannot all hold.
    public static let contradictoryStub = Code(rawValue: "contradictoryStub")
    /// A stub that no request used.
    public static let unusedStub = Code(rawValue: "unusedStub")
    /// An expectation was not met.
    public static let unmetExpectation = Code(rawValue: "unmetExpectation")
    /// A double that must not be asked was asked.
    public static let unexpectedUse = Code(rawValue: "unexpectedUse")
    /// A fixture file is not where it was looked for, or cannot be read.
    public static let fixtureNotFound = Code(rawValue: "fixtureNotFound")
    /// A value could not be encoded as the body of an answer.
    public static let notEncodable = Code(rawValue: "notEncodable")
    /// A request was made where no network may be used.
    public static let networkForbidden = Code(rawValue: "networkForbidden")
    /// A download or another task that URLSession on Linux cannot hand to a stub.
    public static let unsupportedTask = Code(rawValue: "unsupportedTask")
    /// A cassette is not there and may not be recorded.
    public static let cassetteMissing = Code(rawValue: "cassetteMissing")
    /// A cassette ends in the middle.
    public static let cassetteTruncated = Code(rawValue: "cassetteTruncated")
    /// A cassette, or a HAR file, is not in its format.
    public static let cassetteMalformed = Code(rawValue: "cassetteMalformed")
    /// A cassette was written by a later version of this kit.
    public static let cassetteTooNew = Code(rawValue: "cassetteTooNew")
    /// A cassette holds a secret in the clear.
    public static let cassetteHoldsSecret = Code(rawValue: "cassetteHoldsSecret")
    /// A cassette could not be written, or was recorded and never saved.
    public static let cassetteNotSaved = Code(rawValue: "cassetteNotSaved")
    /// A rule of a redaction cannot be applied.
    public static let redactionInvalid = Code(rawValue: "redactionInvalid")
    /// A recorded exchange that no request asked for.
    public static let unplayedExchange = Code(rawValue: "unplayedExchange")
  }

  /// What went wrong.
  public let code: Code

  /// What happened, where, and the way out.
  public let detail: String

  /// Makes an error.
  public init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// Code and detail.
  public var description: String { "\(code): \(detail)" }
}
