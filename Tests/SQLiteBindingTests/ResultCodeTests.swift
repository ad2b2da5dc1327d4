import SQLiteBinding
import Testing

@Suite struct `When a result code is matched` {
  @Test func `a primary code matches its extended codes`() {
    let code = ResultCode(rawValue: 2067)
    #expect(code == .constraintUnique)
    #expect(code.primary == .constraint)
    #expect(ResultCode.constraint ~= code)
  }

  @Test func `an extended code matches neither its primary nor a sibling`() {
    #expect(!(ResultCode.constraintUnique ~= .constraint))
    #expect(!(ResultCode.constraintUnique ~= .constraintCheck))
  }

  @Test func `an unknown code survives and is described by its primary`() {
    let code = ResultCode(rawValue: 19 | (200 << 8))
    #expect(code.rawValue == 51219)
    #expect(code.description == "SQLITE_CONSTRAINT (extended code 51219)")
    #expect(ResultCode(rawValue: 77).description == "result code 77")
  }

  @Test func `the layer's own codes are their own primaries`() {
    #expect(ResultCode.newerSchema.primary == .newerSchema)
    #expect(ResultCode.newerSchema.description == "NEWER_SCHEMA (-2)")
  }
}
