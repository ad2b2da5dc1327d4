package import HTTPTypes

/// How long an upstream asks to be left alone (`Retry-After`, RFC 9110 10.2.3): in seconds, or until a date.
///
/// The date may have any of the three forms of RFC 9110 5.6.7: the preferred one, that of RFC 850 with a year of two
/// digits, and that of C's `asctime`. Anything else is no wish at all.
package enum RetryAfter {
  /// The wait that `reply`'s head asks for at `now`; `nil` if it asks for none, zero if the date is past.
  package static func wait(in head: HTTPResponse, at now: Timestamp) -> Duration? {
    head.headerFields[.retryAfter].flatMap { wait($0, at: now) }
  }

  /// The wait that a field's value means at `now`.
  package static func wait(_ value: String, at now: Timestamp) -> Duration? {
    let text = value.trimmingBlanks
    guard !text.isEmpty, text.utf8.count <= byteCountMax else { return nil }
    if text.utf8.allSatisfy(\.isDigit) {
      // Digits by the dozen are a number all the same, and beyond any cap.
      return .seconds(Int64(text) ?? secondCountMax).clamped(to: secondCountMax)
    }
    return date(text, at: now).map { max(.zero, $0.duration(since: now)) }
  }

  /// The longest field that is looked at.
  package static let byteCountMax = 100
  /// The longest wait that is told: ten years, beyond every cap.
  static let secondCountMax: Int64 = 315_360_000

  /// The instant of an HTTP date, which a reply's `Date` is, too; `nil` if it is none.
  package static func date(_ text: Substring, at now: Timestamp) -> Timestamp? {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "," })
    switch words.count {
    // Sun, 06 Nov 1994 08:49:37 GMT
    case 6 where words[5] == "GMT":
      return instant(
        weekday: words[0], day: words[1], month: words[2], year: number(words[3], digits: 4), words[4])
    // Sunday, 06-Nov-94 08:49:37 GMT
    case 4 where words[3] == "GMT":
      let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 3, let short = number(parts[2], digits: 2) else { return nil }
      let year = fullYear(short, at: now)
      return instant(weekday: words[0].prefix(3), day: parts[0], month: parts[1], year: year, words[2])
    // Sun Nov  6 08:49:37 1994
    case 5:
      return instant(
        weekday: words[0], day: words[2], month: words[1], year: number(words[4], digits: 4), words[3])
    default: return nil
    }
  }

  /// The year of two digits: the one that is no more than 50 years ahead (RFC 9110 5.6.7).
  private static func fullYear(_ short: Int, at now: Timestamp) -> Int {
    let present = CalendarDay(inKoreaAt: now).components.year
    let year = present - present % 100 + short
    if year > present + 50 { return year - 100 }
    return year <= present - 50 ? year + 100 : year
  }

  private static let weekdays: [Substring] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months: [Substring] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func instant(
    weekday: Substring, day: Substring, month: Substring, year: Int?, _ time: Substring
  ) -> Timestamp? {
    let parts = time.split(separator: ":", omittingEmptySubsequences: false)
    guard weekdays.contains(weekday), let month = months.firstIndex(of: month), let year,
      let day = day.count == 1 ? number(day, digits: 1) : number(day, digits: 2), parts.count == 3,
      let hour = number(parts[0], digits: 2), let minute = number(parts[1], digits: 2),
      let second = number(parts[2], digits: 2), hour < 24, minute < 60, second <= 60,
      let date = CalendarDay(year: year, month: month + 1, day: day)
    else { return nil }
    let seconds = Int64(date.daysSinceEpoch) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    return Timestamp(millisecondsSinceEpoch: seconds * 1000)
  }

  private static func number(_ text: Substring, digits: Int) -> Int? {
    text.utf8.count == digits && text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}

extension String {
  fileprivate var trimmingBlanks: Substring {
    var text = self[...]
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text.drop { $0 == " " || $0 == "\t" }
  }
}

extension Duration {
  fileprivate func clamped(to secondCountMax: Int64) -> Duration { min(self, .seconds(secondCountMax)) }
}
