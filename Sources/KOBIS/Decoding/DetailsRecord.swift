/// What a details service tells of one movie, person or company, while it is being read.
///
/// The three services differ in their fields. They agree in the frame around them, in how they say that nobody has a
/// code, and in that half an answer, or one whose fields KOBIS renamed, must never pass for a whole one and replace
/// it: all of that is here.
protocol DetailsRecord {
  associatedtype Field: JSONField
  associatedtype Code: Equatable & CustomStringConvertible
  associatedtype Details

  /// How the service words its answer.
  static var wording: DetailsWording<Field> { get }

  /// The code that a text spells; `nil` if it is none.
  static func code(_ text: String) -> Code?

  /// A record of which nothing is known.
  init()

  /// The code as it was read; `nil` if blank.
  var code: String? { get }

  /// The title or name as it was read; `nil` if blank.
  var name: String? { get }

  /// Reads the value of a field.
  mutating func read(_ field: Field, from reader: inout JSONReader) throws(KOBISError)

  /// The details; every field that has to be there was.
  func details(of code: Code) throws(KOBISError) -> Details
}

/// The words of a details service, and of the errors that its answers earn.
struct DetailsWording<Field: JSONField>: Sendable {
  /// The field of the answer, as `movieInfoResult`.
  let result: StaticString
  /// The field of the result, as `movieInfo`.
  let info: StaticString
  /// The field of the code.
  let code: Field
  /// The field of the title or name.
  let name: Field
  /// The fields that have to be there, blank or not.
  let requiredFields: [Field]
  /// What it is that has a code, as `movie`.
  let noun: StaticString
  /// The error of a code that nobody has.
  let unknown: KOBISError.Code
  /// The error of details of another code.
  let wrong: KOBISError.Code
}

extension DetailsRecord {
  /// Reads the details of `asked` from an answer's body.
  static func details(in body: [UInt8], of asked: Code) throws(KOBISError) -> Details {
    try Answer.result(of: body, named: wording.result) { reader throws(KOBISError) in
      try details(&reader, of: asked)
    }
  }

  private static func details(_ reader: inout JSONReader, of asked: Code) throws(KOBISError) -> Details {
    var record = Self()
    var fields: FieldWalk<Field>?
    var walk = try FieldWalk<InfoField<Self>>(&reader)
    while let info = try walk.next(&reader) {
      if try reader.skipNull() { continue }
      do throws(KOBISError) { fields = try record.read(&reader) } catch { throw error.within("\(info.name)") }
    }
    try walk.require([.info])
    do throws(KOBISError) {
      return try record.details(of: asked, having: fields)
    } catch {
      throw error.within("\(wording.info)")
    }
  }

  private mutating func read(_ reader: inout JSONReader) throws(KOBISError) -> FieldWalk<Field> {
    var walk = try FieldWalk<Field>(&reader)
    while let field = try walk.next(&reader) {
      do throws(KOBISError) { try read(field, from: &reader) } catch { throw error.within("\(field.name)") }
    }
    return walk
  }

  /// The details, if they are whole and those of `asked`.
  private func details(
    of asked: Code, having fields: FieldWalk<Field>?
  ) throws(KOBISError) -> Details {
    let wording = Self.wording
    guard code != nil || name != nil else {
      // For a code that nobody has, KOBIS sends both, blank, or nothing at all.
      if let fields, !fields.isEmpty { try fields.require([wording.code, wording.name]) }
      throw KOBISError(wording.unknown, "KOBIS knows no \(wording.noun) of the code \(asked)")
    }
    guard let code else { throw KOBISError.missing(wording.code.name) }
    guard let code = Self.code(code) else {
      throw KOBISError(
        .malformedValue, at: "\(wording.code.name)",
        "the text is no \(wording.noun) code of ASCII letters and digits")
    }
    guard code == asked else {
      throw KOBISError(
        wording.wrong, at: "\(wording.code.name)",
        "the details are of the \(wording.noun) \(code), not of \(asked)")
    }
    try fields?.require(wording.requiredFields)
    return try details(of: code)
  }
}

/// The one field of a details service's result.
private enum InfoField<Record: DetailsRecord>: UInt8, JSONField {
  case info

  var name: StaticString { Record.wording.info }
}
