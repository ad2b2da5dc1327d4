import CatalogEngine
import KOBIS
import Testing

@Suite struct `When codes are decoded` {
  private func error(_ body: [UInt8], for list: CodeList = .areas) throws -> KOBISError {
    try #require(throws: KOBISError.self) { try CodeListAnswer(body, for: list) }
  }

  @Test func `the areas come in KOBIS's order, blank English names as none`() throws {
    let table = try CodeListAnswer(FixtureFile.answer("codes-areas.json"), for: .areas).table
    #expect(table.list == .areas)
    #expect(table.entries.count == 17)
    #expect(table.entries.first == .init(code: "0105001", name: "서울시"))
    #expect(table.entries.last == .init(code: "0105017", name: "세종시"))
    // Each of them can narrow down a chart.
    #expect(table.entries.allSatisfy { BoxOfficeFilter(areaCode: $0.code) != nil })
  }

  @Test func `nations have English names, or none`() throws {
    let table = try CodeListAnswer(FixtureFile.answer("codes-nations.json"), for: .nations).table
    #expect(
      table.entries == [
        .init(code: "22041011", name: "한국", nameEnglish: "Korea"),
        .init(code: "22042002", name: "미국", nameEnglish: "U.S."), .init(code: "22041008", name: "일본"),
        .init(code: "2204A001", name: "기타"),
      ])
  }

  @Test(arguments: CodeList.allCases) func `an empty list is empty`(_ list: CodeList) throws {
    #expect(try CodeListAnswer(FixtureFile.answer("codes-empty.json"), for: list).table.entries.isEmpty)
  }

  @Test func `the codes of another list are refused`() throws {
    let error = try error(FixtureFile.answer("codes-nations.json"))
    #expect(error.code == .wrongCodes)
    #expect(error.path == "codes")
  }

  @Test func `a code that stands twice is refused`() throws {
    let error = try error(FixtureFile.answer("codes-repeated-code.json"), for: .filmTypes)
    #expect(error.code == .repeatedRow)
    #expect(error.path == "codes[2].fullCd")
  }

  @Test(arguments: [
    ("{}", KOBISError.Code.fieldMissing, "codes"), ("{\"codes\":{}}", .wrongType, "codes"),
    ("{\"codes\":[{\"fullCd\":\"1\",\"engNm\":\"\"}]}", .fieldMissing, "codes[0].korNm"),
    ("{\"codes\":[{\"fullCd\":\"1\",\"korNm\":\" \",\"engNm\":\"\"}]}", .malformedValue, "codes[0].korNm"),
    ("{\"codes\":[{\"fullCd\":\"\",\"korNm\":\"a\",\"engNm\":\"\"}]}", .malformedValue, "codes[0].fullCd"),
    ("{\"codes\":[{\"fullCd\":\"0105&\",\"korNm\":\"a\"}]}", .malformedValue, "codes[0].fullCd"),
    ("{\"codes\":[{\"fullCd\":105001}]}", .wrongType, "codes[0].fullCd"),
  ])
  func `another shape is named`(_ text: String, _ code: KOBISError.Code, _ path: String) throws {
    let error = try error(Array(text.utf8))
    #expect(error.code == code)
    #expect(error.path == path)
  }

  @Test func `more codes than any list has are refused`() throws {
    let rows = (0...CodeListAnswer.rowCountMax).map {
      "{\"fullCd\":\"0105\($0)\",\"korNm\":\"a\",\"engNm\":\"\"}"
    }
    let error = try error(Array("{\"codes\":[\(rows.joined(separator: ","))]}".utf8))
    #expect(error.code == .tooManyRows)
  }
}
