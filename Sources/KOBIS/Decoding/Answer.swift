/// The frame of every answer: one object that holds either a result or a fault.
enum Answer {
  /// Reads the result named `field` out of `body`.
  ///
  /// - Throws: ``KOBISError`` of code `fault` if the body holds a fault, whatever else it holds.
  static func result<Value>(
    of body: [UInt8], named field: StaticString,
    _ decode: (inout JSONReader) throws(KOBISError) -> Value
  ) throws(KOBISError) -> Value {
    do throws(KOBISError) {
      return try JSONReader.read(body, failure: KOBISError.init) { reader throws(KOBISError) in
        try result(&reader, named: field, decode)
      }
    } catch {
      // A malformed result must not hide why it is malformed: the key or the calls of the day.
      if let fault = fault(in: body) { throw KOBISError(fault) }
      // A proxy's or a maintenance page, which deserves a better word than a broken grammar.
      let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
      let text = body.starts(with: byteOrderMark) ? body.dropFirst(byteOrderMark.count) : body[...]
      guard text.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") else { throw error }
      throw KOBISError(
        .markup,
        "the body is an HTML or XML page in place of JSON; is a proxy or a maintenance page in the way?")
    }
  }

  /// The fault that `body` holds; `nil` if there is none, or the body is not JSON from end to end.
  private static func fault(in body: [UInt8]) -> KOBISFault? {
    do throws(KOBISError) {
      return try JSONReader.read(body, failure: KOBISError.init) { reader throws(KOBISError) in
        var fault: KOBISFault?
        do throws(JSONError) { try reader.beginObject() } catch { throw KOBISError(error) }
        while let key = try nextKey(&reader) {
          if try reader.skipNull() { continue }
          if reader.matches(key, "faultInfo") { fault = try KOBISFault(&reader) } else { try reader.skip() }
        }
        return fault
      }
    } catch {
      return nil
    }
  }

  private static func result<Value>(
    _ reader: inout JSONReader, named field: StaticString,
    _ decode: (inout JSONReader) throws(KOBISError) -> Value
  ) throws(KOBISError) -> Value {
    var value: Value?
    var fault: KOBISFault?
    do throws(JSONError) { try reader.beginObject() } catch { throw KOBISError(error) }
    while let key = try nextKey(&reader) {
      if try reader.skipNull() { continue }
      if reader.matches(key, "faultInfo") {
        do throws(KOBISError) { fault = try KOBISFault(&reader) } catch { throw error.within("faultInfo") }
      } else if reader.matches(key, field) {
        guard value == nil else {
          throw KOBISError(.duplicateField, at: "\(field)", "the object names the field twice")
        }
        do throws(KOBISError) { value = try decode(&reader) } catch { throw error.within("\(field)") }
      } else {
        try reader.skip()
      }
    }
    if let fault { throw KOBISError(fault) }
    guard let value else { throw KOBISError.missing(field) }
    return value
  }

  private static func nextKey(_ reader: inout JSONReader) throws(KOBISError) -> JSONText? {
    do throws(JSONError) { return try reader.nextKey() } catch { throw KOBISError(error) }
  }
}
