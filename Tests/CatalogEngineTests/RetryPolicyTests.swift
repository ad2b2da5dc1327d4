import CatalogEngine
import HTTPTypes
import Testing

@Suite struct `A retry` {
  let policy = RetryPolicy(
    retryCountMax: 3, delay: .milliseconds(500), delayMax: .seconds(30), totalMax: .seconds(120))
  let busy = CatalogFailure(.status, "busy", detail: "503")

  func wait(
    _ retryCount: Int, random: Double = 0.999_999, elapsed: Duration = .zero, retryAfter: Duration? = nil
  ) -> Duration? {
    policy.wait(after: busy, retryCount: retryCount, elapsed: elapsed, retryAfter: retryAfter, random: random)
  }

  @Test func `waits for anything from nothing to a bound that doubles`() throws {
    for (retryCount, bound) in [(0, 0.5), (1, 1.0), (2, 2.0)] {
      #expect(wait(retryCount, random: 0) == .zero)
      #expect(wait(retryCount, random: 0.5) == .seconds(bound / 2))
      let longest = try #require(wait(retryCount))
      #expect(longest <= .seconds(bound) && longest > .seconds(bound * 0.999))
    }
  }

  @Test func `is made no more often than it may`() {
    #expect(wait(3) == nil)
    #expect(RetryPolicy.none.wait(after: busy, retryCount: 0, elapsed: .zero, random: 0) == nil)
  }

  @Test func `waits no longer than its cap, however often`() {
    let patient = RetryPolicy(retryCountMax: .max, delayMax: .seconds(30), totalMax: .seconds(1_000_000))
    let wait = patient.wait(after: busy, retryCount: 1_000_000, elapsed: .zero, random: 1)
    #expect(wait == .seconds(30))
  }

  @Test func `is not begun past the total deadline`() {
    #expect(wait(0, random: 1, elapsed: .seconds(119.5)) == .milliseconds(500))
    #expect(wait(0, random: 1, elapsed: .seconds(119.6)) == nil)
  }

  @Test func `comes no earlier than the upstream asks, up to the cap`() {
    #expect(wait(0, random: 0, retryAfter: .seconds(7)) == .seconds(7))
    #expect(wait(0, random: 0, retryAfter: .seconds(86_400)) == .seconds(30))
    #expect(wait(2, random: 1, retryAfter: .seconds(1)) == .seconds(2))
  }

  @Test(arguments: [
    ("offline", nil, true), ("timeout", nil, true), ("transport", "connectionRefused", true),
    ("transport", "connectionLost", true), ("transport", "truncatedBody", true), ("transport", "tls", false),
    ("transport", "invalidRequest", false), ("transport", "unexpectedRedirect", false),
    ("status", "408", true),
    ("status", "425", true), ("status", "429", true), ("status", "500", true), ("status", "503", true),
    ("status", "404", false), ("status", "301", false), ("fault", "320102", false),
    ("undecodable", "truncated", false),
    ("implausible", "emptied", false), ("tooLarge", nil, false), ("quota", "320011", false),
    ("keyRefused", "320010", false), ("keyMissing", nil, false), ("breakerOpen", nil, false),
  ])
  func `is made only of what may pass`(code: String, detail: String?, isMade: Bool) {
    let failure = CatalogFailure(.init(rawValue: code), "m", detail: detail)
    let wait = policy.wait(after: failure, retryCount: 0, elapsed: .zero, random: 0)
    #expect((wait != nil) == isMade)
  }
}

@Suite struct `A wish to be left alone` {
  /// 1994-11-06T08:49:07Z, half a minute before the date of RFC 9110's examples.
  let now = Timestamp(millisecondsSinceEpoch: 784_111_747_000)

  @Test(arguments: [
    ("120", 120), (" 5\t", 5), ("0", 0), ("99999999999999999999999", 315_360_000),
    ("Sun, 06 Nov 1994 08:49:37 GMT", 30), ("Sunday, 06-Nov-94 08:49:37 GMT", 30),
    ("Sun Nov  6 08:49:37 1994", 30),
    ("Sun, 06 Nov 1994 08:48:00 GMT", 0), ("Wed, 09 Nov 1994 08:49:07 GMT", 3 * 86_400),
  ])
  func `is read in seconds and in every form of a date`(text: String, seconds: Int) {
    #expect(RetryAfter.wait(text, at: now) == .seconds(seconds))
  }

  @Test(arguments: [
    "", " ", "-1", "1.5", "soon", "1e3", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 24:49:37 GMT",
    "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 6 Nov 94 08:49:37 GMT",
    "Sonntag, 06-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49 1994", String(repeating: "9", count: 200),
  ])
  func `is none if it is anything else`(text: String) {
    #expect(RetryAfter.wait(text, at: now) == nil)
  }

  @Test func `takes a year of two digits for the nearest century`() {
    let now = CalendarDay(daysSinceEpoch: 20_778).startInKorea  // 2026-11-21
    #expect(
      RetryAfter.wait("Saturday, 21-Nov-76 00:00:00 GMT", at: now).map { $0 > .seconds(49 * 365 * 86_400) }
        == true)
    #expect(RetryAfter.wait("Sunday, 21-Nov-77 00:00:00 GMT", at: now) == .zero)
  }

  @Test func `is taken from the head`() {
    let head = HTTPResponse(status: .tooManyRequests, headerFields: [.retryAfter: "9"])
    #expect(RetryAfter.wait(in: head, at: now) == .seconds(9))
    #expect(RetryAfter.wait(in: HTTPResponse(status: .ok), at: now) == nil)
  }
}
