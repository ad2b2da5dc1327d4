/// What is wrong with something that KOBIS answered, or with how it is to be asked.
///
/// It is matched by ``code``. An engine meets it as the ``CatalogEngine/CatalogFailure`` of the same message, whose
/// `detail` is the code's name (or, for a fault, KOBIS's number).
public struct KOBISError: Error, Hashable, Sendable {
  /// The kinds of errors, as an open set: a later version may add codes.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code's stable name.
    public let rawValue: String

    /// Makes a code from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code's stable name.
    public var description: String { rawValue }

    /// The body is empty.
    public static let empty = Code(rawValue: "empty")
    /// The body is an HTML or XML page.
    public static let markup = Code(rawValue: "markup")
    /// The body ends within the JSON text.
    public static let truncated = Code(rawValue: "truncated")
    /// The body is not JSON by RFC 8259, or its UTF-8 is malformed.
    public static let notJSON = Code(rawValue: "notJSON")
    /// The body nests deeper than any answer does.
    public static let tooDeep = Code(rawValue: "tooDeep")
    /// An object names a field twice.
    public static let duplicateField = Code(rawValue: "duplicateField")
    /// A field that every answer has is not there.
    public static let fieldMissing = Code(rawValue: "fieldMissing")
    /// A field is `null`, or of another JSON type than KOBIS sends.
    public static let wrongType = Code(rawValue: "wrongType")
    /// A field's text is not what the field holds: no number, no date, neither `OLD` nor `NEW`, blank.
    public static let malformedValue = Code(rawValue: "malformedValue")
    /// A number does not fit, or cannot be so: a negative count.
    public static let outOfRange = Code(rawValue: "outOfRange")
    /// A list has more rows than any of its kind does.
    public static let tooManyRows = Code(rawValue: "tooManyRows")
    /// The chart is of another period than the one that was asked for.
    public static let wrongPeriod = Code(rawValue: "wrongPeriod")
    /// The details are of another movie than the one that was asked for.
    public static let wrongMovie = Code(rawValue: "wrongMovie")
    /// The details are of another person than the one that was asked for.
    public static let wrongPerson = Code(rawValue: "wrongPerson")
    /// The details are of another company than the one that was asked for.
    public static let wrongCompany = Code(rawValue: "wrongCompany")
    /// The codes are of another list than the one that was asked for.
    public static let wrongCodes = Code(rawValue: "wrongCodes")
    /// A chart names a movie twice.
    public static let repeatedMovie = Code(rawValue: "repeatedMovie")
    /// A chart names a position (`rnum`) twice.
    public static let repeatedPosition = Code(rawValue: "repeatedPosition")
    /// A page or a list of codes has two rows of one code.
    public static let repeatedRow = Code(rawValue: "repeatedRow")
    /// KOBIS knows no movie of the code: it answers details without a code and without a title.
    public static let unknownMovie = Code(rawValue: "unknownMovie")
    /// KOBIS knows no person of the code: it answers details without a code and without a name.
    public static let unknownPerson = Code(rawValue: "unknownPerson")
    /// KOBIS knows no company of the code: it answers details without a code and without a name.
    public static let unknownCompany = Code(rawValue: "unknownCompany")
    /// KOBIS answered a fault; ``KOBISError/fault`` holds its number.
    public static let fault = Code(rawValue: "fault")
    /// There is no API key to ask with.
    public static let keyMissing = Code(rawValue: "keyMissing")
    /// A text cannot be an API key.
    public static let malformedKey = Code(rawValue: "malformedKey")
    /// A text is no base to ask under.
    public static let malformedBase = Code(rawValue: "malformedBase")

    /// Every code there is.
    public static let all: [Code] = [
      .empty, .markup, .truncated, .notJSON, .tooDeep, .duplicateField, .fieldMissing, .wrongType,
      .malformedValue, .outOfRange, .tooManyRows, .wrongPeriod, .wrongMovie, .wrongPerson, .wrongCompany,
      .wrongCodes, .repeatedMovie, .repeatedPosition, .repeatedRow, .unknownMovie, .unknownPerson,
      .unknownCompany, .fault, .keyMissing, .malformedKey, .malformedBase,
    ]
  }

  /// What kind of error.
  public let code: Code

  /// Where in the body, as `boxOfficeResult.dailyBoxOfficeList[3].salesAmt`; `nil` if it is the whole.
  public internal(set) var path: String?

  /// A sentence for a person: what was found, and what to do if anything is.
  public let detail: String

  /// KOBIS's number and words, if ``code`` is ``Code/fault``.
  public let fault: KOBISFault?

  init(_ code: Code, at path: String? = nil, _ detail: String, fault: KOBISFault? = nil) {
    self.code = code
    self.path = path
    self.detail = detail
    self.fault = fault
  }

  /// The error seen from the object or array that holds its place.
  func within(_ parent: String) -> KOBISError {
    var error = self
    guard let path else {
      error.path = parent
      return error
    }
    error.path = path.hasPrefix("[") ? parent + path : parent + "." + path
    return error
  }
}

extension KOBISError: CustomStringConvertible {
  /// Code, place and detail in one line.
  public var description: String {
    if let path { "\(code) at \(path): \(detail)" } else { "\(code): \(detail)" }
  }
}

/// A fault in KOBIS's own words, which it answers with status 200 in place of the data (KOBIS `faultInfo`).
public struct KOBISFault: Hashable, Sendable {
  /// The number (KOBIS `errorCode`), as `320010`.
  public let number: String

  /// The sentence (KOBIS `message`), cut to ``messageCharacterCountMax`` characters; may be empty.
  public let message: String

  /// The most characters that are kept of a fault's sentence.
  public static let messageCharacterCountMax = 200

  /// The number that says the key is wrong or absent.
  public static let keyRefused = "320010"
  /// The number that says the key's calls of the day are used up.
  public static let quotaSpent = "320011"
  /// The number that says a required parameter is missing.
  public static let parameterMissing = "320102"
  /// The number that says a date is malformed.
  public static let dateMalformed = "320103"

  /// Makes a fault.
  init(number: String, message: String) {
    self.number = number
    self.message = String(message.prefix(Self.messageCharacterCountMax))
  }
}
