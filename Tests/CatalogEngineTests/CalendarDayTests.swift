import CatalogEngine
import Testing

@Suite struct `A calendar day` {
  @Test(arguments: [
    ("2022-01-05", 20_220_105), ("20220105", 20_220_105), ("2020-02-29", 20_200_229), ("0001-01-01", 10_101),
    ("9999-12-31", 99_991_231), ("20031111", 20_031_111),
  ])
  func `is read in both forms of ISO 8601`(text: String, number: Int) throws {
    let day = try #require(CalendarDay(text))
    #expect(day.number == number)
    #expect(CalendarDay(day.description) == day)
    #expect(CalendarDay(day.basicFormat) == day)
  }

  @Test(arguments: [
    "", " ", "2022-1-5", "2022-01-5", "2022/01/05", "2021-02-29", "2022-13-01", "2022-00-10", "2022-04-31",
    "2022-01-05 ", "20220105T", "00000101", "+2220105", "２０２２０１０５", "yesterday", "2022-0105",
  ])
  func `is refused when it is no date`(text: String) {
    #expect(CalendarDay(text) == nil)
  }

  @Test func `agrees with the calendar for every day of four centuries`() throws {
    // Counted step by step here, and by formula there.
    var (year, month, day) = (1800, 1, 1)
    var current = try #require(CalendarDay(year: 1800, month: 1, day: 1))
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    while year < 2200 {
      let components = current.components
      guard components == (year, month, day) else {
        Issue.record("\(components) in place of \(year)-\(month)-\(day)")
        return
      }
      let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
      day += 1
      if day > lengths[month - 1] + (month == 2 && isLeap ? 1 : 0) { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
      current = current.advanced(by: 1)
    }
  }

  @Test(arguments: [
    ("2022-01-05T14:59:59Z", 1_641_394_799_000, "2022-01-05"),
    ("2022-01-05T15:00:00Z", 1_641_394_800_000, "2022-01-06"),
    ("2022-01-05T00:00:00Z", 1_641_340_800_000, "2022-01-05"),
    ("1969-12-31T14:59:59Z", -32_401_000, "1969-12-31"),
    ("1969-12-31T15:00:00Z", -32_400_000, "1970-01-01"),
  ])
  func `begins at midnight in Korea and not in UTC`(text: String, milliseconds: Int64, day: String) {
    let instant = Timestamp(millisecondsSinceEpoch: milliseconds)
    #expect(instant.description == text)
    #expect(CalendarDay(inKoreaAt: instant).description == day)
  }

  @Test func `starts at the instant from which it is that day`() throws {
    let day = try #require(CalendarDay("2022-01-06"))
    let start = day.startInKorea
    #expect(CalendarDay(inKoreaAt: start) == day)
    #expect(CalendarDay(inKoreaAt: start.advanced(by: .milliseconds(-1))) == day.advanced(by: -1))
  }

  @Test func `is held to the years 1 to 9999 when it is moved too far`() throws {
    let day = try #require(CalendarDay("2022-01-06"))
    #expect(day.advanced(by: .max).description == "9999-12-31")
    #expect(day.advanced(by: .min).description == "0001-01-01")
    #expect(CalendarDay(inKoreaAt: Timestamp(millisecondsSinceEpoch: .max)).description == "9999-12-31")
    #expect(CalendarDay(inKoreaAt: Timestamp(millisecondsSinceEpoch: .min)).description == "0001-01-01")
  }

  @Test(arguments: [
    ("2019-07-08", "monday"), ("2019-07-12", "friday"), ("2003-11-11", "tuesday"),
    ("1969-12-31", "wednesday"),
  ])
  func `knows its weekday`(text: String, weekday: String) throws {
    #expect(try #require(CalendarDay(text)).weekday.rawValue == weekday)
  }
}

@Suite struct `A chart's period` {
  @Test(arguments: ["2019-07-08", "2019-07-10", "2019-07-14"])
  func `of a week is the same for any day in it`(text: String) throws {
    let day = try #require(CalendarDay(text))
    let week = BoxOfficePeriod.weekly(containing: day)
    #expect(week.day.description == "2019-07-08")
    #expect(week.through.description == "2019-07-14")
    let weekend = BoxOfficePeriod.weekend(containing: day)
    #expect(weekend.day.description == "2019-07-12")
    #expect(weekend.through.description == "2019-07-14")
  }
}

@Suite struct `A resource's name` {
  @Test(arguments: [
    "daily-box-office/20220105", "weekly-box-office/20220103", "weekend-box-office/20220107",
    "movie-details/2023C165",
  ])
  func `can be read back`(text: String) throws {
    let parts = text.split(separator: "/").map(String.init)
    let kind = try #require(ResourceID.Kind(rawValue: parts[0]))
    let subject = try #require(ResourceID.Subject(kind: kind, key: parts[1]))
    #expect(ResourceID(upstream: UpstreamID("kobis"), subject: subject).description == "kobis/\(text)")
  }

  @Test(arguments: [
    (ResourceID.Kind.weeklyBoxOffice, "20220104"), (.weekendBoxOffice, "20220106"),
    (.dailyBoxOffice, "20220230"),
    (.dailyBoxOffice, "2022-01-05"), (.movieDetails, "../etc"), (.movieDetails, ""),
  ])
  func `is refused when its key is none of its kind`(kind: ResourceID.Kind, key: String) {
    #expect(ResourceID.Subject(kind: kind, key: key) == nil)
  }
}
