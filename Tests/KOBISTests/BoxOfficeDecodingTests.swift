import CatalogEngine
import KOBIS
import Testing

@Suite struct `When a chart is decoded` {
  @Test func `every figure of a row is read`() throws {
    let chart = try Sample.chart("daily-unordered.json")
    let first = try #require(chart.entries.first)
    #expect(
      first
        == BoxOfficeEntry(
          position: 1, rank: 1, rankChange: 0, isNew: false, movieCode: try #require(MovieCode("20196309")),
          title: "스파이더맨: 파 프롬 홈", openedOn: try Sample.day(20_190_702), salesKRW: 2_029_335_770,
          salesShare: Percentage(thousandths: 58_700), salesChangeKRW: -6_659_364_340,
          salesChangePercent: Percentage(thousandths: -76_600), salesTotalKRW: 41_038_840_880,
          audience: 242_112, audienceChange: -751_660,
          audienceChangePercent: Percentage(thousandths: -75_600),
          audienceTotal: 4_764_168, screens: 1890, showings: 9883))
  }

  @Test func `rows are sorted by rnum`() throws {
    #expect(try Sample.chart("daily-unordered.json").entries.map(\.position) == [1, 2, 3])
  }

  @Test func `tied ranks come out whole and in order`() throws {
    let chart = try Sample.chart("daily-tied-ranks.json", on: 20_170_731)
    #expect(chart.entries.map(\.rank) == [1, 2, 3, 4, 5, 6, 7, 7, 9, 10])
    #expect(chart.entries.map(\.position) == Array(1...10))
  }

  @Test func `an empty list is a chart without rows`() throws {
    let chart = try Sample.chart("daily-empty.json")
    #expect(chart == BoxOffice(period: .daily(try Sample.day(20_190_708)), entries: []))
  }

  @Test func `an opening day comes with hyphens, without, or not at all`() throws {
    let chart = try Sample.chart("daily-blank-openings.json")
    #expect(
      chart.entries.map(\.openedOn) == [try Sample.day(20_190_702), nil, nil, try Sample.day(20_190_530)])
  }

  @Test func `outer white space is taken off a title`() throws {
    #expect(try Sample.chart("daily-blank-openings.json").entries.last?.title == "기생충")
  }

  @Test func `a change of many thousand percent is read exactly`() throws {
    let change = try Sample.chart("daily-blank-openings.json").entries.last?.salesChangePercent
    #expect(change == Percentage(thousandths: 38_399_000))
  }

  @Test func `the week that KOBIS names is read`() throws {
    let body = Array(
      """
      {"boxOfficeResult":{"boxofficeType":"주간","showRange":"20190708~20190714","yearWeekTime":"201928",\
      "weeklyBoxOfficeList":[]}}
      """.utf8)
    let answer = try BoxOfficeAnswer(body, for: .weekly(containing: Sample.day(20_190_710)))
    #expect(answer.yearWeek == "201928")
    #expect(answer.chart.entries.isEmpty)
  }

  @Test func `fields that nobody knows are skipped`() throws {
    let body = Array(
      """
      {"new":[{"a":[1,2]}],"boxOfficeResult":{"extra":{"showRange":"x"},"showRange":"20190708~20190708",\
      "dailyBoxOfficeList":[]}}
      """.utf8)
    #expect(try Sample.chart(body).entries.isEmpty)
  }
}

@Suite struct `When a chart cannot be right` {
  private let list = "boxOfficeResult.dailyBoxOfficeList"

  @Test(arguments: [
    ("daily-wrong-day.json", KOBISError.Code.wrongPeriod, "boxOfficeResult.showRange" as String?),
    ("daily-repeated-movie.json", .repeatedMovie, "boxOfficeResult.dailyBoxOfficeList[3].movieCd"),
    ("daily-repeated-position.json", .repeatedPosition, "boxOfficeResult.dailyBoxOfficeList[2].rnum"),
    ("daily-out-of-range.json", .outOfRange, "boxOfficeResult.dailyBoxOfficeList[1].salesAcc"),
    ("daily-negative-count.json", .outOfRange, "boxOfficeResult.dailyBoxOfficeList[0].audiCnt"),
    ("daily-missing-field.json", .fieldMissing, "boxOfficeResult.dailyBoxOfficeList[1].audiAcc"),
    ("daily-null-field.json", .wrongType, "boxOfficeResult.dailyBoxOfficeList[0].openDt"),
    ("daily-number-field.json", .wrongType, "boxOfficeResult.dailyBoxOfficeList[0].salesAmt"),
    ("daily-truncated.json", .truncated, "boxOfficeResult.dailyBoxOfficeList[1]"),
    ("page-maintenance.html", .markup, nil),
  ])
  func `it is refused with a code and a path`(_ file: String, _ code: KOBISError.Code, _ path: String?) throws
  {
    let error = try Sample.chartError(file)
    #expect(error.code == code)
    #expect(error.path == path)
  }

  @Test(arguments: [
    ("\"salesAmt\":\"2029335770\"", "\"salesAmt\":\"12.5\"", KOBISError.Code.malformedValue, "[0].salesAmt"),
    ("\"salesAmt\":\"2029335770\"", "\"salesAmt\":\"\"", .malformedValue, "[0].salesAmt"),
    ("\"salesAmt\":\"2029335770\"", "\"salesAmt\":\" 1\"", .malformedValue, "[0].salesAmt"),
    ("\"salesAmt\":\"2029335770\"", "\"salesAmt\":\"+1\"", .malformedValue, "[0].salesAmt"),
    ("\"salesAmt\":\"2029335770\"", "\"salesAmt\":\"-\"", .malformedValue, "[0].salesAmt"),
    ("\"salesAmt\":\"2029335770\"", "\"salesAmt\":\"9223372036854775808\"", .outOfRange, "[0].salesAmt"),
    ("\"salesShare\":\"58.7\"", "\"salesShare\":\"100.1\"", .outOfRange, "[0].salesShare"),
    ("\"salesShare\":\"58.7\"", "\"salesShare\":\"-0.1\"", .outOfRange, "[0].salesShare"),
    ("\"salesShare\":\"58.7\"", "\"salesShare\":\"58.\"", .malformedValue, "[0].salesShare"),
    ("\"salesShare\":\"58.7\"", "\"salesShare\":\".7\"", .malformedValue, "[0].salesShare"),
    ("\"salesShare\":\"58.7\"", "\"salesShare\":\"5.8.7\"", .malformedValue, "[0].salesShare"),
    ("\"salesShare\":\"58.7\"", "\"salesShare\":\"58.7000\"", .malformedValue, "[0].salesShare"),
    ("\"salesChange\":\"-76.6\"", "\"salesChange\":\"1000000000000\"", .outOfRange, "[0].salesChange"),
    ("\"rnum\":\"1\"", "\"rnum\":\"0\"", .outOfRange, "[0].rnum"),
    ("\"rank\":\"1\"", "\"rank\":\"2147483648\"", .outOfRange, "[0].rank"),
    ("\"rnum\":\"1\"", "\"rnum\":\"1\",\"rnum\":\"1\"", .duplicateField, "[0].rnum"),
    ("\"openDt\":\"2019-07-02\"", "\"openDt\":\"2019-02-29\"", .malformedValue, "[0].openDt"),
    ("\"openDt\":\"2019-07-02\"", "\"openDt\":\"2019/07/02\"", .malformedValue, "[0].openDt"),
    ("\"rankOldAndNew\":\"OLD\"", "\"rankOldAndNew\":\"old\"", .malformedValue, "[0].rankOldAndNew"),
    ("\"movieCd\":\"20196309\"", "\"movieCd\":\"2019-6309\"", .malformedValue, "[0].movieCd"),
    ("\"movieCd\":\"20196309\"", "\"movieCd\":\"\"", .malformedValue, "[0].movieCd"),
    ("\"movieNm\":\"스파이더맨: 파 프롬 홈\"", "\"movieNm\":\" \"", .malformedValue, "[0].movieNm"),
  ])
  func `a field that holds no such value is named`(
    _ original: String, _ broken: String, _ code: KOBISError.Code, _ path: String
  ) throws {
    let text = String(decoding: try FixtureFile.answer("daily-out-of-range.json"), as: UTF8.self)
    // The first row is sound in that file.
    let place = try #require(text.firstRange(of: original))
    let body = Array((text[..<place.lowerBound] + broken + text[place.upperBound...]).utf8)
    let day = try Sample.day(20_190_708)
    let error = #expect(throws: KOBISError.self) { try BoxOfficeAnswer(body, for: .daily(day)) }
    #expect(error?.code == code)
    #expect(error?.path == list + path)
  }

  @Test(arguments: [
    ("", KOBISError.Code.empty, nil as String?), (" \r\n", .empty, nil),
    ("{}", .fieldMissing, "boxOfficeResult"),
    ("[]", .wrongType, nil), ("\"no\"", .wrongType, nil),
    ("{\"boxOfficeResult\":null}", .fieldMissing, "boxOfficeResult"),
    ("{\"boxOfficeResult\":[]}", .wrongType, "boxOfficeResult"),
    ("{\"boxOfficeResult\":{}}", .fieldMissing, "boxOfficeResult.showRange"),
    (
      "{\"boxOfficeResult\":{\"showRange\":\"20190708~20190708\"}}", .fieldMissing,
      "boxOfficeResult.dailyBoxOfficeList"
    ),
    ("{\"boxOfficeResult\":{\"showRange\":\"20190708\"}}", .malformedValue, "boxOfficeResult.showRange"),
    ("{\"boxOfficeResult\":{\"dailyBoxOfficeList\":[]}}", .fieldMissing, "boxOfficeResult.showRange"),
    (
      "{\"boxOfficeResult\":{\"dailyBoxOfficeList\":[1]}}", .wrongType,
      "boxOfficeResult.dailyBoxOfficeList[0]"
    ),
    ("{\"boxOfficeResult\":{\"dailyBoxOfficeList\":{}}}", .wrongType, "boxOfficeResult.dailyBoxOfficeList"),
    ("{'a':1}", .notJSON, nil), ("\u{FEFF}{}", .notJSON, nil), ("callback({})", .notJSON, nil),
    (" <?xml version=\"1.0\"?>", .markup, nil), ("\u{FEFF} <html></html>", .markup, nil),
    ("{\"a\":\(String(repeating: "[", count: 99))", .tooDeep, nil),
  ])
  func `a body of another shape is named`(_ text: String, _ code: KOBISError.Code, _ path: String?) throws {
    let day = try Sample.day(20_190_708)
    let error = #expect(throws: KOBISError.self) { try BoxOfficeAnswer(Array(text.utf8), for: .daily(day)) }
    #expect(error?.code == code)
    #expect(error?.path == path)
  }

  @Test func `more rows than a chart has are refused`() throws {
    let rows = Array(repeating: "{}", count: BoxOfficeAnswer.rowCountMax + 1).joined(separator: ",")
    let day = try Sample.day(20_190_708)
    let body = Array("{\"boxOfficeResult\":{\"dailyBoxOfficeList\":[\(rows)]}}".utf8)
    let error = #expect(throws: KOBISError.self) { try BoxOfficeAnswer(body, for: .daily(day)) }
    // The first row is refused before the hundredth is reached: it is empty.
    #expect(error?.code == .fieldMissing)
    let whole = String(decoding: try FixtureFile.answer("daily-repeated-movie.json"), as: UTF8.self)
    let start = try #require(whole.firstRange(of: "[{")).upperBound
    let end = try #require(whole[start...].firstRange(of: "}")).lowerBound
    let row = "{" + whole[start..<end] + "}"
    let many = (1...BoxOfficeAnswer.rowCountMax + 1).map { number in
      row.replacing("\"rnum\":\"1\"", with: "\"rnum\":\"\(number)\"")
        .replacing("20196309", with: "\(20_196_309 + number)")
    }
    let long = Array("{\"boxOfficeResult\":{\"dailyBoxOfficeList\":[\(many.joined(separator: ","))]}}".utf8)
    let tooMany = #expect(throws: KOBISError.self) { try BoxOfficeAnswer(long, for: .daily(day)) }
    #expect(tooMany?.code == .tooManyRows)
    #expect(tooMany?.path == list)
  }

  @Test func `a long value is cut short in the error`() throws {
    let value = String(repeating: "9", count: 5000)
    let text = String(decoding: try FixtureFile.answer("daily-empty.json"), as: UTF8.self)
      .replacing("[]", with: "[{\"rnum\":\"\(value)\"}]")
    let day = try Sample.day(20_190_708)
    let error = #expect(throws: KOBISError.self) { try BoxOfficeAnswer(Array(text.utf8), for: .daily(day)) }
    #expect(error?.code == .outOfRange)
    #expect((error?.description.count ?? .max) < 200)
  }
}
