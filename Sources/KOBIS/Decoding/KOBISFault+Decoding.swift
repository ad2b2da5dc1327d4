extension KOBISFault {
  private enum Field: UInt8, JSONField {
    case message, errorCode

    var name: StaticString {
      switch self {
      case .message: "message"
      case .errorCode: "errorCode"
      }
    }
  }

  /// Reads the object that KOBIS names `faultInfo`.
  init(_ reader: inout JSONReader) throws(KOBISError) {
    var number = ""
    var message = ""
    var walk = try FieldWalk<Field>(&reader)
    while let field = try walk.next(&reader) {
      do throws(KOBISError) {
        switch field {
        case .message: message = try reader.optionalPlainText() ?? ""
        case .errorCode: number = try Self.number(&reader)
        }
      } catch {
        throw error.within("\(field.name)")
      }
    }
    try walk.require([.errorCode])
    self.init(number: number, message: message)
  }

  /// Reads `errorCode`, a string in every recording; a fault is too weighty to be lost over its number's type.
  private static func number(_ reader: inout JSONReader) throws(KOBISError) -> String {
    let characterCountMax = 20
    let text: JSONText
    do throws(JSONError) {
      text = try reader.type() == .number ? reader.number() : reader.string()
    } catch {
      throw KOBISError(error)
    }
    let number = String(reader.cleaned(text).prefix(characterCountMax))
    guard !number.isEmpty else { throw KOBISError(.malformedValue, "the fault's number is blank") }
    return number
  }
}

extension KOBISError {
  /// The error that says KOBIS answered a fault, and what to do.
  init(_ fault: KOBISFault) {
    let words = "KOBIS answered fault \(fault.number)" + (fault.message.isEmpty ? "" : " (\(fault.message))")
    let advice =
      switch fault.number {
      case KOBISFault.keyRefused: "the API key is wrong or absent; mend KOBIS_API_KEY"
      case KOBISFault.quotaSpent:
        "the key's calls of the day are used up; they come back at the daily reset "
          + "(00:00 in Korea unless set otherwise)"
      case KOBISFault.parameterMissing: "a required parameter is missing from the request"
      case KOBISFault.dateMalformed: "a date in the request is malformed"
      default: "the upstream failed; try again later"
      }
    self.init(.fault, "\(words): \(advice)", fault: fault)
  }
}
