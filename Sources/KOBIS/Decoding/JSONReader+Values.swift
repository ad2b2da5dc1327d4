import CatalogEngine

// The values of KOBIS's fields. Errors name no path; the walk over the object that holds the field adds it.
extension JSONReader {
  /// Reads a string's bounds.
  mutating func text() throws(KOBISError) -> JSONText {
    do throws(JSONError) { return try string() } catch { throw KOBISError(error) }
  }

  /// Reads past a value.
  mutating func skip() throws(KOBISError) {
    do throws(JSONError) { try skipValue() } catch { throw KOBISError(error) }
  }

  /// Reads `null` if that comes next.
  mutating func skipNull() throws(KOBISError) -> Bool {
    do throws(JSONError) { return try null() } catch { throw KOBISError(error) }
  }

  /// Reads an array, `element` each of its elements, of which there may be `countMax`.
  mutating func elements(
    atMost countMax: Int, _ element: (inout JSONReader, Int) throws(KOBISError) -> Void
  ) throws(KOBISError) {
    do throws(JSONError) { try beginArray() } catch { throw KOBISError(error) }
    var index = 0
    while try hasNextElement() {
      guard index < countMax else {
        throw KOBISError(.tooManyRows, "the list has more than \(countMax) rows")
      }
      do throws(KOBISError) { try element(&self, index) } catch { throw error.within("[\(index)]") }
      index += 1
    }
  }

  private mutating func hasNextElement() throws(KOBISError) -> Bool {
    do throws(JSONError) { return try nextElement() } catch { throw KOBISError(error) }
  }

  /// Reads an integer in a string that lies in `bounds`.
  mutating func integer(in bounds: ClosedRange<Int64>) throws(KOBISError) -> Int64 {
    let start = position
    if let value = plainInteger(), bounds.contains(value) { return value }
    position = start
    return try integer(text(), in: bounds)
  }

  /// Reads a count that KOBIS sends as a JSON number, or in a string as it does all others.
  mutating func count(atMost countMax: Int) throws(KOBISError) -> Int {
    let text: JSONText
    do throws(JSONError) { text = try type() == .string ? string() : number() } catch {
      throw KOBISError(error)
    }
    return Int(try integer(text, in: 0...Int64(countMax)))
  }

  /// The integer in `bounds` that a text spells.
  private func integer(_ text: JSONText, in bounds: ClosedRange<Int64>) throws(KOBISError) -> Int64 {
    switch withBytes(of: text, { Numeral(integer: $0) }) {
    case .value(let value) where bounds.contains(value): return value
    case .value, .outOfRange:
      throw KOBISError(
        .outOfRange,
        "the number \(excerpt(of: text)) lies outside \(bounds.lowerBound) to \(bounds.upperBound)")
    case .malformed: throw KOBISError(.malformedValue, "\(excerpt(of: text)) is no integer")
    }
  }

  /// Reads an integer in a string; `nil` if the string is blank, or `null` stands in its place.
  mutating func optionalInteger(in bounds: ClosedRange<Int64>) throws(KOBISError) -> Int? {
    if try skipNull() { return nil }
    let start = position
    if isBlank(try text()) { return nil }
    position = start
    return Int(try integer(in: bounds))
  }

  /// Reads a percentage in a string, as `34.2`.
  mutating func percentage() throws(KOBISError) -> Percentage {
    let text = try text()
    switch withBytes(of: text, { Numeral($0, scale: 3) }) {
    case .value(let thousandths) where thousandths.magnitude < 1_000_000_000_000_000:
      return Percentage(thousandths: thousandths)
    case .value, .outOfRange:
      throw KOBISError(.outOfRange, "the percentage \(excerpt(of: text)) is too large")
    case .malformed: throw KOBISError(.malformedValue, "\(excerpt(of: text)) is no percentage")
    }
  }

  /// Reads a day as `2022-01-05` or `20220105`; `nil` if the string is blank.
  mutating func optionalDay() throws(KOBISError) -> CalendarDay? {
    let text = try text()
    if let day = withBytes(of: text, Self.day) { return day }
    if isBlank(text) { return nil }
    throw KOBISError(.malformedValue, "\(excerpt(of: text)) is no date such as 2022-01-05 or 20220105")
  }

  /// Reads a movie's code.
  mutating func movieCode() throws(KOBISError) -> MovieCode {
    let text = try text()
    guard let code = withBytes(of: text, { MovieCode(utf8: $0) }) else {
      throw KOBISError(.malformedValue, "\(excerpt(of: text)) is no movie code of ASCII letters and digits")
    }
    return code
  }

  /// Reads a code of another kind, by what makes one of text.
  mutating func code<Code>(
    _ noun: StaticString, _ make: (String) -> Code?
  ) throws(KOBISError) -> Code {
    let text = try text()
    guard let code = make(makeString(text)) else {
      throw KOBISError(.malformedValue, "\(excerpt(of: text)) is no \(noun) code of ASCII letters and digits")
    }
    return code
  }

  /// Reads a string as ``cleaned(_:)``, of which something has to be left.
  mutating func requiredPlainText(_ noun: StaticString) throws(KOBISError) -> String {
    let text = try plainText()
    guard !text.isEmpty else { throw KOBISError(.malformedValue, "the \(noun) is blank") }
    return text
  }

  /// The day that `bytes` spell.
  static func day(_ bytes: UnsafeBufferPointer<UInt8>) -> CalendarDay? {
    let isDashed = bytes.count == 10
    guard isDashed || bytes.count == 8 else { return nil }
    func number(_ start: Int, _ count: Int) -> Int? {
      var number = 0
      for byte in bytes[start..<start + count] {
        let digit = byte &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        number = number * 10 + Int(digit)
      }
      return number
    }
    let hyphen = UInt8(ascii: "-")
    if isDashed, bytes[4] != hyphen || bytes[7] != hyphen { return nil }
    guard let year = number(0, 4), let month = number(isDashed ? 5 : 4, 2),
      let day = number(isDashed ? 8 : 6, 2)
    else { return nil }
    return CalendarDay(year: year, month: month, day: day)
  }

  /// Whether the string holds nothing to read.
  func isBlank(_ text: JSONText) -> Bool { text.byteCount == 0 || cleaned(text).isEmpty }

  /// The string in quotation marks for an error's sentence, cut short.
  func excerpt(of text: JSONText) -> String {
    let characterCountMax = 40
    let value = cleaned(text)
    return "\"\(value.prefix(characterCountMax))\(value.count > characterCountMax ? "…" : "")\""
  }
}
