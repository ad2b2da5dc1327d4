import CatalogEngine
import Testing

@Suite struct `A percentage` {
  @Test(arguments: [
    ("34.2", 34_200, "34.2"), ("100", 100_000, "100"), ("100.0", 100_000, "100"), ("-13", -13_000, "-13"),
    ("-0.5", -500, "-0.5"), ("38399.0", 38_399_000, "38399"), ("0.125", 125, "0.125"), ("0", 0, "0"),
    ("-0.0", 0, "0"),
  ])
  func `is read and written exactly`(text: String, thousandths: Int64, written: String) throws {
    let percentage = try #require(Percentage(digits: text.utf8))
    #expect(percentage.thousandths == thousandths)
    #expect(percentage.description == written)
    #expect(Percentage(percent: percentage.percent) == percentage)
  }

  @Test(arguments: [
    "", "-", ".5", "5.", "1.2345", "1e3", "+1", "1,000", "NaN", "--1", "1.2.3", " 1", "1000000000000",
  ])
  func `is refused when it is no decimal of its range`(text: String) {
    #expect(Percentage(digits: text.utf8) == nil)
  }

  @Test(arguments: [Double.nan, .infinity, 1e13])
  func `is refused from a number that is none`(percent: Double) {
    #expect(Percentage(percent: percent) == nil)
  }
}

@Suite struct `A timestamp` {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (1_641_394_799_000, "2022-01-05T14:59:59Z"),
    (1_001, "1970-01-01T00:00:01.001Z"),
    (-1, "1969-12-31T23:59:59.999Z"),
  ])
  func `is written as RFC 3339 in UTC`(milliseconds: Int64, text: String) {
    #expect(Timestamp(millisecondsSinceEpoch: milliseconds).description == text)
  }

  @Test func `does not overflow when it is moved beyond its range`() {
    let last = Timestamp(millisecondsSinceEpoch: .max)
    #expect(last.advanced(by: .seconds(1)) == last)
    #expect(last.description.hasSuffix("ms"))
  }
}
