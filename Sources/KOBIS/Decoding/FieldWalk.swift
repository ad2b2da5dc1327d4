/// The fields of one kind of object, in the order in which KOBIS writes them.
protocol JSONField: RawRepresentable<UInt8>, CaseIterable, Sendable {
  /// The field's key.
  var name: StaticString { get }
}

/// A walk over the fields of one object, which knows the order they are likely to come in and those it has met.
///
/// A known field that comes twice is refused: which of the two is meant, nobody can say. Unknown fields are skipped
/// however often they come, so that KOBIS may add some.
struct FieldWalk<Field: JSONField> {
  private var met: UInt32 = 0
  private var expected: UInt8 = 0

  /// Enters the object.
  init(_ reader: inout JSONReader) throws(KOBISError) {
    do throws(JSONError) { try reader.beginObject() } catch { throw KOBISError(error) }
  }

  /// Moves to the value of the next known field; `nil` at the object's end.
  mutating func next(_ reader: inout JSONReader) throws(KOBISError) -> Field? {
    while let likely = Field(rawValue: expected) ?? Field(rawValue: 0) {
      let key: JSONReader.Key
      do throws(JSONError) {
        key = try reader.nextKey(expecting: likely.name)
      } catch {
        throw KOBISError(error)
      }
      switch key {
      case .expected: return try meet(likely)
      case .end: return nil
      case .other(let text):
        if let field = Field.allCases.first(where: { reader.matches(text, $0.name) }) {
          return try meet(field)
        }
        try reader.skip()
      }
    }
    return nil
  }

  private mutating func meet(_ field: Field) throws(KOBISError) -> Field {
    let bit = UInt32(1) << field.rawValue
    guard met & bit == 0 else {
      throw KOBISError(.duplicateField, at: "\(field.name)", "the object names the field twice")
    }
    met |= bit
    expected = field.rawValue + 1
    return field
  }

  /// Whether no known field has been met.
  var isEmpty: Bool { met == 0 }

  /// Whether the field has been met.
  func hasMet(_ field: Field) -> Bool { met & (UInt32(1) << field.rawValue) != 0 }

  /// Refuses an object that lacks one of `fields`.
  func require(_ fields: some Sequence<Field>) throws(KOBISError) {
    for field in fields where !hasMet(field) { throw KOBISError.missing(field.name) }
  }

  /// Refuses an object that lacks any field.
  func requireAll() throws(KOBISError) {
    guard met.nonzeroBitCount != Field.allCases.count else { return }
    try require(Field.allCases)
  }
}
