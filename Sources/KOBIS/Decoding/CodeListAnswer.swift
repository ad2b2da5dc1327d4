package import CatalogEngine

/// The answer of the codes service.
package struct CodeListAnswer: Sendable {
  /// The most codes a list may have; of nations there are about two hundred.
  package static let rowCountMax = 2000

  /// The codes, in KOBIS's order.
  package let table: CodeTable

  /// Reads the codes of `list` from an answer's body.
  ///
  /// - Throws: ``KOBISError``; `wrongCodes` if there are codes and none of them is the list's, `repeatedRow` if one
  ///   stands in two rows.
  package init(_ body: [UInt8], for list: CodeList) throws(KOBISError) {
    let entries = try Answer.result(of: body, named: "codes") { reader throws(KOBISError) in
      try Self.entries(&reader)
    }
    // The answer does not say of which list it is, but codes begin as their list's own code does (KOBIS `comCode`).
    let stem = list.kobisCode.prefix(4)
    guard entries.isEmpty || entries.contains(where: { $0.code.hasPrefix(stem) }) else {
      throw KOBISError(
        .wrongCodes, at: "codes", "no code begins with \(stem), as those of the \(list.rawValue) do")
    }
    table = CodeTable(list: list, entries: entries)
  }

  private enum Field: UInt8, JSONField {
    case fullCd, korNm, engNm

    var name: StaticString {
      switch self {
      case .fullCd: "fullCd"
      case .korNm: "korNm"
      case .engNm: "engNm"
      }
    }
  }

  private static func entries(_ reader: inout JSONReader) throws(KOBISError) -> [CodeTable.Entry] {
    var entries: [CodeTable.Entry] = []
    var seen: Set<String> = []
    try reader.elements(atMost: rowCountMax) { reader, _ throws(KOBISError) in
      let entry = try entry(&reader)
      guard seen.insert(entry.code).inserted else {
        throw KOBISError(.repeatedRow, at: "fullCd", "the code \(entry.code) stands in two rows")
      }
      entries.append(entry)
    }
    return entries
  }

  private static func entry(_ reader: inout JSONReader) throws(KOBISError) -> CodeTable.Entry {
    var entry = CodeTable.Entry(code: "", name: "")
    var walk = try FieldWalk<Field>(&reader)
    while let field = try walk.next(&reader) {
      do throws(KOBISError) {
        switch field {
        // A code is sent back as a parameter; of other characters it would be none.
        case .fullCd: entry.code = try reader.code("KOBIS") { MovieCode($0)?.text }
        case .korNm: entry.name = try reader.requiredPlainText("name")
        case .engNm: entry.nameEnglish = try reader.optionalPlainText()
        }
      } catch {
        throw error.within("\(field.name)")
      }
    }
    try walk.requireAll()
    return entry
  }
}
