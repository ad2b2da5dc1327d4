import CatalogEngine
import Testing

/// An instant by Korean clocks, as `2019-07-15 07:00` or `2019-07-15 07:00:30.250`.
private func korea(_ text: String) -> Timestamp {
  let parts = text.split(separator: " ")
  guard parts.count == 2, let day = CalendarDay(String(parts[0])) else { preconditionFailure(text) }
  let fields = parts[1].split(whereSeparator: { ":.".contains($0) }).compactMap { Int64($0) }
  let milliseconds = zip(fields, [3_600_000, 60_000, 1000, 1]).map { $0 * $1 }.reduce(0, +)
  return day.startInKorea.advanced(by: .milliseconds(milliseconds))
}

private let (hour, day) = (60, 1440)

extension SyncSchedule {
  fileprivate init(minutes: Int) { self.init(every: .seconds(minutes * 60)) }
}

@Suite struct `When a sync is repeated` {
  @Test(
    arguments: [
      // The shortest: every whole minute.
      (1, "2019-07-15 06:59:59", "2019-07-15 07:00"), (1, "2019-07-15 07:00", "2019-07-15 07:01"),
      (1, "2019-07-15 23:59:30", "2019-07-16 00:00"),
      // A divisor of the day: the same instants each day, over midnight too.
      (15, "2019-07-15 12:07", "2019-07-15 12:15"),
      (60, "2019-07-15 12:00", "2019-07-15 13:00"), (60, "2019-07-15 23:30", "2019-07-16 00:00"),
      (60, "2019-07-16 00:00", "2019-07-16 01:00"), (60, "2019-07-16 06:00", "2019-07-16 07:00"),
      (360, "2019-07-15 19:00", "2019-07-16 01:00"), (360, "2019-07-16 02:00", "2019-07-16 07:00"),
      (720, "2019-07-15 08:00", "2019-07-15 19:00"),
      // No divisor: it starts anew each morning.
      (420, "2019-07-15 07:00", "2019-07-15 14:00"), (420, "2019-07-15 21:00", "2019-07-16 04:00"),
      (420, "2019-07-16 04:00", "2019-07-16 07:00"),
      (17, "2019-07-16 06:46", "2019-07-16 06:48"), (17, "2019-07-16 06:50", "2019-07-16 07:00"),
      (1380, "2019-07-15 07:00", "2019-07-16 06:00"), (1380, "2019-07-16 06:00", "2019-07-16 07:00"),
      (90, "2019-07-16 05:30", "2019-07-16 07:00"),
      // Whole days: mornings, counted from a Monday.
      (1440, "2019-07-15 06:59:59.999", "2019-07-15 07:00"), (1440, "2019-07-15 07:00", "2019-07-16 07:00"),
      (2880, "2003-11-10 07:00", "2003-11-12 07:00"), (2880, "2003-11-11 12:00", "2003-11-12 07:00"),
      (10080, "2019-07-15 06:00", "2019-07-15 07:00"), (10080, "2019-07-15 07:00", "2019-07-22 07:00"),
      // Neither: counted from the same morning.
      (2160, "2003-11-10 07:00", "2003-11-11 19:00"), (2160, "2003-11-11 19:00", "2003-11-13 07:00"),
      // Before the anchor, and before 1970.
      (10080, "2003-11-03 06:00", "2003-11-03 07:00"), (60, "1965-03-01 06:30", "1965-03-01 07:00"),
      (2880, "2003-11-06 07:00", "2003-11-08 07:00"),
    ] as [(Int, String, String)])
  func `its instants are anchored to mornings in Korea`(minutes: Int, now: String, next: String) {
    #expect(SyncSchedule(minutes: minutes).next(after: korea(now)) == korea(next))
  }

  @Test(arguments: [1, 7, 15, hour, 7 * hour, 23 * hour, day, 36 * hour, 3 * day, 7 * day])
  func `its instants neither stand still nor drift over four weeks`(minutes: Int) {
    let schedule = SyncSchedule(minutes: minutes)
    var instant = schedule.next(after: korea("2019-12-20 00:00"))
    let end = korea("2020-01-17 00:00")
    var mornings: [CalendarDay] = []
    var unsound: [Timestamp] = []
    while instant < end {
      let next = schedule.next(after: instant)
      let step = next.duration(since: instant)
      let day = CalendarDay(inKoreaAt: next)
      let isMorning = next == day.startInKorea.advanced(by: .seconds(7 * 3600))
      if isMorning { mornings.append(day) }
      // Only a morning cuts a step short, and each instant is the next of any time before it.
      let isSound =
        step > .zero && (step == schedule.interval || (step < schedule.interval && isMorning))
        && schedule.next(after: instant.advanced(by: .milliseconds(1))) == next
        && schedule.next(after: next.advanced(by: .milliseconds(-1))) == next
      if !isSound { unsound.append(next) }
      instant = next
    }
    #expect(unsound.isEmpty)
    if minutes <= day { #expect(mornings.count == 28) }
    if minutes == 7 * day { #expect(mornings.allSatisfy { $0.weekday == .monday } && mornings.count >= 4) }
  }

  @Test func `a clock that is set forward or back leads to the next instant by its new time`() {
    let schedule = SyncSchedule(minutes: hour)
    let served = korea("2019-07-15 12:00")
    for (now, next) in [
      ("2021-03-04 05:06", "2021-03-04 06:00"), ("2019-07-15 09:30", "2019-07-15 10:00"),
      ("1970-01-01 09:00", "1970-01-01 10:00"),
    ] {
      #expect(schedule.next(after: korea(now), served: served) == korea(next))
    }
  }

  @Test func `a clock that is merely corrected does not bring an instant back`() {
    let schedule = SyncSchedule(minutes: hour)
    let served = korea("2019-07-15 12:00")
    for (now, next) in [
      ("2019-07-15 12:00", "2019-07-15 13:00"), ("2019-07-15 11:59:59.999", "2019-07-15 13:00"),
      ("2019-07-15 11:59", "2019-07-15 13:00"), ("2019-07-15 11:58:59.999", "2019-07-15 12:00"),
      ("2019-07-15 12:40", "2019-07-15 13:00"),
    ] {
      #expect(schedule.next(after: korea(now), served: served) == korea(next), "\(now)")
    }
  }

  @Test(arguments: [1, 7 * hour, day, 7 * day])
  func `the ends of time are no trap`(minutes: Int) {
    let schedule = SyncSchedule(minutes: minutes)
    for end in [Int64.min, .min + 1, .max - 1, .max] {
      let now = Timestamp(millisecondsSinceEpoch: end)
      #expect(schedule.next(after: now) >= now)
    }
  }
}
