/// An instant of wall time, in whole milliseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds (Unix time).
  public var millisecondsSinceEpoch: Int64

  /// Makes an instant from Unix time in milliseconds.
  public init(millisecondsSinceEpoch: Int64) { self.millisecondsSinceEpoch = millisecondsSinceEpoch }

  /// Orders instants by time.
  public static func < (one: Timestamp, other: Timestamp) -> Bool {
    one.millisecondsSinceEpoch < other.millisecondsSinceEpoch
  }

  /// The time from `earlier` to this instant; negative if this one comes first.
  public func duration(since earlier: Timestamp) -> Duration {
    let difference = millisecondsSinceEpoch.subtractingReportingOverflow(earlier.millisecondsSinceEpoch)
    guard difference.overflow else { return .milliseconds(difference.partialValue) }
    return .milliseconds(self < earlier ? Int64.min : .max)
  }

  /// The instant `duration` later, cut to whole milliseconds.
  public func advanced(by duration: Duration) -> Timestamp {
    let sum = millisecondsSinceEpoch.addingReportingOverflow(duration.wholeMilliseconds)
    guard sum.overflow else { return Timestamp(millisecondsSinceEpoch: sum.partialValue) }
    return Timestamp(millisecondsSinceEpoch: duration < .zero ? .min : .max)
  }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC with `Z`; milliseconds are shown only where there are some.
  public var description: String {
    let day = millisecondsSinceEpoch.floorDivided(by: 86_400_000)
    // Far outside the years 1 to 9999 the calendar says nothing more than the number does.
    guard (-719_162...2_932_896).contains(day) else { return "\(millisecondsSinceEpoch)ms" }
    let rest = Int(millisecondsSinceEpoch.floorRemainder(by: 86_400_000))
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60)
    let milliseconds = rest % 1000
    let fraction = milliseconds == 0 ? "" : "." + String(1000 + milliseconds).dropFirst()
    return "\(CalendarDay(daysSinceEpoch: Int32(day)))T\(two(hour)):\(two(minute)):\(two(second))\(fraction)Z"
  }
}

extension Duration {
  /// The duration in milliseconds, the rest cut off.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let product = seconds.multipliedReportingOverflow(by: 1000)
    guard !product.overflow else { return seconds < 0 ? .min : .max }
    return product.partialValue + attoseconds / 1_000_000_000_000_000
  }

  /// The duration in seconds, the rest cut off.
  package var wholeSeconds: Int64 { components.seconds }
}
